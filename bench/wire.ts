// Three ways to Postgres for the same requests, in one run and by turns: our own client (server/database/wire), a query
// object of our own on `pg` with one Sync, and `postgres` with everything pipelined. Each runs the caller's settings and
// the statement of a request as one transaction, at the level of `runAs`. Decision 0016 says what came of it.

import { readFileSync } from 'node:fs';
import pg from 'pg';
import { pino } from 'pino';
import postgres from 'postgres';
import { readConfig } from '../server/config/read-config.ts';
import { connectionOptions } from '../server/database/connection-options.ts';
import { openDatabase } from '../server/database/open-database.ts';
import type { Statement, Value } from '../server/database/types.ts';
import { type Case, cases } from './cases.ts';
import { openStage, type Stage } from './stage.ts';
import { asText, rawRequest, readStageCatalog, taskId, writePair, writeStatement } from './statements.ts';

const WORKERS = 16;
/** Short turns and many of them, so that a passing load on the machine meets all ways alike. */
const SECONDS = 1.5;
const ROUNDS = process.argv.includes('--quick') ? 1 : 12;
const NAMES = ['one task by id', 'a list of 200 tasks', 'upsert 100 tasks'];

type Row = ReadonlyArray<Buffer | null>;

interface Request {
  readonly settings: Statement;
  readonly query: Statement;
  readonly readOnly: boolean;
  readonly further: readonly (readonly [string, string])[];
}

interface Reply {
  readonly rows: readonly Row[];
  /** As the data door says it once an answer has been sent. */
  readonly release?: () => void;
}

interface Way {
  readonly name: string;
  run(request: Request): Promise<Reply>;
  close(): Promise<void>;
}

interface Turn {
  readonly perSecond: number;
  readonly p99: number;
  /** Processor time of this process for one request, and of Postgres, in microseconds. */
  readonly ours: number;
  readonly theirs: number;
}

export async function benchWire(say: (line: string) => void): Promise<void> {
  const stage = await openStage(say, { server: false });
  try {
    await compare(stage, say);
  } finally {
    await stage.close();
  }
}

async function compare(stage: Stage, say: (line: string) => void): Promise<void> {
  const ways: Way[] = [];
  try {
    ways.push(await openOwn(stage), await openPg(stage, 4), await openPg(stage, 10));
    ways.push(await openPostgresJs(stage, 4), await openPostgresJs(stage, 10));
    const catalog = await readStageCatalog(stage);
    for (const one of cases(taskId).filter(({ name }) => NAMES.includes(name))) {
      const requests = Array.from({ length: 500 }, (_, index) => {
        const raw = withHoles(one, stage, index);
        const { readOnly, settings: further } = writeStatement(raw, catalog);
        const [settings, query] = writePair(raw, catalog, stage);
        return { settings, query, readOnly, further };
      });
      for (const way of ways) await checkAnswer(way, requests[0] as Request);
      for (const way of ways) await takeTurn(way, requests, Math.min(2, SECONDS));
      await noteBackends(stage.databaseUrl);
      const turns = new Map<Way, Turn[]>(ways.map((way) => [way, []]));
      for (let round = 0; round < ROUNDS; round += 1)
        for (const way of ways) turns.get(way)?.push(await takeTurn(way, requests, SECONDS));
      say(`\n${one.name}`);
      const own = turns.get(ways[0] as Way) ?? [];
      for (const [way, taken] of turns) say(describe(way.name, taken, own));
    }
  } finally {
    for (const way of ways) await way.close();
  }
}

function withHoles(one: Case, stage: Stage, index: number): ReturnType<typeof rawRequest> {
  const id = taskId(one.project, 1 + ((index * 7919) % one.tasks));
  const body = one.bodies?.[index % one.bodies.length] ?? '';
  return rawRequest({ ...one, path: one.path.replace('{id}', id) }, stage, body);
}

/** All ways must answer the same, or the comparison says nothing. */
async function checkAnswer(way: Way, request: Request): Promise<void> {
  const [row] = (await way.run(request)).rows;
  if (row === undefined || row.length < 4 || !Buffer.isBuffer(row[0])) throw new Error(`${way.name} answered no row`);
  if (request.readOnly && row[0].toString() === '0') throw new Error(`${way.name} answered no rows`);
}

async function takeTurn(way: Way, requests: readonly Request[], seconds: number): Promise<Turn> {
  const latencies: number[] = [];
  const before = process.cpuUsage();
  const postgresBefore = postgresTicks();
  const began = performance.now();
  const end = began + seconds * 1000;
  let next = 0;
  const worker = async (): Promise<void> => {
    for (;;) {
      const started = performance.now();
      if (started > end) return;
      const { release } = await way.run(requests[next++ % requests.length] as Request);
      release?.();
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  const elapsed = (performance.now() - began) / 1000;
  const used = process.cpuUsage(before);
  const count = latencies.length;
  latencies.sort((a, b) => a - b);
  return {
    perSecond: count / elapsed,
    p99: latencies[Math.floor(count * 0.99)] ?? 0,
    ours: (used.user + used.system) / count,
    theirs: ((postgresTicks() - postgresBefore) * 10_000) / count,
  };
}

/** Processor time of all backends that are open, in ticks of 10 ms (Linux). */
let backends: readonly number[] = [];
function postgresTicks(): number {
  return backends.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return sum + Number(fields[11]) + Number(fields[12]);
  }, 0);
}

