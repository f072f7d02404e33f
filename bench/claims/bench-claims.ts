// `npm run bench -- --claims`: 64 clients claim the 10,000 tasks of a project through /rest/v1, each in a process of its own, while clients and the server
// are killed at random: no task may be finished twice or be left, and each write with a stale fence must be refused. Before that, the time of a claim
// with all tasks open, and processor time of a title change with a fence and without. Printed only. `--count=` tasks, `--people=` clients, `--seed=`.

import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { startCluster } from '../../server/database/start-cluster.ts';
import { findFreePort } from '../../test/helpers/find-free-port.ts';
import { asCaller, ask } from '../ask.ts';
import { flag, isQuick } from '../flag.ts';
import { ms } from '../page.ts';
import { type Door, type Planted, plant } from '../plant.ts';
import { familyOf, processorTime } from '../process-figures.ts';
import { at } from '../quantile.ts';
import { seeded } from '../seeded.ts';
import { openKeys, startServer, stopServer, untilReady } from '../start-server.ts';
import { type Clients, startClients } from './clients.ts';

const stallMs = 120_000;

export async function benchClaims(say: (line: string) => void): Promise<void> {
  const tasks = Number(flag('count') ?? (isQuick() ? 500 : 10_000));
  const many = Number(flag('people') ?? 64);
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-claims-'));
  const settings = { DATA_DIR: join(directory, 'data'), PORT: String(await findFreePort('127.0.0.1')) };
  let server = await startServer(settings);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  let clients: Clients | null = null;
  try {
    const { anonKey } = await openKeys();
    const door: Door = { agent, url: server.url, anonKey };
    await untilReady(door);
    const planted = await plant(door);
    const owner = await openOwner(settings.DATA_DIR);
    await fill(owner, planted, tasks);
    await measureClaims(door, planted, owner, say);
    await measureWrites(door, planted, server.process.pid ?? 0, say);
    await owner.query('update task_claims set expires_at = now() where ended_at is null');
    await owner.end();
    const done = planted.columns.at(-1) ?? '';
    const words = [server.url, anonKey, planted.owner.token, planted.project, done];
    const began = performance.now();
    clients = startClients(words, many);
    const dice = seeded(Number(flag('seed') ?? 44));
    let kills = 0;
    let restarts = 0;
    let fewest = Infinity;
    let progressAt = began;
    // Where nothing gets on any more the verdict tells how many are left.
    for (let idle = 0; idle < 4 && performance.now() - progressAt < stallMs; ) {
      await pause(200 + dice.below(400));
      clients.kill(dice.below(many));
      kills++;
      if (dice.chance(0.08)) {
        await stopServer(server, 'SIGKILL');
        server = await startServer(settings);
        await untilReady(door);
        restarts++;
      }
      const open = await countOpen(door, planted);
      if (kills % 20 === 0) say(`${open} open, ${kills} clients and ${restarts} servers killed`);
      idle = open === 0 ? idle + 1 : 0;
      if (open < fewest) progressAt = performance.now();
      fewest = Math.min(open, fewest);
    }
    const seconds = Math.round((performance.now() - began) / 1000);
    await clients.stop();
    const found = await judge(settings.DATA_DIR, planted.project, done);
    const passed = clients.stale.filter((status) => status !== 409).length;
    say(
      `${tasks} tasks, ${many} clients, ${kills} of them and ${restarts} servers killed in ${seconds} s, ${clients.ended.length} clients ended by themselves: ${found.finished} finished, ${found.twice} twice, ${found.left} left, ${found.wrong} with a word of another claim; ${passed} of ${clients.stale.length} stale writes passed`,
    );
    if (found.twice + found.left + found.wrong + passed > 0 || found.finished < tasks) process.exitCode = 1;
  } finally {
    await clients?.stop();
    agent.destroy();
    await stopServer(server);
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function fill(owner: pg.Client, { project, columns }: Planted, count: number): Promise<void> {
  await owner.query('delete from tasks where project_id = $1', [project]);
  await owner.query(
    `insert into tasks (project_id, column_id, title, description, priority)
    select $1, $2, 'Task ' || n, repeat('Some words about it. ', 10), (array['p0', 'p1', 'p2'])[1 + n % 3]::task_priority
    from generate_series(1, $3) n`,
    [project, columns[0], count],
  );
  await owner.query('analyze');
}

/** Each is handed back before the next. */
async function measureClaims(
  door: Door,
  planted: Planted,
  owner: pg.Client,
  say: (line: string) => void,
): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 200; round++) {
    const began = performance.now();
    const [claim] = await call<readonly { id: string }[]>(door, planted, 'claim_next_task', {
      project: planted.project,
    });
    times.push(performance.now() - began);
    if (round % 2 === 0) await call(door, planted, 'release_claim', { claim: claim?.id });
  }
  const { rows } = await owner.query('select from task_claims where ended_at is null');
  say(
    `a claim takes ${ms(at(times, 0.5))}, at most ${ms(at(times, 0.99))} (99 of 100), with ${rows.length} open at the end`,
  );
}

