// `npm run bench -- --upgrade [COMMIT]`: two nodes as they were at an earlier commit serve a database and are replaced by two of this one, one
// after the other, while people write, attach, read, listen and stay signed in. Counts requests that failed, what was lost or is there twice, and what
// nobody heard of; ends with 1 where there is any. Into docs/figures.md. `--quick` takes less time and writes nothing.

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { type Cluster, startCluster } from '../../server/database/start-cluster.ts';
import { asCaller, ask } from '../ask.ts';
import { Listener } from '../cluster/load.ts';
import { check } from '../crash/check.ts';
import { failuresOf, type Ledger, openLedger } from '../crash/ledger.ts';
import { startWriters, workOnTasks } from '../crash/writers.ts';
import { isQuick } from '../flag.ts';
import { type Door, type Planted, plant, taken } from '../plant.ts';
import { seeded } from '../seeded.ts';
import { openKeys, type StartedServer, startServer, stopServer } from '../start-server.ts';
import { type Balance, balance } from './balance.ts';
import { buildOlder, changedSince, findCommit } from './older-build.ts';
import { keepRefreshing, tryBothWays } from './session.ts';
import { type Phase, type Upgrade, writeUpgradePage } from './write-page.ts';

/** The first one with a ledger of rules; statements of all its tables are still the same. */
const usualCommit = '9769ae0a';
const people = 4;
/** Some of them are at each of the nodes that end. */
const manyListeners = 4;
const tasksBefore = isQuick() ? 1000 : 20_000;
/** Longer than a node goes on believing what it last saw of the migrations. */
const besideMs = isQuick() ? 3000 : 15_000;
const aloneMs = isQuick() ? 3000 : 15_000;
/** Between being taken out of the list and SIGTERM. */
const drainMs = 1000;

interface Node extends StartedServer {
  readonly name: string;
}

