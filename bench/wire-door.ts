// `npm run bench -- --wire-door`: the whole data door (HTTP, who asks, parse, plan, run, answer) with three clients of Postgres in turn: ours, `pg`
// with a query object of one's own, and `postgres`. Requests a second, p99 and processor time for each of three requests, into the terminal;
// docs/why/database.md#our-own-wire-client says what came of it. `--only=N` takes the Nth request alone, so that a short quiet hour is enough.

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { connectionOptions } from '../server/database/connection-options.ts';
import { type Case, cases } from './cases.ts';
import { measureHttp } from './measure-http.ts';
import { openStage, type Stage } from './stage.ts';
import { taskId } from './statements.ts';

const clients = ['wire', 'pg 4', 'pg 10', 'postgres 4', 'postgres 10'];
const names = ['one task by id', 'a list of 200 tasks', 'upsert 100 tasks'];
const connections = 16;
const seconds = 2;
const rounds = process.argv.includes('--quick') ? 1 : 7;

interface Way {
  readonly name: string;
  readonly stage: Stage;
  readonly process: ChildProcess;
  readonly turns: Turn[];
}

interface Turn {
  readonly perSecond: number;
  readonly p99: number;
  /** Processor time for a request, in microseconds. */
  readonly ours: number;
  readonly theirs: number;
}

export async function benchWireDoor(say: (line: string) => void): Promise<void> {
  const stage = await openStage(say, { server: false });
  try {
    await compareDoors(stage, say);
  } finally {
    await stage.close();
  }
}

export async function compareDoors(stage: Stage, say: (line: string) => void): Promise<void> {
  const only = Number(/^--only=(\d)$/m.exec(process.argv.join('\n'))?.[1] ?? 0);
  const ways: Way[] = [];
  try {
    for (const name of clients) ways.push(await openWay(name, stage));
    const chosen = cases(taskId).filter((one) => names.includes(one.name));
    for (const [at, one] of chosen.entries()) if (only === 0 || only === at + 1) await compare(one, ways, stage, say);
  } finally {
    for (const way of ways) await ended(way.process);
  }
}

async function compare(one: Case, ways: readonly Way[], stage: Stage, say: (line: string) => void): Promise<void> {
  const answers = await Promise.all(ways.map((way) => answerOf(one, way.stage)));
  if (new Set(answers).size > 1) throw new Error(`${one.name}: not all answer the same`);
  for (const way of ways) {
    way.turns.length = 0;
    measureHttp(one, way.stage, 1, connections);
  }
  const backends = await backendsOf(stage.databaseUrl);
  for (let round = 0; round < rounds; round++)
    // Another one begins each time: whoever comes after a hard turn of others is not always the same.
    for (let at = 0; at < ways.length; at++) {
      const way = ways[(at + round) % ways.length] as Way;
      const before = ticks(backends);
      const { perSecond, p99, serverMicros: ours = 0 } = measureHttp(one, way.stage, seconds, connections);
      way.turns.push({ perSecond, p99, ours, theirs: ((ticks(backends) - before) * 10_000) / (perSecond * seconds) });
    }
  say(`\n${one.name}`);
  for (const way of ways) say(describe(way, ways[0] as Way));
}

async function openWay(name: string, stage: Stage): Promise<Way> {
  const child = spawn(process.execPath, [await built()], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      BENCH_CLIENT: name,
      DATABASE_URL: stage.databaseUrl,
      DATABASE_DIRECT_URL: stage.ownerUrl,
      JWT_SECRET: stage.secret,
      DATA_DIR: stage.directory,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    cwd: process.cwd(),
  });
  const port = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const found = /Address (\d+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('close', (code) => reject(new Error(`The server on ${name} ended with ${code}: ${output}`)));
  });
  return { name, process: child, turns: [], stage: { ...stage, url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 } };
}

/** The program of `wire-door-server.ts`; built once. */
async function built(): Promise<string> {
  const path = join(process.cwd(), 'scripts', 'run-ts.mjs');
  const { buildTypeScript } = (await import(path)) as { buildTypeScript: (file: string) => Promise<string> };
  program ??= buildTypeScript('bench/wire-door-server.ts');
  return program;
}
let program: Promise<string> | null = null;

/** All must answer the same, or the comparison says nothing. */
async function answerOf(one: Case, stage: Stage): Promise<string> {
  const body = one.bodies?.[0];
  const response = await fetch(`${stage.url}/rest/v1${one.path.replace('{id}', taskId(one.project, 1))}`, {
    method: one.method,
    headers: {
      apikey: stage.anonKey,
      authorization: `Bearer ${stage.token}`,
      ...(one.prefer === undefined ? {} : { prefer: one.prefer }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return `${response.status} ${response.headers.get('content-range')} ${await response.text()}`;
}

async function backendsOf(url: string): Promise<readonly number[]> {
  const client = new pg.Client(connectionOptions(url));
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
  );
  await client.end();
  return rows.map(({ pid }) => pid);
}

/** Processor time of these in hundredths of a second (Linux). */
function ticks(backends: readonly number[]): number {
  return backends.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return sum + Number(fields[11]) + Number(fields[12]);
  }, 0);
}

function describe({ name, turns }: Way, own: Way): string {
  const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
  const of = (read: (turn: Turn) => number): number => median(turns.map(read));
  // Turns of one round stand side by side: their ratio says more than two medians.
  const ratio = (read: (turn: Turn) => number): string =>
    median(turns.map((turn, round) => read(turn) / read(own.turns[round] ?? turn))).toFixed(2);
  return [
    `${name.padEnd(12)} ${of((turn) => turn.perSecond)
      .toFixed(0)
      .padStart(6)} a second (${ratio((turn) => turn.perSecond)} of ours)`,
    `p99 ${of((turn) => turn.p99).toFixed(1)} ms (${ratio((turn) => turn.p99)})`,
    `server ${of((turn) => turn.ours).toFixed(0)} µs (${ratio((turn) => turn.ours)})`,
    `Postgres ${of((turn) => turn.theirs).toFixed(0)} µs (${ratio((turn) => turn.theirs)})`,
    `both (${ratio((turn) => turn.ours + turn.theirs)})`,
  ].join(', ');
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const end = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  await end;
}
