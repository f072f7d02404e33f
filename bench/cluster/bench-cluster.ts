// `npm run bench -- --cluster`: three machines (network namespaces here) with etcd, Patroni and Postgres 15, HAProxy, PgBouncer and
// Kanbase; files in S3; writers, uploads and listeners; then one thing after another is killed or cut off, and nobody helps.
// Counts what was acknowledged and is lost or there twice, and how long writes stood still; ends with 1 where that is more than is promised.
// Needs Linux and root.

import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';
import { openKeys } from '../start-server.ts';
import { Cluster } from './cluster.ts';
import { type Fault, faults, type Roles } from './faults.ts';
import { Ledger, Listener, Load, type Place, wrongFiles } from './load.ts';
import { secret } from './machine.ts';
import { goInside } from './network.ts';
import { notAsPromised, type Outcome, type Totals } from './outcome.ts';
import { writePage } from './write-page.ts';

const [writers, uploads, listeners] = [9, 2, 9];

export async function benchCluster(say: (line: string) => void): Promise<void> {
  const code = goInside();
  if (code !== null) {
    process.exitCode = code;
    return;
  }
  try {
    const cluster = new Cluster();
    await cluster.start(say);
    const broken = await measure(cluster, say);
    for (const line of broken) console.error(`Not as promised: ${line}`);
    process.exit(broken.length === 0 ? 0 : 1);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}

/** What was not as promised. */
async function measure(cluster: Cluster, say: (line: string) => void): Promise<string[]> {
  const place = await settle(cluster.url);
  const ledger = new Ledger();
  const load = new Load(place, ledger);
  const people = Array.from({ length: listeners }, () => new Listener(place));
  await Promise.all(people.map((person) => person.start()));
  const begunAt = Date.now();
  load.start({ writers, uploads });
  say('writers, uploads and listeners are at work …');
  await pause(10_000);
  const outcomes: Outcome[] = [];
  for (const fault of chosen()) outcomes.push(await strike(fault, cluster, ledger, begunAt, say));
  await pause(5000);
  await load.stop();
  const seconds = (Date.now() - begunAt) / 1000;
  const behind = await untilAllKnow(people, ledger, say);
  const totals = await count(cluster, place, ledger, people, { seconds, behind, begunAt });
  await Promise.all(people.map((person) => person.stop()));
  say(JSON.stringify({ ...totals, bySecond: undefined }, null, 1));
  for (const refusal of ledger.refusals.slice(0, 5)) say(`refused: ${refusal.slice(0, 300)}`);
  for (const one of ledger.stale) say(`stale: ${one}`);
  // The page tells of all of them.
  if (alone < 0) writePage(outcomes, totals);
  return notAsPromised(outcomes, totals);
}

/** `--fault N` tries one alone. */
const alone = process.argv.indexOf('--fault');

function chosen(): readonly Fault[] {
  const wanted = alone < 0 ? faults : faults.filter((_, index) => String(index + 1) === process.argv[alone + 1]);
  if (wanted.length === 0) throw new Error(`--fault wants a number from 1 to ${faults.length}`);
  return wanted;
}

async function strike(
  fault: Fault,
  cluster: Cluster,
  ledger: Ledger,
  begunAt: number,
  say: (line: string) => void,
): Promise<Outcome> {
  const roles = (await cluster.roles()) as Roles;
  const at = Date.now();
  await fault.strike(roles);
  await pause(fault.lasts * 1000);
  await fault.restore(roles);
  const restored = Date.now();
  await cluster.untilWhole(90);
  const whole = (Date.now() - restored) / 1000;
  await pause(5000);
  const moments = ledger.acknowledged.filter((one) => one.at >= at).map((one) => one.at);
  // To the end: writes that never went on have stood still all the time.
  const stood = Math.max(...[...moments, Date.now()].map((moment, index) => moment - (moments[index - 1] ?? at)));
  const waited = Math.max(...ledger.acknowledged.filter((one) => one.at >= at).map((one) => one.at - one.begunAt));
  const outcome = {
    name: fault.name,
    at: (at - begunAt) / 1000,
    stood: stood / 1000,
    waited: waited / 1000,
    whole,
    roles: `primary ${roles.primary.number}, confirming ${roles.confirming.number}, etcd ${roles.etcdLeader.number}`,
  };
  say(`${fault.name}: ${JSON.stringify(outcome)}`);
  return outcome;
}

async function settle(url: string): Promise<Place> {
  const { anonKey } = await openKeys(secret);
  const client = createClient(url, anonKey, {
    auth: { persistSession: false },
    realtime: { transport: WebSocket as never },
  });
  const account = { email: 'ada@cluster.test', password: 'correct horse battery' };
  const { data, error } = await client.auth.signUp(account);
  if (error !== null) throw error;
  const made = await client.rpc('create_project_with_defaults', { name: 'Cluster' });
  if (made.error !== null) throw new Error(made.error.message);
  const projectId = (made.data as { id: string }).id;
  const columns = await client
    .from('workflow_columns')
    .select('id')
    .eq('project_id', projectId)
    .order('position')
    .limit(1);
  return {
    url,
    anonKey,
    token: data.session?.access_token ?? '',
    projectId,
    columnId: columns.data?.[0]?.id as string,
  };
}

/** How many listeners do not know all that was acknowledged, after they had time to; of each it is told what it lacks. */
async function untilAllKnow(people: readonly Listener[], ledger: Ledger, say: (line: string) => void): Promise<number> {
  const lacks = ({ known, isStanding }: Listener): string[] => [
    ...(isStanding ? [] : ['it does not stand']),
    ...[...ledger.ids.keys()].filter((id) => !known.has(id)).map((id) => `task ${id}`),
    ...[...ledger.counters]
      .filter(([id, { acknowledged }]) => Number(known.get(id) ?? -1) < acknowledged)
      .map(([id, { acknowledged }]) => `task ${id} counts ${acknowledged}, known is ${known.get(id) ?? 'nothing'}`),
  ];
  for (let tries = 0; tries < 60 && people.some((person) => lacks(person).length > 0); tries++) await pause(500);
  people.forEach((person, at) => {
    const missing = lacks(person);
    if (missing.length > 0) say(`listener ${at + 1} lacks ${missing.length}: ${missing.slice(0, 5).join('; ')}`);
  });
  return people.filter((person) => lacks(person).length > 0).length;
}

interface Run {
  readonly seconds: number;
  readonly behind: number;
  readonly begunAt: number;
}

async function count(
  cluster: Cluster,
  place: Place,
  ledger: Ledger,
  people: readonly Listener[],
  { seconds, behind, begunAt }: Run,
): Promise<Totals> {
  const { primary } = (await cluster.roles()) as Roles;
  const rows = await cluster.query<{ id: string; title: string; description: string }>(
    primary,
    'select id, title, description from public.tasks',
  );
  const ids = new Map(rows.map((row) => [row.id, row]));
  const titles = new Map<string, number>();
  for (const { title } of rows) titles.set(title, (titles.get(title) ?? 0) + 1);
  const counters = [...ledger.counters].filter(
    ([id, { acknowledged }]) => Number(ids.get(id)?.description ?? 0) < acknowledged,
  );
  const lost =
    [...ledger.ids.keys()].filter((id) => !ids.has(id)).length +
    [...ledger.titles].filter((title) => !titles.has(title)).length;
  const bySecond = new Array<number>(Math.ceil(seconds) + 1).fill(0);
  for (const { at } of ledger.acknowledged) {
    const second = Math.floor((at - begunAt) / 1000);
    bySecond[second] = (bySecond[second] ?? 0) + 1;
  }
  return {
    seconds,
    acknowledged: ledger.acknowledged.length,
    failed: ledger.failed,
    refused: ledger.refusals.length,
    lost: lost + counters.length,
    doubled: [...titles.values()].filter((times) => times > 1).length,
    files: ledger.files.size,
    filesWrong: (await wrongFiles(place, ledger)).length,
    listeners: people.length,
    listenersBehind: behind,
    events: people.reduce((sum, { events }) => sum + events, 0),
    readAgain: people.reduce((sum, { readAgain }) => sum + readAgain - 1, 0),
    reads: ledger.reads,
    bySecond,
    versions: versions(),
  };
}

function versions(): string {
  const first = (command: string, ...args: string[]): string =>
    (/\d+\.\d+(\.\d+)?/.exec(execFileSync(command, args, { encoding: 'utf8' })) ?? [''])[0];
  return [
    `PostgreSQL ${first('/usr/lib/postgresql/15/bin/postgres', '--version')}`,
    `Patroni ${first('patroni', '--version')}`,
    `etcd ${first('etcd', '--version')}`,
    `HAProxy ${first('/usr/sbin/haproxy', '-v')}`,
    `PgBouncer ${first('/usr/sbin/pgbouncer', '--version')}`,
  ].join(', ');
}
