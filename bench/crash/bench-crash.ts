// `npm run bench -- --crash`: kill -9 of the server, of Postgres, and of both by turns, a hundred times, while eight writers and a listener
// use the doors for tables, procedures, files, accounts and live changes; then faults of the machine (faults.ts). Into docs/figures.md.
// `--quick`: six times and the faults; `--cycles=`, `--seed=`, `--only=cycles` or `--only=` the name of a fault.

import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
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
import { type Door, type Planted, plant } from '../plant.ts';
import { postmasterOf } from '../process-figures.ts';
import { seeded } from '../seeded.ts';
import { openKeys, startServer, stopServer, untilReady } from '../start-server.ts';
import { check } from './check.ts';
import { type FaultOutcome, tryFaults } from './faults.ts';
import { type Kind, kinds, type Ledger, openLedger } from './ledger.ts';
import { type Listener, listen } from './listener.ts';
import { finishUploads } from './uploads.ts';
import { type AtEnd, type Cycle, untriedInWords, victims, writeCrashPage } from './write-page.ts';
import { startWriters } from './writers.ts';

const writers = 8;
const restartLimitMs = 2000;

export async function benchCrash(say: (line: string) => void): Promise<void> {
  const only = flag('only');
  const cycles = only === null || only === 'cycles' ? await crashOften(say) : null;
  const faults: FaultOutcome[] = only === 'cycles' ? [] : await tryFaults(say, only);
  const broken = faults.filter(({ kept }) => kept === false);
  if (cycles !== null) writeCrashPage({ ...cycles, faults });
  const wrong = cycles?.all.flatMap((one) => [...one.lost, ...one.twice, ...one.wrong]) ?? [];
  if (wrong.length + broken.length + (cycles?.end.strays ?? 0) > 0) process.exitCode = 1;
  const untried = faults.filter(({ kept }) => kept === null);
  if (faults.length > 0) say(untriedInWords(untried, faults.length));
}

