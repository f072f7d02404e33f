// A view as one value: layout, filter, grouping, lanes, sort, and what a card or row shows. The same in the address of the app, in
// `saved_views` and in a program. Here are its types, what each property may be asked, and how one is read from JSON that anybody wrote.

import {
  type FieldGrouping,
  type FieldProperty,
  fieldIn,
  fieldPropertyKinds,
  isFieldGrouping,
  isFieldProperty,
} from './field-properties.ts';

export const layouts = ['board', 'list', 'calendar', 'timeline', 'dashboard'] as const;
export type Layout = (typeof layouts)[number];

/** What can be said of a property follows from its kind. */
export type PropertyKind = 'words' | 'choice' | 'choices' | 'day' | 'moment' | 'number' | 'flag';

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
  estimate: 'number',
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

/** Its values are people, of whom one may be "me". */
function isOfPeople(property: Property): boolean {
  return ['assignee', 'created_by', 'watcher', 'commenter'].includes(property) || fieldIn(property)?.kind === 'person';
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
  'estimate',
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

/** Says in a sentence which part of a view cannot be read, and what would do. */
export class WrongView extends Error {}

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

// ── reading ──────────────────────────────────────────────────────────────────

type Unread = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Unread {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fault(where: string, what: string): WrongView {
  return new WrongView(`${where} ${what}`);
}

/** What is left out is as it is where nothing was chosen. */
export function readView(value: unknown): View {
  if (!isRecord(value)) throw fault('view', 'must be an object.');
  const { layout = 'board', filter = {}, grouping = null, lanes = null, sort = [], shown = {} } = value;
  if (!isRecord(shown)) throw fault('shown', 'must be an object.');
  if (JSON.stringify(shown).length > 20_000) throw fault('shown', 'must have at most 20,000 characters.');
  return {
    layout: oneOf(layouts, layout, 'layout'),
    filter: readFilter(filter),
    grouping: readGrouping(grouping, 'grouping'),
    lanes: readGrouping(lanes, 'lanes'),
    sort: readSort(sort),
    shown: shown as Shown,
  };
}

function readGrouping(value: unknown, where: string): Grouping | null {
  return value === null || isFieldGrouping(value) ? value : oneOf(groupable, value, where);
}

export function readSort(value: unknown): readonly Sorting[] {
  if (!Array.isArray(value) || value.length > 5) throw fault('sort', 'must be a list of at most 5 entries.');
  return value.map((one: unknown, at) => {
    if (!isRecord(one)) throw fault(`sort[${at}]`, 'must be an object with "by" and "descending".');
    const by = isFieldProperty(one.by) ? one.by : oneOf(sortable, one.by, `sort[${at}].by`);
    return { by, descending: one.descending === true };
  });
}

/** An empty object is no filter. */
export function readFilter(value: unknown): Group {
  if (isRecord(value) && Object.keys(value).length === 0) return noFilter;
  const part = readPart(value, 'filter', 1);
  const group = isGroup(part) ? part : { all: [part] };
  if (conditionsIn(group).length > mostConditions)
    throw fault('filter', `must have at most ${mostConditions} conditions.`);
  return group;
}

function readPart(value: unknown, where: string, depth: number): Part {
  if (!isRecord(value)) throw fault(where, 'must be an object with "all", "any" or "property".');
  const joined = 'all' in value ? 'all' : 'any' in value ? 'any' : null;
  if (joined === null) return readCondition(value, where);
  if (depth > deepest) throw fault(where, `must not lie deeper than ${deepest} groups.`);
  const parts = value[joined];
  if (!Array.isArray(parts)) throw fault(`${where}.${joined}`, 'must be a list.');
  const read = parts.map((part: unknown, at) => readPart(part, `${where}.${joined}[${at}]`, depth + 1));
  return joined === 'all' ? { all: read } : { any: read };
}

function readCondition(value: Unread, where: string): Condition {
  const { property: said } = value;
  const property = isFieldProperty(said) ? said : oneOf(propertyNames, said, `${where}.property`);
  const kind = kindOf(property);
  const is = oneOf<Operator>(operatorsFor(property), value.is, `${where}.is`);
  if (is === 'empty' || is === 'not_empty') return { property, is };
  const place = `${where}.value`;
  if (is === 'any_of' || is === 'none_of') {
    const { value: some } = value;
    if (!Array.isArray(some) || some.length === 0 || some.length > 200)
      throw fault(place, 'must be a list of 1 to 200 values.');
    return { property, is, value: some.map((one: unknown, at) => readChoice(property, one, `${place}[${at}]`)) };
  }
  if (is === 'in_next' || is === 'in_last')
    return { property, is, value: readNumber(value.value, place, 0, 3660, true) };
  if (kind === 'number') return { property, is, value: readNumber(value.value, place, -1e12, 1e12, false) };
  if (kind === 'day' || kind === 'moment') return { property, is, value: readDay(value.value, place) };
  if (kind === 'words') return { property, is, value: readWords(value.value, place) };
  if (kind === 'flag') return { property, is, value: oneOf(flags, value.value, place) };
  return { property, is, value: readChoice(property, value.value, place) };
}

/** `text` is looked for, never compared: nobody knows all of it. */
export function operatorsFor(property: Property): readonly Operator[] {
  return property === 'text' ? ['contains'] : operatorsOf[kindOf(property)];
}

function oneOf<T extends string>(accepted: readonly T[], value: unknown, where: string): T {
  const found = accepted.find((one) => one === value);
  if (found === undefined) throw fault(where, `is ${say(value)}; it must be one of ${accepted.join(', ')}.`);
  return found;
}

function say(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value).slice(0, 60);
}

function readNumber(value: unknown, where: string, least: number, most: number, whole: boolean): number {
  const fits = typeof value === 'number' && value >= least && value <= most && (!whole || Number.isInteger(value));
  if (!fits)
    throw fault(where, `is ${say(value)}; it must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}.`);
  return value;
}

const relativeDay = /^(?:today|[+-]\d{1,4})$/;

function readDay(value: unknown, where: string): string {
  if (typeof value === 'string' && (relativeDay.test(value) || isDay(value))) return value;
  throw fault(where, `is ${say(value)}; it must be a day: 2026-05-15, today, +7 or -3.`);
}

export function isDay(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || value < '0001') return false;
  const at = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value);
}

