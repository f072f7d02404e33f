// A write as it is meant: a name and arguments, which is what is kept; what it does to the rows here; how it is sent.

import type { Door } from '../door.ts';
import { type Diff, type RowDiff, rowKey } from '../rows/diff.ts';
import type { Reader, RowChange } from '../rows/store.ts';

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

/** The mutation that was kept by its name; null where this version has none of that name, or takes other arguments. */
export type Revive = (name: string, args: unknown, label: string) => Mutation | null;

/** What the journal and what is kept on this device need to know of the commands there are. */
export interface Commands {
  /** Fetched only where something is kept: it has to know every command there is. */
  loadRevive(): Promise<Revive>;
  /** A mutation that does this to the rows: undo. */
  revert(diff: Diff, label: string): Mutation;
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
