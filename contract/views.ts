// A view as one value: layout, filter, grouping, lanes, sort, and what a card or row shows. The same in the address of the app, in
// `saved_views` and in a program. Here are its types and what each property may be asked; read-view.ts reads one from JSON that anybody wrote.

import { type FieldGrouping, type FieldProperty, fieldIn, fieldPropertyKinds } from './field-properties.ts';

export const layouts = ['board', 'list', 'calendar', 'timeline', 'dashboard'] as const;
export type Layout = (typeof layouts)[number];

/** What can be said of a property follows from its kind. */
export type PropertyKind = 'words' | 'choice' | 'choices' | 'day' | 'moment' | 'number' | 'flag';

/** Numbers that people give a task, each a column of its row. Filters, orders, imports and exports follow from a name here. */
export const figures = ['estimate'] as const;
export type Figure = (typeof figures)[number];
const figureKinds = Object.fromEntries(figures.map((name) => [name, 'number'])) as Readonly<Record<Figure, 'number'>>;

export const properties = {
  /** The title, or the number or key that names the task. */
  text: 'words',
  title: 'words',
  column: 'choice',
  kind: 'choice',
  assignee: 'choices',
  label: 'choices',
  priority: 'choice',
  start_date: 'day',
  due_date: 'day',
  ...figureKinds,
  number: 'number',
  created_at: 'moment',
  updated_at: 'moment',
  completed_at: 'moment',
  created_by: 'choice',
  project: 'choice',
  /** The task it is a part of. */
  parent: 'choice',
  /** The tasks it waits for. */
  waits_for: 'choices',
  /** It is open, and so is a task it waits for. */
  blocked: 'flag',
  has_subtasks: 'flag',
  has_checklist: 'flag',
  has_files: 'flag',
  recurring: 'flag',
  watcher: 'choices',
  commenter: 'choices',
} as const satisfies Record<string, PropertyKind>;
/** What every task has. */
export type OwnProperty = keyof typeof properties;
export type Property = OwnProperty | FieldProperty;
export const propertyNames = Object.keys(properties) as OwnProperty[];

export function kindOf(property: Property): PropertyKind {
  const field = fieldIn(property);
  return field ? fieldPropertyKinds[field.kind] : properties[property as OwnProperty];
}

const ofDays = ['is', 'is_not', 'before', 'after', 'on_or_before', 'on_or_after', 'in_next', 'in_last'] as const;
const ofNothing = ['empty', 'not_empty'] as const;

/** In the order a menu shows them; the first is what is meant most. */
export const operatorsOf = {
  words: ['contains', 'is', 'is_not', ...ofNothing],
  choice: ['any_of', 'none_of', 'is', 'is_not', ...ofNothing],
  choices: ['any_of', 'none_of', 'is', 'is_not', ...ofNothing],
  day: [...ofDays, ...ofNothing],
  moment: [...ofDays, ...ofNothing],
  number: ['is', 'is_not', 'at_least', 'at_most', ...ofNothing],
  /** What was never ticked is not. */
  flag: ['is'],
} as const satisfies Record<PropertyKind, readonly string[]>;
export type Operator = (typeof operatorsOf)[PropertyKind][number];

/** A day may be relative: `today`, `+7`, `-3`. A person may be `me`. */
export type Value = string | number | readonly string[];
export type Condition = { readonly property: Property; readonly is: Operator; readonly value?: Value };
/** A group with nothing in it says nothing: all tasks pass. */
export type All = { readonly all: readonly Part[] };
export type Any = { readonly any: readonly Part[] };
export type Group = All | Any;
export type Part = Group | Condition;

export const groupable = [
  'column',
  'kind',
  'assignee',
  'priority',
  'label',
  'project',
  'parent',
] as const satisfies readonly Property[];
export type Grouping = (typeof groupable)[number] | FieldGrouping;

export const sortable = [
  'column',
  'priority',
  'due_date',
  'start_date',
  'title',
  ...figures,
  'updated_at',
  'created_at',
  'completed_at',
  'number',
  'parent',
] as const satisfies readonly Property[];
export type OwnSortKey = (typeof sortable)[number];
export type SortKey = OwnSortKey | FieldProperty;
/** Tasks without a value stand last, either way round. */
export type Sorting = { readonly by: SortKey; readonly descending: boolean };

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
/** What each layout shows of a task is the layout's own. */
export type Shown = { readonly [part: string]: Json };

export type View = {
  readonly layout: Layout;
  readonly filter: Group;
  readonly grouping: Grouping | null;
  readonly lanes: Grouping | null;
  readonly sort: readonly Sorting[];
  readonly shown: Shown;
};

export const noFilter: Group = { all: [] };
export const mostConditions = 100;
export const deepest = 4;
export const priorities = ['p0', 'p1', 'p2'] as const;
export const flags = ['yes', 'no'] as const;
export const columnKinds = ['backlog', 'todo', 'in_progress', 'done', 'custom'] as const;

export function isGroup(part: Part): part is Group {
  return 'all' in part || 'any' in part;
}

export function partsOf(group: Group): readonly Part[] {
  return 'all' in group ? group.all : group.any;
}

/** A group of the same kind with other parts. */
export function groupLike(group: Group, parts: readonly Part[]): Group {
  return 'all' in group ? { all: parts } : { any: parts };
}

export function conditionsIn(group: Group): readonly Condition[] {
  return partsOf(group).flatMap((part) => (isGroup(part) ? conditionsIn(part) : [part]));
}

// ── a number or key in what was typed ────────────────────────────────────────

/** `12`, `web-12`, `WEB 12`: which tasks such words name, beside those whose title holds them. */
export function readKeyWords(words: string): { readonly key: string | null; readonly from: readonly number[] } | null {
  const [, key, digits = ''] = /^(?:([a-z][a-z0-9]{1,5})[- ]?)?#?([1-9]\d{0,6})$/i.exec(words.trim()) ?? [];
  if (digits === '') return null;
  // 12 begins 12, 120 to 129, 1200 to 1299, and so on.
  const from: number[] = [];
  for (let start = Number(digits); start < 10_000_000; start *= 10) from.push(start);
  return { key: key?.toUpperCase() ?? null, from };
}

/** The last number that begins as this one does, at this length. */
export function lastFrom(start: number, at: number): number {
  return start + 10 ** at - 1;
}

export function dayAfter(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + 1);
  return at.toISOString().slice(0, 10);
}
