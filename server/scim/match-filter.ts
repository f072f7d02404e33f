// Turns the filter of a PATCH path into a predicate of the values of an attribute, such as emails or members.

import type { Comparison, Filter, FilterValue } from './parse-filter.ts';

export type Item = Readonly<Record<string, unknown>>;
/** The canonical name and kind of a sub-attribute, or an error. */
export type SubOf = (path: string) => { readonly name: string; readonly caseExact: boolean };

export function predicateOf(filter: Filter, subOf: SubOf): (item: Item) => boolean {
  switch (filter.kind) {
    case 'and': {
      const parts = filter.items.map((one) => predicateOf(one, subOf));
      return (item) => parts.every((fits) => fits(item));
    }
    case 'or': {
      const parts = filter.items.map((one) => predicateOf(one, subOf));
      return (item) => parts.some((fits) => fits(item));
    }
    case 'not': {
      const fits = predicateOf(filter.item, subOf);
      return (item) => !fits(item);
    }
    case 'present': {
      const { name } = subOf(filter.path);
      return ({ [name]: value }) => value !== undefined && value !== null && value !== '';
    }
    case 'compare': {
      const { name, caseExact } = subOf(filter.path);
      return (item) => compares(item[name] ?? null, filter.how, filter.value, caseExact);
    }
    case 'some':
      return () => false;
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
