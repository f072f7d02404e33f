// Requests made to hurt, from this process against a running server: what they cost in memory of Postgres and of the
// server, what others feel of them, and what the clock tells a stranger. Into its part of docs/performance.md; `--dry` prints alone. What is
// not as promised is said, and ends with 1.

import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { connectionOptions } from '../server/database/connection-options.ts';
import { projectId } from './cases.ts';
import { conditions } from './conditions.ts';
import { openStage, type Stage } from './stage.ts';
import { taskId } from './statements.ts';
import { type Apart, tellApart } from './tell-apart.ts';
import { writeFigures } from './write-figures.ts';

type Say = (line: string) => void;

interface Line {
  readonly what: string;
  readonly outcome: string;
  readonly peak: Peak;
  /** Whether it came as promised, memory aside. */
  readonly kept: boolean;
}

/** Whatever one asks, Postgres and the server each stay below so many megabytes; others have 95 of 100 answers within so many milliseconds. */
const mostMegabytes = 512;
const longestForOthers = 50;
type Note = (line: Line) => void;

interface Peak {
  readonly postgres: number;
  readonly server: number;
}

export async function benchHostile(say: Say): Promise<void> {
  const stage = await openStage(say);
  try {
    await ask(stage, `/tasks?id=eq.${taskId(4, 1)}`);
    const idle = readPeak(stage);
    const lines: Line[] = [];
    const note: Note = (line) => {
      lines.push(line);
      say(
        `${line.what}: ${line.outcome}; at most Postgres ${inMegabytes(line.peak.postgres)}, server ${inMegabytes(line.peak.server)}`,
      );
      if (line.kept && Math.max(line.peak.postgres, line.peak.server) <= mostMegabytes * 1024) return;
      say('   ← NOT AS PROMISED');
      process.exitCode = 1;
    };
    note({ what: 'at rest', outcome: '', peak: idle, kept: true });
    await floodStatements(stage, note);
    await multiplyRows(stage, note);
    await sendHalves(stage, note);
    await crowdOut(stage, note);
    const apart = await tellApart(stage, say);
    if (!process.argv.includes('--dry')) writeFigures('performance.md', report(lines, apart), 'requests made to hurt');
  } finally {
    await stage.close();
  }
}

/** 2,048 requests as fast as they are answered, with the public key alone, each with embeds under names of their own. */
async function floodStatements(stage: Stage, note: Note): Promise<void> {
  for (const levels of [98, 8]) {
    const statuses = new Map<number, number>();
    const { peak, result: ms } = await watch(stage, async () => {
      const started = performance.now();
      await inParallel(16, 2048, async (index) => {
        const { status } = await ask(stage, nested(levels, `a${index}x`), stage.anonKey);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      });
      return performance.now() - started;
    });
    note({
      what: `2,048 with the public key, each with embeds of new names ${levels} levels deep`,
      outcome: `${inWords(statuses)}, ${(ms / 1000).toFixed(0)} s for all`,
      peak,
      kept: [...statuses.keys()].every((status) => status < 500),
    });
  }
}

/** projects → tasks → projects → tasks …, over 5,000 tasks of one's own. */
async function multiplyRows(stage: Stage, note: Note): Promise<void> {
  for (const levels of [3, 4, 6, 8]) {
    const { peak, result } = await watch(stage, async () => {
      const started = performance.now();
      const { status, bytes, code } = await ask(stage, `${nested(levels, '')}&id=eq.${projectId(3)}`);
      return { status, bytes, code, ms: performance.now() - started };
    });
    note({
      what: `projects and tasks in each other ${levels} levels deep, over 5,000 tasks`,
      outcome: `${result.status} ${result.code}, ${result.bytes.toLocaleString('en-US')} bytes after ${Math.round(result.ms)} ms`,
      peak,
      kept: result.status < 500,
    });
  }
}

