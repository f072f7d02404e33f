// `npm run bench -- --realtime`: sockets that wait, a project that a thousand people follow, an import, and a reader that stops
// reading; into docs/figures.md. The server is a process of its own, the load is this one.

import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { connectionOptions } from '../server/database/connection-options.ts';
import { migrate } from '../server/database/migrate.ts';
import { startCluster } from '../server/database/start-cluster.ts';
import { conditions } from './conditions.ts';
import type { MeasuredLine } from './figure.ts';
import { flag } from './flag.ts';
import { tableOfLines, writeFigures } from './page.ts';
import { cpuSeconds, memoryOf } from './process-figures.ts';
import { type BenchClient, follow, openClient } from './realtime-client.ts';
import { measurePage } from './realtime-page.ts';
import { openKeys, type StartedServer, startServer, stopServer } from './start-server.ts';

const idleSockets = 5000;
const subscribers = 1000;
const changesPerSecond = 50;
const seconds = Number(flag('seconds') ?? 60);
const importRows = 10_000;

interface Stage {
  readonly url: string;
  readonly pid: number;
  readonly anonKey: string;
  readonly owner: pg.Client;
  readonly databaseUrl: string;
  readonly project: string;
  readonly column: string;
  readonly tokens: readonly string[];
}

export async function benchRealtime(say: (line: string) => void): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-bench-realtime-'));
  chmodSync(directory, 0o755);
  const cluster = await startCluster({ dataDir: directory, log: pino({ level: 'silent' }) });
  const owner = new pg.Client(connectionOptions(cluster.directUrl));
  let server: StartedServer | null = null;
  try {
    await migrate({ url: cluster.directUrl, poolUrl: cluster.url, directory: join(process.cwd(), 'sql') });
    await owner.connect();
    server = await startServer({
      DATA_DIR: directory,
      DATABASE_URL: cluster.url,
      DATABASE_DIRECT_URL: cluster.directUrl,
    });
    const stage = await prepare(server, owner, cluster.url);
    const lines: MeasuredLine[] = [];
    const note = (line: MeasuredLine): void => {
      lines.push(line);
      say(`${line.what}: ${line.measured} (${line.wanted})`);
    };
    const parts: Readonly<Record<string, () => Promise<MeasuredLine[]>>> = {
      idle: () => measureIdle(stage),
      one: () => measureFollowing(stage, 1),
      many: () => measureFollowing(stage, subscribers),
      import: () => measureImport(stage),
      page: () => measurePage({ ...stage, profile: flag('page-profile') }),
    };
    const only = flag('only')?.split(',') ?? Object.keys(parts);
    for (const name of only) for (const line of (await parts[name]?.()) ?? []) note(line);
    writeFigures('realtime', `${conditions('Chromium')}.\n\n${tableOfLines(lines)}`);
  } finally {
    await owner.end().catch(() => undefined);
    if (server !== null) await stopServer(server);
    await cluster.stop();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A project with as many members as there will be subscribers, each with a token. */
async function prepare(
  { url, process: { pid = 0 } }: StartedServer,
  owner: pg.Client,
  databaseUrl: string,
): Promise<Stage> {
  const sessions = await openKeys();
  const people = Array.from({ length: subscribers }, () => randomUUID());
  await owner.query(
    `insert into auth.users (id, email, email_confirmed_at) select p, p || '@bench.test', now() from unnest($1::uuid[]) p`,
    [people],
  );
  await owner.query('begin');
  await owner.query(`select set_config('request.jwt.claims', $1, true)`, [JSON.stringify({ sub: people[0] })]);
  const made = await owner.query<{ id: string }>(`select id from public.create_project_with_defaults('Bench')`);
  await owner.query('commit');
  const project = made.rows[0]?.id ?? '';
  await owner.query(
    `insert into public.project_members (project_id, user_id, role) select $1, p, 'editor' from unnest($2::uuid[]) p on conflict do nothing`,
    [project, people],
  );
  const column = await owner.query<{ id: string }>(
    'select id from public.workflow_columns where project_id = $1 limit 1',
    [project],
  );
  const tokens = await Promise.all(people.map((sub) => sessions.sign({ sub, role: 'authenticated' }, 7200)));
  return { url, pid, anonKey: sessions.anonKey, owner, databaseUrl, project, column: column.rows[0]?.id ?? '', tokens };
}

const followed = Buffer.from('Subscribed to PostgreSQL');

/** Opens a socket and resolves when the server says that changes are followed. */
async function connect(
  { url, anonKey, project }: Stage,
  token: string,
  filter = `project_id=eq.${project}`,
): Promise<BenchClient> {
  const client = await openClient({ url, anonKey });
  const ready = new Promise<void>((resolve) => {
    client.onFrame = (bytes, start, end) => {
      const at = bytes.indexOf(followed, start);
      if (at >= 0 && at < end) resolve();
    };
  });
  follow(client, token, { topic: 'bench', tables: ['tasks'], filter });
  await ready;
  client.onFrame = () => undefined;
  return client;
}

async function connectMany(stage: Stage, count: number, tokenOf: (index: number) => string): Promise<BenchClient[]> {
  const clients: BenchClient[] = [];
  for (let start = 0; start < count; start += 100)
    clients.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(100, count - start) }, (_, index) => connect(stage, tokenOf(start + index))),
      )),
    );
  return clients;
}

async function disconnect(clients: readonly BenchClient[]): Promise<void> {
  await Promise.all(clients.map((client) => client.close()));
}

