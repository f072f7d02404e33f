// Figures of a project's fields: counted by the server for all tasks, and from the rows here for some.

import type { FieldKind, FieldRow, TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { nameOf } from '../people/people.ts';
import { chosenOptions, fieldValue, optionsOf, readFields } from '../projects/fields.ts';

export type FieldFigures = { readonly field_id: string; readonly name: string } & (
  | { readonly kind: 'select' | 'multi_select'; readonly options: readonly OptionFigure[] }
  | { readonly kind: 'person'; readonly people: readonly PersonFigure[] }
  | { readonly kind: 'checkbox'; readonly ticked: number }
  | {
      readonly kind: 'number';
      readonly unit: string | null;
      readonly filled: number;
      readonly sum: number;
      readonly average: number | null;
    }
);

interface OptionFigure {
  readonly option_id: string;
  readonly name: string;
  readonly count: number;
}

interface PersonFigure {
  readonly user_id: string;
  readonly display_name: string | null;
  readonly count: number;
}

type Counted = FieldFigures['kind'];

const counted: readonly FieldKind[] = ['select', 'multi_select', 'person', 'checkbox', 'number'] satisfies Counted[];

/** Words and days are not added up. */
export function countedFields(fields: readonly FieldRow[]): readonly FieldRow[] {
  return fields.filter(({ kind }) => counted.includes(kind));
}

export function readFieldFigures(store: Reader, projectId: string, tasks: readonly TaskRow[]): FieldFigures[] {
  return countedFields(readFields(store, projectId)).map((field): FieldFigures => {
    const values = tasks.map((task) => fieldValue(store, task, field.id));
    const named = { field_id: field.id, name: field.name };
    switch (field.kind as Counted) {
      case 'number':
        return { ...named, kind: 'number', unit: field.unit, ...sumOf(values) };
      case 'checkbox':
        return { ...named, kind: 'checkbox', ticked: values.filter((value) => value === true).length };
      case 'person':
        return { ...named, kind: 'person', people: peopleOf(store, countChosen(values)) };
      default: {
        const counts = countChosen(values);
        const options = optionsOf(field).map(({ id, name }) => ({ option_id: id, name, count: counts.get(id) ?? 0 }));
        return { ...named, kind: field.kind as 'select' | 'multi_select', options };
      }
    }
  });
}

function countChosen(values: readonly unknown[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) for (const one of chosenOptions(value)) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}

function peopleOf(store: Reader, counts: ReadonlyMap<string, number>): PersonFigure[] {
  return [...counts]
    .map(([user_id, count]) => ({ user_id, display_name: nameOf(store.get('profiles', user_id)), count }))
    .sort((one, other) => other.count - one.count || (one.user_id < other.user_id ? -1 : 1));
}

const rounded = (n: number): number => Math.round(n * 1e6) / 1e6;

function sumOf(values: readonly unknown[]): { filled: number; sum: number; average: number | null } {
  const numbers = values.filter((value) => typeof value === 'number');
  const sum = rounded(numbers.reduce((all, n) => all + n, 0));
  return { filled: numbers.length, sum, average: numbers.length === 0 ? null : rounded(sum / numbers.length) };
}
