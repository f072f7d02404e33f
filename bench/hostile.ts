// Requests made to hurt, from this process against a running server: what they cost in memory of Postgres and of the
// server, and what others feel of them. Prints its figures; docs/performance.md says what came of the last run.

import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { connectionOptions } from '../server/database/connection-options.ts';
import { projectId } from './cases.ts';
import { openStage, type Stage } from './stage.ts';
import { taskId } from './statements.ts';

type Say = (line: string) => void;

interface Peak {
  readonly postgres: number;
  readonly server: number;
}

export async function benchHostile(say: Say): Promise<void> {
  const stage = await openStage(say);
  try {
    await ask(stage, `/tasks?id=eq.${taskId(4, 1)}`);
    const idle = readPeak(stage);
    say(`at rest: Postgres ${inMegabytes(idle.postgres)}, server ${inMegabytes(idle.server)}`);
    await floodStatements(stage, say);
    await multiplyRows(stage, say);
    await sendHalves(stage, say);
    await crowdOut(stage, say);
    await tellApart(stage, say);
  } finally {
    await stage.close();
  }
}

/** 2,048 requests as fast as they are answered, with the public key alone, each with embeds under names of their own. */
async function floodStatements(stage: Stage, say: Say): Promise<void> {
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
    const after = readPeak(stage);
    say(
      `2,048 aliased requests ${levels} levels deep, public key, in ${(ms / 1000).toFixed(0)} s: ${JSON.stringify([...statuses])}, ${peakWords(peak)}; after it Postgres ${inMegabytes(after.postgres)}`,
    );
  }
}

/** projects → tasks → projects → tasks …, over 5,000 tasks of one's own. */
async function multiplyRows(stage: Stage, say: Say): Promise<void> {
  for (const levels of [3, 4, 6, 8]) {
    const { peak, result } = await watch(stage, async () => {
      const started = performance.now();
      const { status, bytes, code } = await ask(stage, `${nested(levels, '')}&id=eq.${projectId(3)}`);
      return { status, bytes, code, ms: performance.now() - started };
    });
    say(
      `projects and tasks ${levels} levels deep over 5,000 tasks: ${result.status} ${result.code}, ${result.bytes} bytes after ${Math.round(result.ms)} ms, ${peakWords(peak)}`,
    );
  }
}

/** 100 connections that say 10 MB and send 9 of them. */
async function sendHalves(stage: Stage, say: Say): Promise<void> {
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
    say(
      `100 bodies of 10 MB with 9 sent, ${key === 'none' ? 'without a key' : 'signed in'}: ${refused} closed by the server, ${peakWords(peak)}; 5 s after it the server has ${inMegabytes(after.server)}`,
    );
  }
}

/** 20 heavy questions of one person at all times, beside single reads of another. */
async function crowdOut(stage: Stage, say: Say): Promise<void> {
  const other = await stage.tokenFor(await memberOf(stage, 4));
  const quick = (): Promise<number[]> => singleReads(stage, other, 300);
  await quick();
  const alone = await quick();
  const conditions = Array.from({ length: 1200 }, (_, index) => `title.ilike.*${index}x*`).join(',');
  const words = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' or ');
  const heavy = [
    `/tasks?select=id&project_id=eq.${projectId(1)}&or=(${conditions})&limit=10`,
    `/tasks?select=id&project_id=eq.${projectId(1)}&description=wfts.${encodeURIComponent(words)}&limit=10`,
  ];
  let over = false;
  let served = 0;
  const statuses = new Map<number, number>();
  const { peak, result: beside } = await watch(stage, async () => {
    const load = Array.from({ length: 20 }, async (_, index) => {
      while (!over) {
        const { status } = await ask(stage, heavy[index % 2] ?? '');
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        served++;
      }
    });
    await until(performance.now() + 2000);
    const times = await quick();
    over = true;
    await Promise.all(load);
    return times;
  });
  say(
    `others beside 20 heavy questions of one person: p50 ${at(beside, 0.5)}, p95 ${at(beside, 0.95)}, most ${at(beside, 1)} (alone ${at(alone, 0.5)}, ${at(alone, 0.95)}, ${at(alone, 1)}); ${served} heavy ones answered ${JSON.stringify([...statuses])}, ${peakWords(peak)}`,
  );
}

/** Whether a stranger learns by the clock that something is there: the same question about a task of others and about none, by turns. */
async function tellApart(stage: Stage, say: Say): Promise<void> {
  const stranger = await stage.tokenFor(randomUUID());
  const questions: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'a task by its id': (id) => ask(stage, `/tasks?id=eq.${id}`, stranger),
    'moving it': (id) =>
      fetch(`${stage.url}/rest/v1/rpc/move_task`, {
        method: 'POST',
        headers: { apikey: stage.anonKey, authorization: `Bearer ${stranger}`, 'content-type': 'application/json' },
        body: JSON.stringify({ task_id: id, column_id: id }),
      }).then((response) => response.text()),
  };
  for (const [what, question] of Object.entries(questions)) {
    const [theirs, nobodys]: [number[], number[]] = [[], []];
    for (let index = 0; index < 2000; index++) {
      const isTheirs = index % 2 === 0;
      const began = performance.now();
      await question(isTheirs ? taskId(4, 1 + (index % 200)) : randomUUID());
      (isTheirs ? theirs : nobodys).push(performance.now() - began);
    }
    for (const times of [theirs, nobodys]) times.sort((a, b) => a - b);
    const ratio = (theirs[500] ?? 0) / (nobodys[500] ?? 1);
    say(
      `${what}, for a stranger: ${ratio.toFixed(3)} of the time when it is there (p50 ${at(theirs, 0.5)}, and ${at(nobodys, 0.5)} when it is not)`,
    );
  }
}

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
const peakWords = ({ postgres, server }: Peak): string =>
  `at most Postgres ${inMegabytes(postgres)}, server ${inMegabytes(server)}`;

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