async function measureIdle(stage: Stage): Promise<MeasuredLine[]> {
  const before = memoryOf(stage.pid);
  const clients = await connectMany(stage, idleSockets, (index) => stage.tokens[index % subscribers] ?? '');
  await pause(15_000);
  const after = memoryOf(stage.pid);
  await disconnect(clients);
  return [
    {
      what: `${idleSockets.toLocaleString('en')} sockets that wait, each with a channel that follows changes: memory of the process`,
      measured: `${after} MB (${before} MB before)`,
      wanted: 'under 300 MB',
    },
  ];
}

const stamp = Buffer.from('"commit_timestamp":"');
const title = Buffer.from('"title":"Task ');

async function measureFollowing(stage: Stage, callers: number): Promise<MeasuredLine[]> {
  const clients = await connectMany(stage, subscribers, (index) => stage.tokens[index % callers] ?? '');
  const total = changesPerSecond * seconds;
  const latencies: number[] = [];
  const seen = new Uint8Array(subscribers * total);
  let received = 0;
  let twice = 0;
  // Each change comes a thousand times with the same stamp.
  const stamps = new Map<string, number>();
  clients.forEach((client, index) => {
    client.onFrame = (bytes, start) => {
      const at = bytes.indexOf(stamp, start) + stamp.length;
      const text = bytes.toString('latin1', at, at + 24);
      let committed = stamps.get(text);
      if (committed === undefined) {
        committed = Date.parse(text);
        stamps.set(text, committed);
      }
      latencies.push(Date.now() - committed);
      const name = bytes.indexOf(title, at) + title.length;
      const place = index * total + Number(bytes.toString('latin1', name, bytes.indexOf(0x22, name)));
      if (seen[place] === 1) twice++;
      else received++;
      seen[place] = 1;
    };
  });
  const cpuBefore = cpuSeconds(stage.pid);
  const began = performance.now();
  const writer = new pg.Pool({ ...connectionOptions(stage.databaseUrl), max: 2 });
  const claims = JSON.stringify({
    sub: JSON.parse(Buffer.from(stage.tokens[0]?.split('.')[1] ?? '', 'base64url').toString()).sub,
    role: 'authenticated',
  });
  for (let sent = 0; sent < total; sent++) {
    const due = began + (sent * 1000) / changesPerSecond;
    if (due > performance.now()) await pause(due - performance.now());
    await insertAs(writer, claims, stage, `Task ${sent}`);
  }
  const wrote = (performance.now() - began) / 1000;
  const expected = total * subscribers;
  const limit = performance.now() + 30_000;
  while (received < expected && performance.now() < limit) await pause(50);
  const took = (performance.now() - began) / 1000;
  const cpu = ((cpuSeconds(stage.pid) - cpuBefore) / took) * 100;
  await writer.end();
  await disconnect(clients);
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  const who = callers === 1 ? 'all the same caller' : `${callers} different callers`;
  return [
    {
      what: `${subscribers} subscribers (${who}), ${(total / wrote).toFixed(0)} changes a second for ${wrote.toFixed(0)} s`,
      measured: `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1 - 1e-9)} ms; lost ${expected - received}, twice ${twice}; the server used ${cpu.toFixed(0)} % of one processor, ${((cpu * took * 1e4) / received).toFixed(1)} µs a message`,
      wanted: 'p99 200 ms, none lost or twice',
    },
  ];
}

async function insertAs(pool: pg.Pool, claims: string, stage: Stage, title: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(
      `begin; select set_config('request.jwt.claims', '${claims}', true), set_config('role', 'authenticated', true);
       insert into public.tasks (project_id, column_id, title) values ('${stage.project}', '${stage.column}', '${title}'); commit`,
    );
  } finally {
    client.release();
  }
}

async function measureImport(stage: Stage): Promise<MeasuredLine[]> {
  const [token = ''] = stage.tokens;
  const [follower, sleeper] = [await connect(stage, token), await connect(stage, token)];
  let received = 0;
  follower.onFrame = () => {
    received++;
  };
  // Reads nothing any more: its buffer fills up.
  sleeper.socket.pause();
  const dropped = sleeper.closed.then(() => true);
  const waits: number[] = [];
  let importing = true;
  const asking = (async () => {
    while (importing) {
      const began = performance.now();
      await fetch(`${stage.url}/rest/v1/projects?select=id`, {
        headers: { apikey: stage.anonKey, authorization: `Bearer ${token}` },
      }).then((response) => response.arrayBuffer());
      waits.push(performance.now() - began);
    }
  })();
  const began = performance.now();
  await stage.owner.query(
    `insert into public.tasks (project_id, column_id, title, description)
     select $1, $2, 'Imported ' || n, repeat('words ', 100) from generate_series(1, $3::int) n`,
    [stage.project, stage.column, importRows],
  );
  const committed = performance.now();
  const limit = committed + 60_000;
  while (received < importRows && performance.now() < limit) await pause(10);
  const arrived = performance.now();
  importing = false;
  await asking;
  sleeper.socket.resume();
  const wasDropped = await Promise.race([dropped, pause(8000).then(() => false)]);
  await disconnect([follower]);
  sleeper.socket.destroy();
  waits.sort((a, b) => a - b);
  const at = (share: number): string => (waits[Math.floor(waits.length * share)] ?? 0).toFixed(0);
  return [
    {
      what: `${importRows.toLocaleString('en')} rows in one transaction (${((committed - began) / 1000).toFixed(1)} s): from its end until a subscriber has all`,
      measured: `${((arrived - committed) / 1000).toFixed(1)} s, ${received === importRows ? 'none' : importRows - received} lost`,
      wanted: 'nothing blocked',
    },
    {
      what: 'requests to /rest/v1 meanwhile',
      measured: `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${waits.length} requests)`,
      wanted: 'nothing blocked',
    },
    {
      what: 'a socket that stopped reading meanwhile',
      measured: wasDropped ? 'closed by the server' : 'still open',
      wanted: 'closed with a reason',
    },
  ];
}
