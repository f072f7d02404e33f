// Two other ways to Postgres, for comparison with server/database/wire: a query object of one's own on `pg` with one Sync, and `postgres` with
// everything in one write. Each runs the caller's settings and one statement as one transaction, and gives the rows as bytes.

import pg from 'pg';
import postgres from 'postgres';
import { connectionOptions } from '../server/database/connection-options.ts';
import { type Field, PostgresError, type Result, type Statement, type Value } from '../server/database/types.ts';
import { asText } from './statements.ts';

export interface OtherClient {
  run(settings: Statement, query: Statement): Promise<Result>;
  close(): Promise<void>;
}

/** Gives each request a connection of its own while it runs, the first that is free. */
function lending<Connection>(
  connections: readonly Connection[],
): <T>(work: (one: Connection) => Promise<T>) => Promise<T> {
  const free = [...connections];
  const waiting: ((one: Connection) => void)[] = [];
  return async (work) => {
    const one = free.pop() ?? (await new Promise<Connection>((resolve) => waiting.push(resolve)));
    try {
      return await work(one);
    } finally {
      const next = waiting.shift();
      if (next === undefined) free.push(one);
      else next(one);
    }
  };
}

/** What `pg` hands a query object of one's own; its types leave this out. */
interface PgConnection {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string>;
  parse(what: { name: string; text: string }): void;
  describe(what: { type: 'S'; name: string }): void;
  bind(what: { portal: string; statement: string; values: readonly Value[] }): void;
  execute(what: object): void;
  sync(): void;
}

/** The columns of a statement by its name; the same on every connection. */
type Columns = Map<string, readonly Field[]>;

/** Settings and statement in one write with one Sync; the rows of the second are kept, as bytes. */
class Pair {
  readonly #rows: (readonly (Buffer | null)[])[] = [];
  readonly #described: string[] = [];
  #completed = 0;
  #affected = 0;
  #error: Error | null = null;

  constructor(
    readonly settings: Statement,
    readonly query: Statement,
    readonly nameOf: (text: string) => string,
    readonly columns: Columns,
    readonly resolve: (result: Result) => void,
    readonly reject: (error: Error) => void,
  ) {}

  submit(connection: PgConnection): null {
    connection.stream.cork();
    for (const { text, values } of [this.settings, this.query]) {
      const name = this.nameOf(text);
      if (connection.parsedStatements[name] === undefined) {
        connection.parse({ name, text });
        connection.describe({ type: 'S', name });
        this.#described.push(name);
        connection.parsedStatements[name] = text;
      }
      connection.bind({ portal: '', statement: name, values });
      connection.execute({});
    }
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.columns.set(
      this.#described.shift() ?? '',
      fields.map(({ name, dataTypeID: type }) => ({ name, type })),
    );
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#completed === 1) this.#rows.push(fields.map((cell) => (cell === null ? null : Buffer.from(cell))));
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#completed += 1;
    this.#affected = Number(text.slice(text.lastIndexOf(' ') + 1));
  }

  handleError(error: Error): void {
    this.#error ??= error;
  }

  handleReadyForQuery(): void {
    const fields = this.columns.get(this.nameOf(this.query.text)) ?? [];
    if (this.#error !== null) this.reject(translated(this.#error));
    else this.resolve({ fields, rows: this.#rows, affected: this.#affected });
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}

function namer(): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const name = `k${names.size}`;
    names.set(text, name);
    return name;
  };
}

export async function openPg(url: string, size: number): Promise<OtherClient> {
  const clients = Array.from({ length: size }, () => new pg.Client(connectionOptions(url)));
  for (const client of clients) await client.connect();
  const lend = lending(clients);
  const [names, columns]: [(text: string) => string, Columns] = [namer(), new Map()];
  return {
    run: (settings, query) =>
      lend(
        (client) =>
          new Promise<Result>((resolve, reject) => {
            const pair = new Pair(settings, query, names, columns, resolve, reject);
            client.query(pair as unknown as pg.Submittable);
          }),
      ),
    close: async () => {
      for (const client of clients) await client.end();
    },
  };
}

/** It has no way to send two statements under one Sync, so a transaction is begun and ended in the same write. */
export async function openPostgresJs(url: string, size: number): Promise<OtherClient> {
  const options = connectionOptions(url);
  const sql = postgres({
    host: options.host ?? 'localhost',
    port: Number(options.port ?? 5432),
    database: options.database ?? '',
    username: options.user ?? '',
    ...(typeof options.password === 'string' && { password: options.password }),
    max: size,
    fetch_types: false,
    onnotice: () => undefined,
    // JSON that is text already stays as it is.
    types: { json: { to: 114, from: [114], serialize: (text: string) => text, parse: (text: string) => text } },
  });
  // All are opened first: it does not reserve connections that are not open yet.
  await Promise.all(Array.from({ length: size }, () => sql`select pg_sleep(0.2)`));
  const connections = await Promise.all(Array.from({ length: size }, () => sql.reserve()));
  const lend = lending(connections);
  const prepared = { prepare: true } as const;
  const run = (settings: Statement, query: Statement): Promise<Result> =>
    lend(async (one) => {
      const [, , rows] = await Promise.all([
        one.unsafe('begin').execute(),
        one.unsafe(settings.text, settings.values.map(asText), prepared).execute(),
        one.unsafe(query.text, query.values.map(asText), prepared).raw().execute(),
        one.unsafe('commit').execute(),
      ]).catch((error: Error) => {
        throw translated(error);
      });
      return {
        fields: rows.columns.map(({ name, type }) => ({ name, type })),
        rows: rows as unknown as Result['rows'],
        affected: rows.count,
      };
    });
  return {
    run,
    close: async () => {
      for (const connection of connections) connection.release();
      await sql.end();
    },
  };
}

function translated(error: Error): Error {
  const { code = '', message, detail = null, hint = null } = error as Error & Record<string, string | undefined>;
  return code === '' ? error : new PostgresError(code, message, detail ?? null, hint ?? null);
}