async function noteBackends(url: string): Promise<void> {
  const client = new pg.Client(connectionOptions(url));
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  );
  backends = rows.map(({ pid }) => pid);
  await client.end();
}

function describe(name: string, turns: readonly Turn[], own: readonly Turn[]): string {
  const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
  const of = (read: (turn: Turn) => number): number => median(turns.map(read));
  // Turns of one round stand side by side: their ratio says more than two medians.
  const ratio = (read: (turn: Turn) => number): string =>
    median(turns.map((turn, index) => read(turn) / read(own[index] ?? turn))).toFixed(2);
  return [
    `${name.padEnd(28)} ${of((turn) => turn.perSecond)
      .toFixed(0)
      .padStart(6)} a second (${ratio((turn) => turn.perSecond)} of ours)`,
    `p99 ${of((turn) => turn.p99).toFixed(1)} ms (${ratio((turn) => turn.p99)})`,
    `this process ${of((turn) => turn.ours).toFixed(0)} µs each (${ratio((turn) => turn.ours)})`,
    `Postgres ${of((turn) => turn.theirs).toFixed(0)} µs each (${ratio((turn) => turn.theirs)})`,
  ].join(', ');
}

async function openOwn(stage: Stage): Promise<Way> {
  const { config } = readConfig({ env: { DATABASE_URL: stage.databaseUrl } });
  const database = await openDatabase({
    url: stage.databaseUrl,
    config: config.database,
    log: pino({ level: 'silent' }),
  });
  const caller = { role: 'authenticated', claims: stage.claims };
  return {
    name: 'server/database/wire',
    run: ({ query, readOnly, further }) => database.runAs(caller, query, { readOnly, settings: further }),
    close: () => database.close(),
  };
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
  bind(what: { portal: string; statement: string; values: readonly Value[] }): void;
  execute(what: object): void;
  sync(): void;
}

/** Settings and statement in one write with one Sync; the rows of the second are kept, as bytes. */
class Pair {
  readonly #rows: Row[] = [];
  #completed = 0;
  #error: Error | null = null;

  constructor(
    readonly request: Request,
    readonly names: (text: string) => string,
    readonly resolve: (reply: Reply) => void,
    readonly reject: (error: Error) => void,
  ) {}

  submit(connection: PgConnection): null {
    connection.stream.cork();
    for (const { text, values } of [this.request.settings, this.request.query]) {
      const name = this.names(text);
      if (connection.parsedStatements[name] === undefined) {
        connection.parse({ name, text });
        connection.parsedStatements[name] = text;
      }
      connection.bind({ portal: '', statement: name, values });
      connection.execute({});
    }
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#completed === 1) this.#rows.push(fields.map((cell) => (cell === null ? null : Buffer.from(cell))));
  }

  handleCommandComplete(): void {
    this.#completed += 1;
  }

  handleError(error: Error): void {
    this.#error ??= error;
    this.reject(this.#error);
  }

  handleReadyForQuery(): void {
    this.resolve({ rows: this.#rows });
  }

  handleRowDescription(): void {}
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

async function openPg(stage: Stage, size: number): Promise<Way> {
  const clients = Array.from({ length: size }, () => new pg.Client(connectionOptions(stage.databaseUrl)));
  for (const client of clients) await client.connect();
  const lend = lending(clients);
  const names = namer();
  return {
    name: `pg, ${size} connections`,
    run: (request) =>
      lend(
        (client) =>
          new Promise<Reply>((resolve, reject) => {
            client.query(new Pair(request, names, resolve, reject) as unknown as pg.Submittable);
          }),
      ),
    close: async () => {
      for (const client of clients) await client.end();
    },
  };
}

/** It has no way to send two statements under one Sync, so a transaction is begun and ended in the same write. */
async function openPostgresJs(stage: Stage, size: number): Promise<Way> {
  const options = connectionOptions(stage.databaseUrl);
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
  return {
    name: `postgres, ${size} connections`,
    run: ({ settings, query }) =>
      lend(async (one) => {
        const [, , rows] = await Promise.all([
          one.unsafe('begin').execute(),
          one.unsafe(settings.text, settings.values.map(asText), prepared).execute(),
          one.unsafe(query.text, query.values.map(asText), prepared).raw().execute(),
          one.unsafe('commit').execute(),
        ]);
        return { rows: rows as unknown as readonly Row[] };
      }),
    close: async () => {
      for (const connection of connections) connection.release();
      await sql.end();
    },
  };
}