export async function benchUpgrade(say: (line: string) => void): Promise<void> {
  const given = process.argv[process.argv.indexOf('--upgrade') + 1];
  const commit = findCommit(given === undefined || given.startsWith('--') ? usualCommit : given);
  const changed = changedSince(commit);
  if (changed.length > 0) throw new Error(`Databases of ${commit.hash} are refused: ${changed.join(', ')} was changed`);
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-upgrade-'));
  chmodSync(directory, 0o755);
  const [checkout, data] = [join(directory, 'older'), join(directory, 'data')];
  for (const one of [checkout, data]) mkdirSync(one);
  const stage = new Stage(data);
  try {
    say(`building the server of ${commit.hash} …`);
    buildOlder(commit, checkout);
    await stage.open();
    const run = await upgrade(stage, checkout, say);
    const upgraded: Upgrade = { ...run, commit };
    report(upgraded, say);
    writeUpgradePage(upgraded);
  } finally {
    await stage.close();
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** One database, the nodes on it, and what stands in front of them. */
class Stage {
  readonly #data: string;
  readonly nodes: Node[] = [];
  /** Answers of /ready other than 200, of any node that serves. */
  readonly unready: string[] = [];
  cluster!: Cluster;
  front!: Balance;
  #watch: NodeJS.Timeout | null = null;

  constructor(data: string) {
    this.#data = data;
  }

  async open(): Promise<void> {
    this.cluster = await startCluster({ dataDir: this.#data, log: pino({ level: 'silent' }) });
    this.front = await balance();
    this.#watch = setInterval(() => {
      for (const { url } of this.nodes) void this.#look(url);
    }, 500);
  }

  async #look(url: string): Promise<void> {
    const answer = await fetch(`${url}/ready`).catch(() => null);
    const isThere = this.nodes.some((node) => node.url === url);
    if (isThere && answer?.status !== 200)
      this.unready.push(`${url}: ${answer?.status ?? 'no answer'} ${await answer?.text()}`);
  }

  async start(name: string, checkout?: string): Promise<Node> {
    const env = {
      DATA_DIR: join(this.#data, name),
      STORAGE_DIR: join(this.#data, 'files'),
      DATABASE_URL: this.cluster.url,
      DATABASE_DIRECT_URL: this.cluster.directUrl,
      // A project's rows are read whole to be compared.
      DATA_MAX_ROWS: '0',
    };
    const node = { ...(await startServer(env, [], checkout)), name };
    this.nodes.push(node);
    return node;
  }

  /** Drained, then asked to end. */
  async retire(node: Node): Promise<number | null> {
    this.front.nodes.splice(this.front.nodes.indexOf(node.url), 1);
    await pause(drainMs);
    this.nodes.splice(this.nodes.indexOf(node), 1);
    await stopServer(node);
    return node.process.exitCode;
  }

  async migrations(): Promise<string[]> {
    const owner = new pg.Client(connectionOptions(this.cluster.directUrl));
    await owner.connect();
    const { rows } = await owner.query<{ name: string }>('select name from private.migrations order by name');
    await owner.end();
    return rows.map(({ name }) => name);
  }

  async close(): Promise<void> {
    if (this.#watch !== null) clearInterval(this.#watch);
    await Promise.all(this.nodes.splice(0).map((node) => stopServer(node)));
    this.front?.close();
    await this.cluster?.stop();
  }
}

async function upgrade(stage: Stage, checkout: string, say: (line: string) => void): Promise<Omit<Upgrade, 'commit'>> {
  const { front } = stage;
  const old = [await stage.start('older-1', checkout), await stage.start('older-2', checkout)] as const;
  front.nodes.push(...old.map(({ url }) => url));
  const { door, planted } = await settle(front.url);
  const before = await stage.migrations();
  const phases: Phase[] = [];
  const begin = (name: string, stands: Phase['stands']): void => {
    phases.push({ name, stands, at: performance.now() });
    say(`${new Date().toISOString()} ${name} …`);
  };

  const { anonKey } = door;
  const place = {
    url: front.url,
    anonKey,
    token: planted.owner.token,
    projectId: planted.project,
    columnId: planted.columns[0] ?? '',
  };
  const listeners = Array.from({ length: manyListeners }, () => new Listener(place));
  await Promise.all(listeners.map((listener) => listener.start()));
  const session = keepRefreshing(door, planted.owner.refreshToken);
  begin('the two old nodes serve', 'before');
  const ledger = openLedger();
  const work = startWriters({ door, planted, ledger, dice: seeded(20) }, people, workOnTasks);
  await pause(aloneMs);

  begin('the first new node comes and migrates', 'migrating');
  const first = await stage.start('newer-1');
  const cameMs = performance.now() - (phases.at(-1)?.at ?? 0);
  front.nodes.push(first.url);
  begin('both old nodes and the new one serve', 'both');
  const wrongSessions = await tryBothWays({ ...door, url: old[0].url }, { ...door, url: first.url });
  await pause(besideMs);
  begin('an old node ends, another new one takes its place', 'both');
  const exitCodes = [await stage.retire(old[0])];
  front.nodes.push((await stage.start('newer-2')).url);
  await pause(besideMs / 3);
  begin('the other old node ends', 'both');
  exitCodes.push(await stage.retire(old[1]));
  begin('the two new nodes serve', 'after');
  await pause(aloneMs);

  const endedAt = performance.now();
  await Promise.all([work.stop(), session.stop()]);
  const heard = { listeners: manyListeners, unheard: 0, events: 0, readAgain: 0 };
  for (const listener of listeners) {
    heard.unheard += await untilHeard(listener, ledger);
    heard.events += listener.events;
    // Each has read once when it came.
    heard.readAgain += listener.readAgain - 1;
    await listener.stop();
  }
  return {
    phases,
    endedAt,
    cameMs,
    migrations: (await stage.migrations()).filter((name) => !before.includes(name)),
    ledger,
    left: await check(door, planted, ledger),
    unready: stage.unready,
    exitCodes,
    heard,
    session: { times: session.times, failures: [...session.failures, ...wrongSessions] },
    tasksBefore,
  };
}

/** Two people with a project to work in, and another one that is full already: what migrations find. */
async function settle(url: string): Promise<{ door: Door; planted: Planted }> {
  const door = { agent: new Agent({ keepAlive: false }), url, anonKey: (await openKeys()).anonKey };
  const full = await plant(door);
  for (let made = 0; made < tasksBefore; made += 500) {
    const rows = Array.from({ length: 500 }, (_, at) => ({
      project_id: full.project,
      column_id: full.columns[at % full.columns.length],
      title: `Task ${made + at}`,
    }));
    const headers = asCaller(door.anonKey, full.owner.token);
    taken(await ask(door.agent, url, { method: 'POST', path: '/rest/v1/tasks', headers, body: JSON.stringify(rows) }));
  }
  return { door, planted: await plant(door) };
}

/** How many tasks the listener does not know after it had time to hear of them. */
async function untilHeard({ known }: Listener, { places }: Ledger): Promise<number> {
  const unheard = (): number => [...places.keys()].filter((id) => !known.has(id)).length;
  for (let waited = 0; unheard() > 0 && waited < 30_000; waited += 250) await pause(250);
  return unheard();
}

function report({ ledger, left, unready, heard, session, exitCodes }: Upgrade, say: (line: string) => void): void {
  const wrong = [
    ...failuresOf(ledger).map((line) => `failed: ${line}`),
    ...left.lost.map((line) => `lost: ${line}`),
    ...left.twice.map((line) => `twice: ${line}`),
    ...left.wrong.map((line) => `not as acknowledged: ${line}`),
    ...session.failures.map((line) => `session: ${line}`),
    ...unready.map((line) => `not ready: ${line}`),
    ...exitCodes.filter((code) => code !== 0).map((code) => `a node ended with ${code}`),
    ...(heard.unheard > 0 ? [`listeners never heard of ${heard.unheard} tasks`] : []),
  ];
  for (const line of wrong.slice(0, 20)) say(line);
  say(
    `${ledger.answered.length} requests, ${left.acknowledged} writes, ${session.times} refreshes, ${heard.events} live changes; ${wrong.length} things wrong`,
  );
  if (wrong.length > 0) process.exitCode = 1;
}
