// Entries: the writes made here, in one list, oldest first. What is sent (sending.ts), saved on this device (saved-entries.ts), undone,
// redone and said in messages (journal.ts) are views of it; the store shows its rows with the diffs of open entries on top.

import type { Door } from '../door.ts';
import { type Diff, isChangedSince, type RowChange, type RowDiff, reverse, rowKey } from '../rows/diff.ts';
import { newId } from '../rows/ids.ts';
import { primaryKeys } from '../rows/rows.ts';
import type { Reader } from '../rows/store.ts';
import { tables } from '../tables.ts';

/** A write as it is meant. */
export interface Mutation {
  readonly name: string;
  /** Nothing but what JSON can hold. */
  readonly args: unknown;
  /** What the person did, in words: "Moved WEB-12 to Done". */
  readonly label: string;
  /** Milliseconds to wait before sending; undo within them. */
  readonly delay?: number;
  /** Not worth undoing (a reversal itself). */
  readonly silent?: boolean;
  /** Takes something out of sight, or shows nowhere: announced at once, with a way back. */
  readonly announced?: boolean;
  /** Sent, it reads what is there and writes into that: sent again, it overwrites nobody. */
  readonly merges?: boolean;
  /** What is shown until the server has answered. Empty where the rows it is about are not known here. */
  apply(store: Reader): Diff;
  /** What is sent twice arrives once: an answer may be lost, a page closed, and the same is then sent again. */
  send(door: Door): Promise<readonly RowChange[]>;
}

/** The mutation that was saved by its name; null where this version has none of that name, or takes other arguments. */
export type Restore = (name: string, args: unknown, label: string) => Mutation | null;

/** What the journal and what is saved on this device need to know of the commands there are. */
export interface Commands {
  /** Fetched only where something is saved: it has to know every command there is. */
  loadRestore(): Promise<Restore>;
  /** A mutation that does this to the rows: undo. */
  revert(diff: Diff, label: string): Mutation;
}

/** `delayed`: not sent before its time; `undone`: within that time. `conflict`: refused, since it would overwrite others. */
export type EntryState = 'delayed' | 'queued' | 'sent' | 'accepted' | 'refused' | 'conflict' | 'undone';

export interface Entry extends Mutation {
  /** Sorts as entries were made, and names its record on this device. */
  readonly id: string;
  state: EntryState;
  /** What it does to the rows: once accepted, as the server has it. */
  diff: Diff;
  /** The values that it replaces and sets, where others may write them too. */
  readonly baseline: Diff;
  /** It may have arrived before, or had to wait: it isn't sent where others have changed what it is based on. */
  checksConflicts: boolean;
  /** The id of the entry that it undoes, or redoes. */
  readonly undoes?: string;
  readonly redoes?: string;
}

/** The server has not answered yet. */
export const isOpen = ({ state }: Entry): boolean => state === 'delayed' || state === 'queued' || state === 'sent';

const failed: ReadonlySet<EntryState> = new Set(['refused', 'conflict']);

/** What can be undone, and what can be redone, latest last. */
export function historyOf(entries: readonly Entry[]): {
  readonly done: readonly Entry[];
  readonly undone: readonly Entry[];
} {
  const done: Entry[] = [];
  const undone: Entry[] = [];
  const take = (from: Entry[], id: string): Entry | undefined => {
    const at = from.findIndex((one) => one.id === id);
    return at < 0 ? undefined : from.splice(at, 1)[0];
  };
  for (const entry of entries) {
    const { state, undoes, redoes, delay, silent } = entry;
    if (undoes !== undefined) {
      const target = take(done, undoes);
      if (target && !failed.has(state)) undone.push(target);
    } else if (!silent) {
      if (redoes === undefined) undone.length = 0;
      else take(undone, redoes);
      // What was delayed and is sent can't be brought back by this device.
      const isFinal = delay !== undefined && state !== 'delayed' && state !== 'undone';
      if (!failed.has(state) && !isFinal) done.push(entry);
    }
  }
  return { done, undone };
}

/** What undoes it, without rows that others have changed since. */
export const inverseOf = ({ diff }: Entry, store: Reader): Diff =>
  reverse(diff.filter((one) => !isChangedSince(one, store.get(one.table, rowKey(one)))));

export const baselineOf = (mutation: Mutation, diff: Diff): Diff =>
  mutation.merges ? [] : diff.filter(isShared).map(withoutGuesses);

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

const typed: ReadonlySet<string> = new Set(['title', 'name', 'description', 'body', 'value']);

/** The words that it writes into columns which somebody types, or into these. */
export function wordsOf(diff: Diff, isTyped = (column: string): boolean => typed.has(column)): string {
  const words = diff.flatMap((one) =>
    one.kind === 'delete'
      ? []
      : Object.entries(one.kind === 'insert' ? one.row : one.after).flatMap(([column, value]): unknown[] =>
          isTyped(column) && (typeof value === 'string' || typeof value === 'number') ? [value] : [],
        ),
  );
  return [...new Set(words)].join('\n');
}

/** Ids that no other window has, and that sort as they were made, also by a clock that is set back. */
export function openIds(): () => string {
  const window = newId().slice(-6);
  let counter = 0;
  let latest = 0;
  return () => {
    counter++;
    latest = Math.max(latest, Date.now());
    return `${String(latest).padStart(15, '0')}.${String(counter).padStart(6, '0')}.${window}`;
  };
}

/** Some of a mutation's rows were refused; the others have arrived. */
export class PartRefusal extends Error {
  private readonly refused: ReadonlySet<string>;
  constructor(
    readonly reason: Error,
    /** Of each row that was refused, its table and key. */
    refused: readonly { readonly table: string; readonly key: string }[],
    /** What the server holds now of those that arrived. */
    readonly rows: readonly RowChange[],
  ) {
    super(reason.message);
    this.name = 'PartRefusal';
    this.refused = new Set(refused.map(({ table, key }) => `${table} ${key}`));
  }

  isAccepted(one: RowDiff): boolean {
    return !this.refused.has(`${one.table} ${rowKey(one)}`);
  }
}
