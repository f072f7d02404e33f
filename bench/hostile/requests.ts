// Abusive requests to the data API: statements that run forever, joins that multiply rows, bodies that never finish, and slow queries while
// another caller reads.

import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { projectId } from '../cases.ts';
import type { Stage } from '../stage.ts';
import { taskId } from '../statements.ts';
import { inMegabytes, type Memory, readMemory, watchMemory } from './memory.ts';

export interface Line {
  readonly what: string;
  readonly outcome: string;
  readonly peak: Memory;
  /** Whether it came as promised, memory aside. */
  readonly kept: boolean;
}
export type Note = (line: Line) => void;

/** Others have 95 of 100 answers within so many milliseconds. */
export const longestForOthers = 50;

/** 2,048 requests as fast as they are answered, with the public key alone, each with embeds under names of their own. */
export async function floodStatements(stage: Stage, note: Note): Promise<void> {
  for (const levels of [98, 8]) {
    const statuses = new Map<number, number>();
    const { peak, result: ms } = await watchMemory(stage, async () => {
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
export async function multiplyRows(stage: Stage, note: Note): Promise<void> {
  for (const levels of [3, 4, 6, 8]) {
    const { peak, result } = await watchMemory(stage, async () => {
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
export async function sendHalves(stage: Stage, note: Note): Promise<void> {
  const { hostname, port } = new URL(stage.url);
  const megabyte = Buffer.alloc(1024 * 1024, 'a');
  for (const key of [stage.token, 'none']) {
    const sockets: Socket[] = [];
    let closed = 0;
    const { peak } = await watchMemory(stage, async () => {
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
    const after = readMemory(stage);
    note({
      what: `100 bodies of 10 MB with 9 MB sent, ${key === 'none' ? 'without a key' : 'signed in'}`,
      outcome: `${refused} are closed by the server; 5 s later it holds ${inMegabytes(after.server)}`,
      peak,
      kept: true,
    });
  }
}

/** 20 heavy questions of one person at all times, beside single reads of another. */
export async function crowdOut(stage: Stage, note: Note): Promise<void> {
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
  const { peak, result: beside } = await watchMemory(stage, async () => {
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

export const inWords = (statuses: ReadonlyMap<number, number>): string =>
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

export const at = (sorted: readonly number[], share: number): string =>
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

export async function ask(
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

export async function memberOf(stage: Stage, project: number): Promise<string> {
  const client = new pg.Client(connectionOptions(stage.databaseUrl));
  await client.connect();
  try {
    await client.query('set role service_role');
    const { rows } = await client.query<{ id: string }>(
      "select user_id as id from public.project_members where project_id = $1 and user_id::text not like '%000001' limit 1",
      [projectId(project)],
    );
    if (rows[0] === undefined) throw new Error('The project has one member only');
    return rows[0].id;
  } finally {
    await client.end();
  }
}

export async function inParallel(
  workers: number,
  count: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

export const until = (time: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, time - performance.now())));
