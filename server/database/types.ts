// Types of the database room: caller, statement and result. No connection here; `open-database.ts` makes the `Database`.

import type { Target } from './wire/target.ts';

/** Who a statement runs as. `claims` is the token's claims as JSON text, readable in SQL as `request.jwt.claims`. */
export interface Caller {
  readonly role: string;
  readonly claims: string;
  /** The key of a person that was sent. */
  readonly keyId?: string;
  /** Runs first in each transaction, with the caller's claims; what it sets of them counts. */
  readonly entering?: Readonly<Record<'toRead' | 'toWrite' | 'toPropose' | 'toStore', Statement>>;
  /** Asked at the end of each transaction: where its one value is true, `note` is run by the service before the answer is given. */
  readonly leaving?: Readonly<Record<'ask' | 'note', Statement>>;
  /** Runs first in each transaction that may write. */
  readonly beforeWrites?: Statement;
}

/** A bound value, in Postgres text format; a Buffer goes in binary format (bytea, for instance). */
export type Value = string | Buffer | null;

/** One SQL statement. Text must depend on the request's shape only: it is the key of the prepared-statement cache. */
export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
}

export type Isolation = 'repeatable read' | 'serializable';

/** Takes note of what slow statements of a person took, and turns away who has used too much (server/limits/budget.ts). */
export interface Meter {
  charge(person: string, milliseconds: number): void;
  admit(person: string): void;
}

export interface RunOptions {
  /** Enforced by Postgres (`transaction_read_only`). */
  readonly readOnly?: boolean;
  /** Further transaction-local settings, e.g. `request.method`. Values are bound, names must be constants. */
  readonly settings?: ReadonlyArray<readonly [name: string, value: string]>;
  /** Runs before the statement in the same implicit transaction and round trip (a pre-request function, say). */
  readonly before?: readonly Statement[];
  /** Takes what the statements of `before` gave, as soon as they are done; costs a round trip of its own. */
  readonly onBefore?: (results: readonly Result[]) => void;
  /** Everything is rolled back at the end, results are still returned (`Prefer: tx=rollback`). */
  readonly rollback?: boolean;
  /** Instead of Postgres' default, read committed. */
  readonly isolation?: Isolation;
  /** Cancels the statement in Postgres when aborted. */
  readonly signal?: AbortSignal;
  /** A read that a replica may answer, where there is one: it shows all that was acknowledged before the call. */
  readonly replica?: boolean;
  /** It calls a function, which may leave settings behind: nothing else shares its transaction. */
  readonly alone?: boolean;
  /** The first that a request asks. Where more is asked than can be done it is turned away early; what follows it is let in. */
  readonly begins?: boolean;
  /** Whose budget pays for it, where that is not the caller: the address of someone who is not signed in. */
  readonly payer?: string;
  /** Overrides the statement timeout of the caller's role. */
  readonly timeoutMs?: number;
}

export interface Field {
  readonly name: string;
  readonly type: number;
}

/** Rows as the bytes Postgres sent (text format), untouched: `null` or a Buffer for each column. */
export interface Result {
  readonly fields: readonly Field[];
  readonly rows: ReadonlyArray<ReadonlyArray<Buffer | null>>;
  /** From the command tag: rows returned, inserted, updated or deleted. */
  readonly affected: number;
  /**
   * Says that nobody will look at the rows' bytes any more, so that their memory serves the next answer. There only
   * when the rows are large; not calling it loses nothing.
   */
  readonly release?: () => void;
  /** A replica gave it. */
  readonly fromReplica?: true;
}

export interface Transaction {
  run(statement: Statement): Promise<Result>;
  /** The rows as objects, decoded by type: bool, int, float, json, timestamps as ISO strings, the rest as text. */
  objects<T = Record<string, unknown>>(statement: Statement): Promise<T[]>;
}

export interface PoolStats {
  readonly connections: number;
  readonly idle: number;
  readonly waiting: number;
  /** Writes find no room on the database's disk, or did a moment ago. */
  readonly full: boolean;
}

export interface ReplicaStats {
  readonly answers: boolean;
  /** What it had still to play back when it was looked at last. */
  readonly lagBytes: number;
  /** Reads that it answered, and that the primary answered in its place. */
  readonly replica: number;
  readonly primary: number;
}

export interface Database {
  /**
   * One statement, one round trip, one implicit transaction, as that caller. Repeated unseen when nothing of it was kept:
   * once when its plan went stale, twice when it named what was dropped, up to three times, after growing pauses, when it lost a deadlock or a serialization.
   */
  runAs(caller: Caller, statement: Statement, options?: RunOptions): Promise<Result>;
  /** Same, decoded as in `Transaction.objects`. */
  objectsAs<T = Record<string, unknown>>(caller: Caller, statement: Statement, options?: RunOptions): Promise<T[]>;
  /** Several statements in one transaction; committed when `work` resolves, rolled back when it throws. */
  transactAs<T>(caller: Caller, work: (tx: Transaction) => Promise<T>, options?: RunOptions): Promise<T>;
  /**
   * Rows handed over as they arrive, with backpressure; memory stays bounded. Each `onRow` is awaited before the next.
   * With `onPage` rows are handed over in place instead: `onRow` must be done when it returns, its buffers hold only
   * until then, and `onPage` is awaited before more rows are asked for.
   */
  streamAs(
    caller: Caller,
    statement: Statement,
    onRow: (row: ReadonlyArray<Buffer | null>) => void | Promise<void>,
    options?: RunOptions,
    onPage?: () => void | Promise<void>,
  ): Promise<{ fields: readonly Field[]; affected: number }>;
  /** Follows a NOTIFY channel on the direct connection; survives reconnects. `onReconnect` fires after a gap. */
  listen(channel: string, onMessage: (payload: string) => void, onReconnect?: () => void): Promise<() => Promise<void>>;
  /** Where the pool logs in, and where one gets past any pooler: for connections of one's own. */
  readonly targets: { readonly pool: Target; readonly direct: Target };
  /** The version as an integer, 180004 for 18.4. */
  readonly serverVersion: number;
  /** The schema has changed: what was planned before is planned anew. What is under way is not troubled, and nothing waits. */
  flushPlans(): void;
  /** For `/ready` and `/metrics`. */
  ping(): Promise<void>;
  stats(): PoolStats;
  /** Null where there is none. */
  replica(): ReplicaStats | null;
  close(): Promise<void>;
}

/** Asks it and no more: what work that runs apart from the server is given. */
export type StatementRunner = Pick<Database, 'runAs' | 'objectsAs' | 'transactAs'>;

/**
 * A Postgres error as it came over the wire, thrown by the calls above. Each door translates it to its dialect.
 * (`CatalogError` with code KB503 is thrown instead when there is no connection, or the queue is full.)
 */
export class PostgresError extends Error {
  constructor(
    readonly sqlstate: string,
    message: string,
    readonly detail: string | null,
    readonly hint: string | null,
    /** Further wire fields: schema, table, column, constraint, where, position, routine. */
    readonly fields: Readonly<Record<string, string>> = {},
    /** Postgres refused the caller's settings, such as their role, and no statement of theirs was run. */
    readonly ofCaller = false,
  ) {
    super(message);
    this.name = 'PostgresError';
  }
}
