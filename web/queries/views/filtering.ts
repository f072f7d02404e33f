// A view's filter read against the rows that are here, and a view's order. contract/view-query.ts makes a query of the same filter for
// rows that are not; both mean the same, which test/web/filters.test.ts holds.

import { fieldIn } from '../../../contract/field-properties.ts';
import { dayAfter } from '../../../contract/view-query.ts';
import {
  type Condition,
  type Group,
  isGroup,
  kindOf,
  lastFrom,
  type OwnProperty,
  type OwnSortKey,
  type Part,
  partsOf,
  readKeyWords,
  type Sorting,
  type SortKey,
} from '../../../contract/views.ts';
import { compareWords } from '../../strings/compare-words.ts';
import { compareRanks } from '../../sync/rows/rank.ts';
import type { TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { startOfDay } from '../days/days.ts';
import { chosenOptions, optionsOf, readFieldValue } from '../projects/fields.ts';
import { hanging } from './hanging.ts';

export type TaskTest = (task: TaskRow) => boolean;

/** `filter` is settled. Null where every task passes, so that nobody asks each of thousands. */
export function testOf(store: Reader, filter: Group): TaskTest | null {
  return partsOf(filter).length === 0 ? null : testPart(store, filter);
}

function testPart(store: Reader, part: Part): TaskTest {
  if (!isGroup(part)) return testCondition(store, part);
  const tests = partsOf(part).map((one) => testPart(store, one));
  return 'all' in part ? (task) => tests.every((test) => test(task)) : (task) => tests.some((test) => test(task));
}

function testCondition(store: Reader, condition: Condition): TaskTest {
  const field = fieldIn(condition.property);
  if (field) return testField(store, condition, field.id);
  const property = condition.property as OwnProperty;
  switch (property) {
    case 'text':
    case 'title':
      return testTitle(store, condition);
    case 'kind':
      return testValue(condition, (task) => store.get('workflow_columns', task.column_id)?.kind ?? null);
    case 'column':
      return testValue(condition, (task) => task.column_id);
    case 'project':
      return testValue(condition, (task) => task.project_id);
    case 'parent':
      return testValue(condition, (task) => task.parent_id ?? null);
    case 'created_at':
    case 'updated_at':
    case 'completed_at':
      return testMoment(condition, property);
    case 'start_date':
    case 'due_date':
    case 'estimate':
    case 'number':
    case 'priority':
    case 'created_by':
      return testValue(condition, (task) => task[property]);
    default:
      return testHanging(store, condition, property);
  }
}

function testHanging(store: Reader, condition: Condition, property: OwnProperty): TaskTest {
  const idsOf = (task: TaskRow) => hanging[property]?.idsOf(store, task) ?? [];
  if (kindOf(property) === 'flag') return (task) => idsOf(task).length > 0 === (condition.value === 'yes');
  return testLinks(condition, idsOf);
}

/** What has no words is not the ones that are meant. */
function testWords({ is, value }: Condition, wordsIn: (task: TaskRow) => string | null): TaskTest {
  if (is === 'empty') return (task) => wordsIn(task) === null;
  if (is === 'not_empty') return (task) => wordsIn(task) !== null;
  const typed = String(value);
  if (is === 'is') return (task) => wordsIn(task) === typed;
  if (is === 'is_not') return (task) => wordsIn(task) !== typed;
  const needle = typed.trim().toLowerCase();
  return (task) => wordsIn(task)?.toLowerCase().includes(needle) ?? false;
}

function testTitle(store: Reader, condition: Condition): TaskTest {
  const held = testWords(condition, (task) => task.title);
  const named = condition.property === 'text' ? readKeyWords(String(condition.value)) : null;
  if (named === null) return held;
  return (task) => {
    if (held(task)) return true;
    const { number } = task;
    if (number === null) return false;
    if (named.key !== null && store.get('projects', task.project_id)?.key !== named.key) return false;
    return named.from.some((start, at) => number >= start && number <= lastFrom(start, at));
  };
}

function testField(store: Reader, condition: Condition, fieldId: string): TaskTest {
  const valueIn = (task: TaskRow) => readFieldValue(store, task, fieldId);
  switch (kindOf(condition.property)) {
    case 'flag':
      return (task) => (valueIn(task) === true) === (condition.value === 'yes');
    case 'choices':
      return testLinks(condition, (task) => chosenOptions(valueIn(task)));
    case 'words':
      return testWords(condition, (task) => asText(valueIn(task)));
    default:
      return testValue(condition, (task) => asPlain(valueIn(task)));
  }
}

const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const asPlain = (value: unknown): string | number | null => (typeof value === 'number' ? value : asText(value));

function testLinks({ is, value }: Condition, idsOf: (task: TaskRow) => readonly (string | null)[]): TaskTest {
  if (is === 'empty') return (task) => idsOf(task).length === 0;
  if (is === 'not_empty') return (task) => idsOf(task).length > 0;
  const wanted = new Set<string | null>(typeof value === 'object' ? value : [String(value)]);
  const wants = is === 'is' || is === 'any_of';
  return (task) => idsOf(task).some((id) => wanted.has(id)) === wants;
}

/** What has no value is not the one that is meant, and stands neither before nor after it. */
function testValue({ is, value }: Condition, valueIn: (task: TaskRow) => string | number | null): TaskTest {
  const wanted = new Set<string | number | null>(typeof value === 'object' ? value : [value ?? null]);
  const compare = (holds: (there: string | number, limit: string | number) => boolean): TaskTest => {
    const limit = typeof value === 'object' || value === undefined ? '' : value;
    return (task) => {
      const there = valueIn(task);
      return there !== null && holds(there, limit);
    };
  };
  switch (is) {
    case 'empty':
      return (task) => valueIn(task) === null;
    case 'not_empty':
      return (task) => valueIn(task) !== null;
    case 'is':
    case 'any_of':
      return (task) => wanted.has(valueIn(task));
    case 'is_not':
    case 'none_of':
      return (task) => !wanted.has(valueIn(task));
    case 'before':
      return compare((there, limit) => there < limit);
    case 'after':
      return compare((there, limit) => there > limit);
    case 'on_or_before':
    case 'at_most':
      return compare((there, limit) => there <= limit);
    default:
      return compare((there, limit) => there >= limit);
  }
}

/** A day is the reader's: from its first moment here to that of the next. */
function testMoment({ is, value }: Condition, property: 'created_at' | 'updated_at' | 'completed_at'): TaskTest {
  if (is === 'empty') return (task) => task[property] === null;
  if (is === 'not_empty') return (task) => task[property] !== null;
  const day = String(value);
  const [start, next] = [Date.parse(startOfDay(day)), Date.parse(startOfDay(dayAfter(day)))];
  const within: Readonly<Record<string, (at: number) => boolean>> = {
    before: (at) => at < start,
    on_or_before: (at) => at < next,
    after: (at) => at >= next,
    on_or_after: (at) => at >= start,
    is: (at) => at >= start && at < next,
    is_not: (at) => at < start || at >= next,
  };
  const holds = within[is];
  return (task) => {
    const at = task[property];
    return at === null ? is === 'is_not' : (holds?.(Date.parse(at)) ?? false);
  };
}
// ── order ────────────────────────────────────────────────────────────────────

export type TaskOrder = (one: TaskRow, other: TaskRow) => number;

/** Ties fall back to the board's order and then the number, so that an order is always the same order. */
export function orderBy(
  store: Reader,
  sort: readonly Sorting[],
  columnPlace: (columnId: string) => number = () => 0,
): TaskOrder {
  const byColumn: TaskOrder = (one, other) =>
    columnPlace(one.column_id) - columnPlace(other.column_id) || compareRanks(one.order_rank, other.order_rank);
  const orders = sort.map(({ by, descending }) => orderByKey(store, by, descending, byColumn));
  if (orders.length === 0) orders.push(byColumn);
  const byNumber = orderByKey(store, 'number', false, byColumn);
  return (one, other) => {
    for (const order of orders) {
      const difference = order(one, other);
      if (difference !== 0) return difference;
    }
    return byNumber(one, other) || (one.id < other.id ? -1 : 1);
  };
}

function orderByKey(store: Reader, by: SortKey, descending: boolean, byColumn: TaskOrder): TaskOrder {
  const turn = descending ? -1 : 1;
  if (by === 'column') return (one, other) => turn * byColumn(one, other);
  if (by === 'title') return (one, other) => turn * compareWords(one.title, other.title);
  const valueIn = measureOf(store, by);
  return (one, other) => {
    const [here, there] = [valueIn(one), valueIn(other)];
    if (here === there) return 0;
    // Without a value: last, either way round.
    if (here === null) return 1;
    if (there === null) return -1;
    const difference =
      typeof here === 'string' && typeof there === 'string' && isWords(by)
        ? compareWords(here, there)
        : here < there
          ? -1
          : 1;
    return turn * difference;
  };
}

const isWords = (by: SortKey): boolean => ['text', 'url', 'person'].includes(fieldIn(by)?.kind ?? '');

/** Options stand in the order of their field, people by their names. */
function measureOf(store: Reader, by: Exclude<SortKey, 'column' | 'title'>): (task: TaskRow) => string | number | null {
  const field = fieldIn(by);
  if (field === null) {
    const own = by as Exclude<OwnSortKey, 'column' | 'title'>;
    return own === 'parent' ? (task) => store.get('tasks', task.parent_id ?? '')?.number ?? null : (task) => task[own];
  }
  const valueIn = (task: TaskRow) => readFieldValue(store, task, field.id);
  if (field.kind === 'checkbox') return (task) => (valueIn(task) === true ? 0 : null);
  if (field.kind === 'person')
    return (task) => store.get('profiles', asText(valueIn(task)) ?? '')?.display_name ?? null;
  if (field.kind !== 'select' && field.kind !== 'multi_select') return (task) => asPlain(valueIn(task));
  const row = store.get('custom_fields', field.id);
  const places = new Map((row ? optionsOf(row) : []).map(({ id }, at) => [id, at]));
  return (task) => places.get(chosenOptions(valueIn(task))[0] ?? '') ?? null;
}
