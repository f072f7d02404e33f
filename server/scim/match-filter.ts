// Evaluates the filter of a PATCH path for one value of an attribute, such as an email or a member.

import type { Comparison, Filter, FilterValue } from './parse-filter.ts';

export type Item = Readonly<Record<string, unknown>>;
/** The canonical name and kind of a sub-attribute, or an error. */
export type SubOf = (path: string) => { readonly name: string; readonly caseExact: boolean };

export function matches(filter: Filter, item: Item, subOf: SubOf): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.items.every((one) => matches(one, item, subOf));
    case 'or':
      return filter.items.some((one) => matches(one, item, subOf));
    case 'not':
      return !matches(filter.item, item, subOf);
    case 'present': {
      const value = item[subOf(filter.path).name];
      return value !== undefined && value !== null && value !== '';
    }
    case 'compare': {
      const { name, caseExact } = subOf(filter.path);
      return compares(item[name] ?? null, filter.how, filter.value, caseExact);
    }
    case 'some':
      return false;
  }
}

function compares(left: unknown, how: Comparison, right: FilterValue, caseExact: boolean): boolean {
  if (typeof left === 'boolean' || right === null || left === null) {
    // Entra writes booleans as texts.
    const same = left === right || (typeof left === 'boolean' && String(left) === String(right).toLowerCase());
    return how === 'eq' ? same : how === 'ne' && !same;
  }
  const fold = (value: unknown): string => (caseExact ? String(value) : String(value).toLowerCase());
  const [one, other] = [fold(left), fold(right)];
  switch (how) {
    case 'eq':
      return one === other;
    case 'ne':
      return one !== other;
    case 'co':
      return one.includes(other);
    case 'sw':
      return one.startsWith(other);
    case 'ew':
      return one.endsWith(other);
    case 'gt':
      return one > other;
    case 'ge':
      return one >= other;
    case 'lt':
      return one < other;
    case 'le':
      return one <= other;
  }
}