/** 100 connections that say 10 MB and send 9 of them. */
async function sendHalves(stage: Stage, note: Note): Promise<void> {
  const { hostname, port } = new URL(stage.url);
  const megabyte = Buffer.alloc(1024 * 1024, 'a');
  for (const key of [stage.token, 'none']) {
    const sockets: Socket[] = [];
    let closed = 0;
    const { peak } = await watch(stage, async () => {
      await inParallel(100, 100, async () => {
        const socket = connect(Number(port), hostname);
        sockets.push(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => closed++);
        socket.resume();
        const head = [
          'POST /rest/v1/tasks HTTP/1.1',
          `host: ${hostname}`,
          `apikey: ${key === 'none' ? 'none' : stage.anonKey}`,
          `authorization: Bearer ${key}`,
          'content-type: application/json',
          `content-length: ${10 * megabyte.length}`,
        ];
        socket.write(`${head.join('\r\n')}\r\n\r\n`);
        for (let sent = 0; sent < 9 && !socket.destroyed; sent++)
          await new Promise((resolve) => socket.write(megabyte, resolve));
      });
      await until(performance.now() + 2000);
    });
    const refused = closed;
    for (const socket of sockets) socket.destroy();
    await until(performance.now() + 5000);
    const after = readPeak(stage);
    note({
      what: `100 bodies of 10 MB with 9 MB sent, ${key === 'none' ? 'without a key' : 'signed in'}`,
      outcome: `${refused} are closed by the server; 5 s later it holds ${inMegabytes(after.server)}`,
      peak,
      kept: true,
    });
  }
}