async function crashOften(say: (line: string) => void): Promise<{ all: Cycle[]; end: AtEnd; seed: number }> {
  const count = Number(flag('cycles') ?? (isQuick() ? 6 : 100));
  const seed = Number(flag('seed') ?? 20);
  const dice = seeded(seed);
  const directory = mkdtempSync(join(tmpdir(), 'kanbase-crash-'));
  chmodSync(directory, 0o755);
  const settings = {
    DATA_DIR: join(directory, 'data'),
    PORT: String(await findFreePort('127.0.0.1')),
    // A project's rows are read whole to be compared.
    DATA_MAX_ROWS: '0',
    // Each of the few who leave an address here leaves many.
    LEADS_PER_MINUTE: '100000',
  };
  let server = await startServer(settings);
  const agent = new Agent({ keepAlive: true, maxSockets: writers + 4 });
  const { anonKey } = await openKeys();
  const door: Door = { agent, url: server.url, anonKey };
  const past: { planted: Planted; ledger: Ledger }[] = [];
  const all: Cycle[] = [];
  try {
    for (let at = 0; at < count; at++) {
      const victim = victims[at % victims.length] ?? 'both';
      const planted = await plant(door);
      const ledger = openLedger();
      for (let task = 0; task < planted.tasks.length; task++) ledger.tasks.set(`Task ${task}`, 'there');
      const listener = listen(door, planted);
      const load = startWriters({ door, planted, ledger, dice }, writers);
      await pause(300 + dice.below(700));
      const killedAt = performance.now();
      const postmaster = postmasterOf(settings.DATA_DIR);
      if (victim !== 'Postgres') await stopServer(server, 'SIGKILL');
      if (victim !== 'server' && postmaster > 0) process.kill(postmaster, 'SIGKILL');
      let readyMs: number | null = null;
      if (victim !== 'Postgres') {
        const began = performance.now();
        server = await startServer(settings);
        await untilReady(door);
        readyMs = performance.now() - began;
      }
      const goesOn = (): number | undefined => ledger.sentAt.find((sentAt) => sentAt > killedAt + 1);
      for (let waited = 0; goesOn() === undefined && waited < 30_000; waited += 10) await pause(10);
      const writesMs = performance.now() - killedAt;
      await pause(200);
      await load.stop();
      await untilReady(door);
      const stuck = await finishUploads(door, ledger);
      const verdict = await check(door, planted, ledger);
      const unheard = await heardAll(listener, ledger);
      await listener.stop();
      const wrong = [
        ...verdict.wrong,
        ...stuck,
        ...(unheard > 0 ? [`the listener never heard of ${unheard} comments`] : []),
        ...(listener.twice() > 0 ? [`the listener heard ${listener.twice()} comments twice`] : []),
        ...(readyMs !== null && readyMs > restartLimitMs ? [`the restart took ${Math.round(readyMs)} ms`] : []),
      ];
      const cycle = {
        ...verdict,
        wrong,
        victim,
        readyMs,
        writesMs,
        refusals: ledger.refusals,
        kinds: ledger.kinds,
        connections: listener.connections(),
      };
      all.push(cycle);
      past.push({ planted, ledger });
      say(
        `${at + 1}. ${victim}: ${verdict.acknowledged} acknowledged, ${verdict.lost.length} lost, ${verdict.twice.length} twice; ready after ${readyMs === null ? '–' : Math.round(readyMs)} ms, writes after ${Math.round(writesMs)} ms`,
      );
      for (const line of [...verdict.lost, ...verdict.twice, ...wrong].slice(0, 10)) say(`   ${line}`);
    }
    say(
      Object.keys(kinds)
        .map((kind) => `${kind} ${all.reduce((sum, one) => sum + (one.kinds.get(kind as Kind) ?? 0), 0)}`)
        .join(', '),
    );
    say('all of it once more …');
    for (const { planted, ledger } of past) {
      const { lost, twice, wrong } = await check(door, planted, { ...ledger, faults: [] });
      for (const line of [...lost, ...twice, ...wrong]) say(`   at the end: ${line}`);
      if (lost.length + twice.length + wrong.length > 0) process.exitCode = 1;
    }
    const end = await checkDisk(settings.DATA_DIR, door, past);
    say(`${end.rows} files have a row and bytes, ${end.strays} only one of them`);
    return { all, end, seed };
  } finally {
    agent.destroy();
    await stopServer(server);
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** How many acknowledged comments the listener still does not know after a while. */
async function heardAll({ seen }: Listener, { comments }: Ledger): Promise<number> {
  const missing = (): number => [...comments].filter(([body, known]) => known === 'there' && !seen.has(body)).length;
  for (let waited = 0; missing() > 0 && waited < 10_000; waited += 20) await pause(20);
  return missing();
}

/** Once the server has swept, as if the day had passed for which an upload keeps what it has reserved, rows and files are the same. */
async function checkDisk(dataDir: string, door: Door, past: readonly { ledger: Ledger }[]): Promise<AtEnd> {
  const { serviceRoleKey } = await openKeys();
  const cluster = await startCluster({ dataDir, log: pino({ level: 'silent' }), share: true });
  const owner = new pg.Client(connectionOptions(cluster.directUrl));
  await owner.connect();
  try {
    const leads = past.flatMap(({ ledger }) => [...ledger.leads]);
    const kept = await owner.query<{ email: string; count: number }>(
      'select email, count(*)::int from private.leads where email = any ($1) group by email',
      [leads.map(([email]) => email)],
    );
    const times = new Map(kept.rows.map(({ email, count }) => [email, count]));
    if (leads.some(([email, known]) => known === 'there' && !times.has(email)))
      throw new Error('An address that was left is lost');
    let [rows, files]: [string[], string[]] = [[], []];
    for (let waited = 0; waited < 60_000; waited += 500) {
      await owner.query(`
        update private.resumable_uploads set expires_at = now();
        update private.unclaimed_files set due_at = now()`);
      // A removal has it swept at once.
      await ask(door.agent, door.url, {
        method: 'DELETE',
        path: '/storage/v1/object/attachments',
        headers: asCaller(serviceRoleKey, serviceRoleKey),
        body: '{"prefixes":["nothing"]}',
      });
      const found = await owner.query<{ version: string }>('select version from storage.objects');
      rows = found.rows.map(({ version }) => version);
      files = filesBelow(join(dataDir, 'files')).map((path) => path.split('/').at(-1) ?? '');
      if (strays(rows, files) === 0) break;
      await pause(500);
    }
    return { rows: rows.length, strays: strays(rows, files) };
  } finally {
    await owner.end();
  }
}

function strays(rows: readonly string[], files: readonly string[]): number {
  const [a, b] = [new Set(rows), new Set(files)];
  return rows.filter((one) => !b.has(one)).length + files.filter((one) => !a.has(one)).length;
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
