// Effects of mutations on the shown rows: laid over the store, replaced by the server's answer, or removed again. Also reverses those that
// still stand.

import type { Diff, RowDiff } from '../rows/diff.ts';
import { asServerHasIt, isOvertaken, reverse, rowKey } from '../rows/diff.ts';
import { primaryKeys } from '../rows/rows.ts';
import { keyOfChange, type RowChange, type Store } from '../rows/store.ts';
import { tables } from '../tables.ts';
import type { Mutation, PartRefusal } from './mutation.ts';

export interface Optimistic {
  /** How many rows it changes. */
  show(mutation: Mutation): number;
  /** How many rows it has changed. */
  size(mutation: Mutation): number;
  /** What it writes that somebody typed. */
  words(mutation: Mutation): string;
  /** As soon as the rows it is about are here. Returns how to stop waiting for them. */
  showWhenKnown(mutation: Mutation): () => void;
  /** What it puts into rows, and what stood there: what another person may have written over since. */
  writes(mutation: Mutation): Diff;
  keep(mutation: Mutation, rows: readonly RowChange[]): void;
  takeAway(mutation: Mutation): void;
  /** What arrived stays, and can be undone for itself. How many rows of all were refused. */
  keepPart(mutation: Mutation, part: PartRefusal): { readonly refused: number; readonly all: number };
  /** Nothing of what others have changed since. */
  inverse(mutation: Mutation): Diff;
}

const typed: ReadonlySet<string> = new Set(['title', 'name', 'description', 'body', 'value']);

function wordsOf(diff: Diff): string {
  const words = diff.flatMap((one) =>
    one.kind === 'delete'
      ? []
      : Object.entries(one.kind === 'insert' ? one.row : one.after).flatMap(([column, value]) =>
          typed.has(column) && typeof value === 'string' ? [value] : [],
        ),
  );
  return [...new Set(words)].join('\n');
}

/** A new row with an id of its own is nobody else's; moving to another project asks a procedure that compares by itself. */
function isShared(one: RowDiff): boolean {
  if (tables[one.table].isPersonal || one.kind === 'delete') return false;
  return one.kind === 'update' ? one.by !== 'project' : !primaryKeys[one.table].includes('id' as never);
}

/** Columns that are a guess are no sign of anyone's change. */
function withoutGuesses(one: RowDiff): RowDiff {
  if (one.kind !== 'update' || one.guessed === undefined) return one;
  const meant = (columns: object): object =>
    Object.fromEntries(Object.entries(columns).filter(([column]) => !one.guessed?.includes(column)));
  return { ...one, before: meant(one.before), after: meant(one.after) } as RowDiff;
}

export function openOptimistic(store: Store): Optimistic {
  /** Once it was answered, as the server has it. */
  const diffs = new WeakMap<Mutation, Diff>();
  const diffOf = (mutation: Mutation): Diff => diffs.get(mutation) ?? [];

  function show(mutation: Mutation): number {
    const diff = mutation.apply(store);
    diffs.set(mutation, diff);
    store.apply(diff);
    return diff.length;
  }

  function keep(mutation: Mutation, diff: Diff, rows: readonly RowChange[]): void {
    const answered = new Map(rows.map((change) => [`${change.table} ${keyOfChange(change)}`, change]));
    store.settle(diff, 'kept', rows);
    const kept = asServerHasIt(diff, (one) => {
      // As the response says: the row itself may have been changed by someone else since.
      const own = answered.get(`${one.table} ${rowKey(one)}`);
      const row = store.base(one.table, rowKey(one));
      return own !== undefined && 'row' in own ? { ...row, ...own.row } : row;
    });
    diffs.set(mutation, kept);
  }

  return {
    show,
    size: (mutation) => diffOf(mutation).length,
    words: (mutation) => wordsOf(diffOf(mutation)),
    showWhenKnown(mutation) {
      let stop = (): void => undefined;
      let shown = false;
      const look = (): void => {
        if (shown) return;
        // Showing it tells the store's listeners, of whom this is one.
        shown = true;
        shown = show(mutation) > 0;
        if (shown) stop();
      };
      stop = store.subscribe(look);
      look();
      return () => stop();
    },
    writes: (mutation) => diffOf(mutation).filter(isShared).map(withoutGuesses),
    keep: (mutation, rows) => keep(mutation, diffOf(mutation), rows),
    takeAway: (mutation) => store.settle(diffOf(mutation), 'refused'),
    keepPart(mutation, part) {
      const all = diffOf(mutation);
      const names = new Set(part.refused.map(({ table, key }) => `${table} ${key}`));
      const isRefused = (one: RowDiff): boolean => names.has(`${one.table} ${rowKey(one)}`);
      const refused = all.filter(isRefused);
      const arrived = all.filter((one) => !isRefused(one));
      store.batch(() => {
        store.settle(refused, 'refused');
        keep(mutation, arrived, part.rows);
      });
      return { refused: refused.length, all: all.length };
    },
    inverse: (mutation) =>
      reverse(diffOf(mutation).filter((one) => !isOvertaken(one, store.get(one.table, rowKey(one))))),
  };
}