/** 20 heavy questions of one person at all times, beside single reads of another. */
async function crowdOut(stage: Stage, note: Note): Promise<void> {
  const other = await stage.tokenFor(await memberOf(stage, 4));
  const quick = (): Promise<number[]> => singleReads(stage, other, 300);
  await quick();
  const alone = await quick();
  const filters = Array.from({ length: 1200 }, (_, index) => `title.ilike.*${index}x*`).join(',');
  const words = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' or ');
  const heavy = [
    `/tasks?select=id&project_id=eq.${projectId(1)}&or=(${filters})&limit=10`,
    `/tasks?select=id&project_id=eq.${projectId(1)}&description=wfts.${encodeURIComponent(words)}&limit=10`,
  ];
  let over = false;
  const statuses = new Map<number, number>();
  const { peak, result: beside } = await watch(stage, async () => {
    const load = Array.from({ length: 20 }, async (_, index) => {
      while (!over) {
        const { status } = await ask(stage, heavy[index % 2] ?? '');
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    await until(performance.now() + 2000);
    const times = await quick();
    over = true;
    await Promise.all(load);
    return times;
  });
  note({
    what: '20 heavy questions of one person at all times',
    outcome: `${inWords(statuses)}; single reads of others: p50 ${at(beside, 0.5)}, p95 ${at(beside, 0.95)}, ${at(beside, 1)} at most (${at(alone, 0.5)}, ${at(alone, 0.95)} and ${at(alone, 1)} without)`,
    peak,
    // Its own may be ended for taking too long.
    kept: (beside[Math.floor(beside.length * 0.95)] ?? 0) <= longestForOthers && !statuses.has(500),
  });
}

function report(lines: readonly Line[], apart: readonly Apart[]): string {
  return `Taken on ${conditions()}. All in one run, 200,000 tasks; Postgres is the memory of all its processes that is theirs alone, the server what it holds in RAM.
What connections have prepared stays with them until they are replaced, so a row begins where the one above it ended.

| request | what comes of it | Postgres at most | server at most |
|---|---|---:|---:|
${lines.map(({ what, outcome, peak }) => `| ${what} | ${outcome} | ${inMegabytes(peak.postgres)} | ${inMegabytes(peak.server)} |`).join('\n')}

**What the clock tells a stranger**: the same question about a task of others and about one that is nowhere, a thousand times each by turns. Both are answered alike; what is counted is how often, of all pairs, the answer
about the task that is there comes later. At 0.5 the clock tells nothing; beyond the last column it does, to whoever asks a thousand times.

| question | later when it is there | median there, and nowhere | chance reaches |
|---|---:|---:|---:|
${apart.map(({ what, later, chance, there, nowhere }) => `| ${what} | ${later.toFixed(3)} | ${there.toFixed(2)} ms, ${nowhere.toFixed(2)} ms | ${(0.5 - chance).toFixed(3)} to ${(0.5 + chance).toFixed(3)} |`).join('\n')}`;
}

const inWords = (statuses: ReadonlyMap<number, number>): string =>
  [...statuses].map(([status, count]) => `${count.toLocaleString('en-US')} × ${status}`).join(', ');

async function singleReads(stage: Stage, token: string, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const started = performance.now();
    const { status } = await ask(stage, `/tasks?id=eq.${taskId(4, 1 + (index % 200))}`, token);
    if (status !== 200) throw new Error(`A single read was answered ${status}`);
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b);
}

const at = (sorted: readonly number[], share: number): string =>
  `${(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)} ms`;

/** projects → tasks → projects → … so many levels below the root, each under a name of its own if a prefix is given. */
function nested(levels: number, prefix: string): string {
  let select = 'id';
  for (let level = levels; level > 0; level--) {
    const table = level % 2 === 1 ? 'tasks' : 'projects';
    select = `*,${prefix === '' ? '' : `${prefix}${level}:`}${table}(${select})`;
  }
  return `/projects?select=${select}`;
}

async function ask(
  stage: Stage,
  path: string,
  token = stage.token,
): Promise<{ status: number; bytes: number; code: string }> {
  const response = await fetch(`${stage.url}/rest/v1${path}`, {
    headers: { apikey: stage.anonKey, authorization: `Bearer ${token}` },
  });
  let bytes = 0;
  let start = '';
  for await (const chunk of response.body ?? []) {
    if (start === '') start = Buffer.from(chunk).toString('latin1');
    bytes += chunk.length;
  }
  return { status: response.status, bytes, code: /^\{"code":"([^"]+)"/.exec(start)?.[1] ?? '' };
}

async function memberOf(stage: Stage, project: number): Promise<string> {
  const client = new pg.Client(connectionOptions(stage.databaseUrl));
  await client.connect();
  await client.query('set role service_role');
  const { rows } = await client.query<{ id: string }>(
    "select user_id as id from public.project_members where project_id = $1 and user_id::text not like '%000001' limit 1",
    [projectId(project)],
  );
  await client.end();
  if (rows[0] === undefined) throw new Error('The project has one member only');
  return rows[0].id;
}

async function inParallel(workers: number, count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

const until = (time: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, time - performance.now())));

/** Runs that and answers with the most memory seen meanwhile. */
async function watch<T>(stage: Stage, work: () => Promise<T>): Promise<{ peak: Peak; result: T }> {
  let peak = readPeak(stage);
  const timer = setInterval(() => {
    const now = readPeak(stage);
    peak = { postgres: Math.max(peak.postgres, now.postgres), server: Math.max(peak.server, now.server) };
  }, 500);
  try {
    const result = await work();
    return { peak, result };
  } finally {
    clearInterval(timer);
  }
}

const inMegabytes = (kilobytes: number): string => `${Math.round(kilobytes / 1024)} MB`;

/** Memory of Postgres' processes that is theirs alone, and what the server holds in RAM, in kB (Linux). */
function readPeak(stage: Stage): Peak {
  let postgres = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      if (!status.startsWith('Name:\tpostgres') || !isBelow(Number(pid), process.pid)) continue;
      postgres += Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    } catch {
      // It ended meanwhile.
    }
  }
  return {
    postgres,
    server: Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${stage.pid}/status`, 'utf8'))?.[1] ?? 0),
  };
}

function isBelow(pid: number, ancestor: number): boolean {
  for (let at = pid; at > 1; ) {
    if (at === ancestor) return true;
    at = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${at}/status`, 'utf8'))?.[1] ?? 0);
  }
  return false;
}
