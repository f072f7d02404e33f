// One committed change of one row, whichever source it came from, and what a source promises.

/** By column, in Postgres' text format; undefined (or not there) where the source does not know. */
export type Values = Readonly<Record<string, string | null | undefined>>;

export type ChangeKind = 'INSERT' | 'UPDATE' | 'DELETE';

export interface Change {
  /** The table's oid. */
  readonly relation: number;
  readonly kind: ChangeKind;
  readonly old: Values | null;
  readonly new: Values | null;
  /** The writing transaction, its lower 32 bits. */
  readonly xid: number;
  /** When it was committed, in milliseconds. */
  readonly committedAt: number;
}

export interface SourceEvents {
  /** In commit order. Resolves when they have been dealt with; further ones may come before. */
  onChanges(changes: readonly Change[]): Promise<void>;
  /** Something about this table may not be as it was: columns, grants, policies. */
  onTableChanged(relation: number): void;
  /** Changes are followed from here on. */
  onReady(): void;
  /** Some may have been missed from here until `onReady`. */
  onGap(): void;
}

/** A moment at which somebody looked at the database. */
export interface Moment {
  /** By our clock, in milliseconds: after the look. */
  readonly at: number;
  /** Where Postgres' log ended: all that was visible stands before it. */
  readonly position: bigint;
}

/** A place in Postgres' log, from `pg_lsn` as text: `16/B374D848`. */
export function readPosition(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export interface ChangeSource {
  readonly kind: 'log' | 'triggers';
  /** Whether all that was visible at this moment has been dealt with. When not, the source sees to it that it will be. */
  isPast(moment: Moment): boolean;
  /** Tables may have been made or published. */
  onSchemaChanged(): void;
  /** Bytes of WAL not dealt with. */
  lag(): number;
  close(): Promise<void>;
}
