// A view read from JSON that anybody wrote, its relative days and "me" settled, and the fields it looks at. Apart from views.ts, since the first
// load of the app needs none of it.

import { fieldIn, isFieldGrouping, isFieldProperty } from './field-properties.ts';
import {
  type Condition,
  columnKinds,
  conditionsIn,
  deepest,
  flags,
  type Group,
  type Grouping,
  groupable,
  groupLike,
  isGroup,
  kindOf,
  layouts,
  mostConditions,
  noFilter,
  type Operator,
  operatorsOf,
  type Part,
  type Property,
  partsOf,
  priorities,
  propertyNames,
  type Shown,
  type Sorting,
  sortable,
  type View,
} from './views.ts';

/** Says in a sentence which part of a view cannot be read, and what would do. */
export class WrongView extends Error {}

/** Its values are people, of whom one may be "me". */
function isOfPeople(property: Property): boolean {
  return ['assignee', 'created_by', 'watcher', 'commenter'].includes(property) || fieldIn(property)?.kind === 'person';
}

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
  if (property === 'number')
    return { property, is, value: readNumber(value.value, place, -2_147_483_648, 2_147_483_647, true) };
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