async function call<T>({ agent, url, anonKey }: Door, { owner }: Planted, name: string, args: object): Promise<T> {
  const headers = asCaller(anonKey, owner.token);
  const path = `/rest/v1/rpc/${name}`;
  const answer = await ask(agent, url, { method: 'POST', path, headers, body: JSON.stringify(args) });
  if (answer.status >= 300) throw new Error(`${name}: ${answer.status} ${answer.body.toString()}`);
  return JSON.parse(answer.body.toString()) as T;
}

/** By turns, so that both meet the same machine. */
async function measureWrites(door: Door, planted: Planted, pid: number, say: (line: string) => void): Promise<void> {
  const claims = await call<readonly { task_id: string; fence: number }[]>(door, planted, 'claim_next_task', {
    project: planted.project,
    seconds: 3600,
  });
  const [claim = { task_id: '', fence: 0 }] = claims;
  const pids = familyOf(pid);
  const used = { plain: 0, fenced: 0 };
  for (let turn = 0; turn < 20; turn++) {
    const kind = turn % 2 === 0 ? 'plain' : 'fenced';
    const before = processorTime(pids);
    for (let n = 0; n < 100; n++) {
      const answer = await ask(door.agent, door.url, {
        method: 'PATCH',
        path: `/rest/v1/tasks?id=eq.${claim.task_id}`,
        headers: asCaller(
          door.anonKey,
          planted.owner.token,
          kind === 'fenced' ? { 'claim-fence': String(claim.fence) } : {},
        ),
        body: JSON.stringify({ title: `Title ${turn} ${n}` }),
      });
      if (answer.status !== 204) throw new Error(`PATCH: ${answer.status} ${answer.body.toString()}`);
    }
    used[kind] += processorTime(pids) - before;
  }
  say(`a title change takes ${ms(used.plain)} of processor time, ${ms(used.fenced)} with a fence`);
}

/** Of the cluster, which a killed server takes along. */
async function openOwner(dataDir: string): Promise<pg.Client> {
  const cluster = await startCluster({ dataDir, log: pino({ level: 'silent' }), share: true });
  const owner = new pg.Client(connectionOptions(cluster.directUrl));
  await owner.connect();
  return owner;
}

async function countOpen({ agent, url, anonKey }: Door, { owner, project }: Planted): Promise<number> {
  const headers = asCaller(anonKey, owner.token, { prefer: 'count=exact' });
  const path = `/rest/v1/tasks?project_id=eq.${project}&completed_at=is.null&limit=1`;
  const answer = await ask(agent, url, { method: 'GET', path, headers });
  if (answer.status >= 300) throw new Error(`GET ${path}: ${answer.status} ${answer.body.toString()}`);
  return Number(String(answer.headers['content-range']).split('/')[1]);
}

interface Verdict {
  readonly finished: number;
  readonly left: number;
  readonly twice: number;
  readonly wrong: number;
}

async function judge(dataDir: string, project: string, done: string): Promise<Verdict> {
  const owner = await openOwner(dataDir);
  try {
    const { rows } = await owner.query<Verdict>(
      `select count(*) filter (where t.completed_at is not null)::int as finished, count(*) filter (where t.completed_at is null)::int as left,
        count(*) filter (where l.moves > 1)::int as twice,
        count(*) filter (where c.claims <> 1 or c.fence % 1000000 <> t.estimate)::int as wrong
      from tasks t
      cross join lateral (select count(*) as moves from task_activity a
        where a.project_id = t.project_id and a.task_id = t.id and a.kind = 'moved' and a.change #>> '{column_id,to}' = $2) l
      cross join lateral (select count(*) as claims, max(f.fence) as fence from task_claims f where f.project_id = t.project_id and f.task_id = t.id and f.outcome = 'finished') c
      where t.project_id = $1`,
      [project, done],
    );
    return rows[0] ?? { finished: 0, left: 0, twice: 0, wrong: 0 };
  } finally {
    await owner.end();
  }
}
