// Three ways to Postgres for the same requests, in one run and by turns: our own client (server/database/wire), a query
// object of our own on `pg` with one Sync, and `postgres` with everything pipelined. Each runs the caller's settings and
// the statement of a request as one transaction, at the level of `runAs`. docs/why/database.md#our-own-wire-client says what came of it; wire-door.ts measures the whole door with each.

import { readFileSync } from 'node:fs';
import pg from 'pg';
import { pino } from 'pino';
import { readConfig } from '../server/config/read-config.ts';
import { connectionOptions } from '../server/database/connection-options.ts';
import { openDatabase } from '../server/database/open-database.ts';
import type { Statement } from '../server/database/types.ts';
import { type Case, cases } from './cases.ts';
import { openStage, type Stage } from './stage.ts';
import { rawRequest, readStageCatalog, taskId, writePair, writeStatement } from './statements.ts';
import { type OtherClient, openPg, openPostgresJs } from './wire-clients.ts';

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
    ways.push(await openOwn(stage));
    for (const size of [4, 10]) ways.push(await openOther(`pg, ${size} connections`, openPg(stage.databaseUrl, size)));
    for (const size of [4, 10])
      ways.push(await openOther(`postgres, ${size} connections`, openPostgresJs(stage.databaseUrl, size)));
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

async function openOther(name: string, opening: Promise<OtherClient>): Promise<Way> {
  const { run, close } = await opening;
  return { name, run: ({ settings, query }) => run(settings, query), close };
}
