// A view's filter read against the rows that are here, and a view's order. contract/view-query.ts makes a query of the same filter for
// rows that are not; both mean the same, which test/web/filters.test.ts holds.

import { type Group, isGroup, type Part, partsOf, type Sorting, type SortKey } from '../../../contract/views.ts';
import { propertyNamed } from '../../properties/properties.ts';
import type { TaskTest } from '../../properties/property.ts';
import { compareWords } from '../../strings/compare-words.ts';
import { compareRanks } from '../../sync/rows/rank.ts';
import type { TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';

/** `filter` is settled. Null where every task passes, so that nobody asks each of thousands. */
export function testOf(store: Reader, filter: Group): TaskTest | null {
  return partsOf(filter).length === 0 ? null : testPart(store, filter);
}

function testPart(store: Reader, part: Part): TaskTest {
  if (!isGroup(part)) return propertyNamed(part.property).test(store, part);
  const tests = partsOf(part).map((one) => testPart(store, one));
  return 'all' in part ? (task) => tests.every((test) => test(task)) : (task) => tests.some((test) => test(task));
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
  const { measure, ordersWords } = propertyNamed(by);
  const measureIn = measure(store);
  return (one, other) => {
    const [here, there] = [measureIn(one), measureIn(other)];
    if (here === there) return 0;
    // Without a value: last, either way round.
    if (here === null) return 1;
    if (there === null) return -1;
    const asWords = ordersWords && typeof here === 'string' && typeof there === 'string';
    const difference = asWords ? compareWords(here, there) : here < there ? -1 : 1;
    return turn * difference;
  };
}