function readWords(value: unknown, where: string): string {
  if (typeof value === 'string' && /\S/.test(value) && value.length <= 500 && !value.includes('\0')) return value;
  throw fault(where, `is ${say(value)}; it must be a text of 1 to 500 characters.`);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function readChoice(property: Property, value: unknown, where: string): string {
  if (property === 'priority') return oneOf(priorities, value, where);
  if (property === 'kind') return oneOf(columnKinds, value, where);
  const person = isOfPeople(property);
  const isOption = !person && isFieldProperty(property);
  if (isOption && typeof value === 'string' && /^[\w-]{1,40}$/.test(value)) return value;
  if (!isOption && typeof value === 'string' && (uuid.test(value) || (person && value === 'me'))) return value;
  throw fault(
    where,
    `is ${say(value)}; it must be the id of ${person ? 'a person, or "me"' : isOption ? 'an option' : `a ${property === 'parent' || property === 'waits_for' ? 'task' : property}`}.`,
  );
}

/** The fields a view looks at: what tasks hold in them has to be here. */
export function fieldsIn({ filter, grouping, lanes, sort, shown }: View): readonly string[] {
  const asked = conditionsIn(filter).map(({ property }) => property);
  const onCards = Array.isArray(shown.card) ? (shown.card as readonly unknown[]) : [];
  const named = [...asked, grouping, lanes, ...sort.map(({ by }) => by), ...onCards];
  return [...new Set(named.flatMap((property) => fieldIn(property)?.id ?? []))].sort();
}

// ── what is relative, settled ────────────────────────────────────────────────

function settleDay(value: string, today: string): string {
  if (!relativeDay.test(value)) return value;
  const day = new Date(`${today}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + (value === 'today' ? 0 : Number(value)));
  return day.toISOString().slice(0, 10);
}

/** The filter as it is meant today, for this reader: days of the calendar, ids of people, no group of fewer than two parts but the whole. */
export function settleFilter(filter: Group, today: string, me: string): Group {
  const settled = settlePart(filter, today, me);
  return settled === null ? noFilter : isGroup(settled) ? settled : { all: [settled] };
}

function settlePart(part: Part, today: string, me: string): Part | null {
  if (isGroup(part)) {
    const parts = partsOf(part).flatMap((one) => settlePart(one, today, me) ?? []);
    return parts.length > 1 ? groupLike(part, parts) : (parts[0] ?? null);
  }
  const { property, is, value } = part;
  const day = (days: string): string => settleDay(days, today);
  if (is === 'in_next')
    return {
      all: [
        { property, is: 'on_or_after', value: today },
        { property, is: 'on_or_before', value: day(`+${value}`) },
      ],
    };
  if (is === 'in_last')
    return {
      all: [
        { property, is: 'on_or_after', value: day(`-${value}`) },
        { property, is: 'on_or_before', value: today },
      ],
    };
  const kind = kindOf(property);
  if ((kind === 'day' || kind === 'moment') && typeof value === 'string') return { ...part, value: day(value) };
  if (!isOfPeople(property)) return part;
  if (typeof value === 'string') return { ...part, value: value === 'me' ? me : value };
  if (Array.isArray(value)) return { ...part, value: value.map((one: string) => (one === 'me' ? me : one)) };
  return part;
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
