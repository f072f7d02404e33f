// `npm run bench -- --load`: five hundred simulated people for ten minutes, ten times as many, and then more requests at once than can be
// answered. Into docs/figures.md; what is not as promised is said, and ends with 1. `--minutes=` for each of the two, `--people=`; `--quick`: sixty
// people for a third of a minute, and six hundred.

import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { connectionOptions } from '../server/database/connection-options.ts';
import { asCaller, ask, NoResponse } from './ask.ts';
import { flag, isQuick } from './flag.ts';
import { inspected, inspectorOf, usedBy } from './inspector.ts';
import { letWork, lookEveryMs, openWatch, type Seat } from './load-people.ts';
import { brokenPromises, drainMs } from './load-verdict.ts';
import { type WaitWatch, watchWaits, worstSeconds } from './load-waits.ts';
import type { Door } from './plant.ts';
import { cpuSeconds, heldBy } from './process-figures.ts';
import { at } from './quantile.ts';
import { openStage, type Stage } from './stage.ts';
import { type LoadSample, type Overload, type Shift, worstInWords, writeLoadPage } from './write-load-page.ts';

const peopleOfProject = 10;
const tasksOfProject = 60;
/** How many ask at once when more is asked than can be answered; a thousand may wait for a connection. */
const crowd = 3000;
const crowdMs = 8000;

export async function benchLoad(say: (line: string) => void): Promise<void> {
  const minutes = Number(flag('minutes') ?? (isQuick() ? 1 / 3 : 10));
  const people = Number(flag('people') ?? (isQuick() ? 60 : 500));
  const stage = await openStage(say, { filled: false, settings: inspected });
  const inspector = inspectorOf(stage.log());
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const door = { agent, url: stage.url, anonKey: stage.anonKey };
  const waits = await watchWaits(stage.ownerUrl);
  try {
    const seats = await fill(stage, people * 10);
    say(`${seats.length} people, ${seats.length / peopleOfProject} projects of ${tasksOfProject} tasks`);
    const shifts: Shift[] = [];
    for (const count of [people, people * 10]) {
      const shift = await work({ stage, inspector, door, waits }, seats.slice(0, count), minutes);
      shifts.push(shift);
      tell(shift, say);
    }
    const overload = await crowdIn(door, seats);
    say(
      `${crowd} at once: ${JSON.stringify([...overload.statuses])}, ${overload.wordless} of the 503 without Retry-After; a read took ${overload.beforeMs.toFixed(1)} ms before, ${overload.afterMs.toFixed(1)} ms after, as before within ${Math.round(overload.recoveredMs)} ms`,
    );
    const run = { shifts, overload, minutes, crowd, crowdMs };
    const broken = brokenPromises(run);
    for (const one of broken) say(`NOT AS PROMISED: ${one}`);
    if (broken.length > 0) process.exitCode = 1;
    writeLoadPage(run, broken);
  } finally {
    agent.destroy();
    await waits.close();
    await stage.close();
  }
}

/** Put there in sets, as owner; what people do comes by the doors. */
async function fill(stage: Stage, people: number): Promise<Seat[]> {
  const owner = new pg.Client(connectionOptions(stage.ownerUrl));
  await owner.connect();
  const ids = Array.from({ length: people }, () => randomUUID());
  await owner.query(
    `insert into auth.users (id, email, email_confirmed_at) select p, p || '@bench.test', now() from unnest($1::uuid[]) p`,
    [ids],
  );
  const seats: Seat[] = [];
  for (let at = 0; at < people; at += peopleOfProject) {
    const members = ids.slice(at, at + peopleOfProject);
    await owner.query('begin');
    await owner.query(`select set_config('request.jwt.claims', $1, true)`, [JSON.stringify({ sub: members[0] })]);
    const { rows } = await owner.query<{ id: string }>('select id from public.create_project_with_defaults($1)', [
      `Board ${at}`,
    ]);
    await owner.query('commit');
    const project = rows[0]?.id ?? '';
    await owner.query(
      `insert into public.project_members (project_id, user_id, role) select $1, p, 'editor' from unnest($2::uuid[]) p on conflict do nothing`,
      [project, members],
    );
    const columns = (
      await owner.query<{ id: string }>(
        'select id from public.workflow_columns where project_id = $1 order by position',
        [project],
      )
    ).rows.map(({ id }) => id);
    const tasks = (
      await owner.query<{ id: string }>(
        `insert into public.tasks (project_id, column_id, title, description)
         select $1, ($2::uuid[])[1 + n % 4], 'Task ' || n, repeat('A line about the quay. ', 5) from generate_series(1, $3::int) n returning id`,
        [project, columns, tasksOfProject],
      )
    ).rows.map(({ id }) => id);
    for (const id of members) seats.push({ token: await stage.tokenFor(id), project, columns, tasks });
  }
  await owner.query('vacuum analyze');
  await owner.end();
  return seats;
}

interface Workplace {
  readonly stage: Stage;
  readonly inspector: string;
  readonly door: Door;
  readonly waits: WaitWatch;
}

async function work(
  { stage, inspector, door, waits }: Workplace,
  seats: readonly Seat[],
  minutes: number,
): Promise<Shift> {
  const before = await usedBy(inspector);
  const watch = openWatch(seats.length);
  const samples: LoadSample[] = [];
  const quarter = Math.max(1, Math.floor((minutes * 60_000) / lookEveryMs / 4));
  const [began, cpu] = [watch.began, cpuSeconds(stage.pid)];
  await waits.look();
  const look = async (isOver: boolean): Promise<void> => {
    const seconds = (performance.now() - began) / 1000;
    const looked = await waits.look();
    let figure = await askFigures(door);
    // Everybody was answered; what the last changes have the server ask for those who listen may still wait for a moment.
    const limit = performance.now() + drainMs;
    while (isOver && figure('kanbase_database_queue') > 0 && performance.now() < limit) {
      await pause(100);
      figure = await askFigures(door);
    }
    const heap = (figure('nodejs_heap_size_used_bytes') + figure('nodejs_external_memory_bytes')) / 2 ** 20;
    const waiting = figure('kanbase_database_queue');
    const held = heldBy(stage.pid, stage.postmaster);
    const used = isOver || samples.length === quarter ? await usedBy(inspector) : null;
    samples.push({ seconds, waiting, heap, ...held, used, waits: looked });
  };
  await letWork(door, seats, watch, minutes * 60_000, look);
  const seconds = (performance.now() - began) / 1000;
  const processor = (cpuSeconds(stage.pid) - cpu) / seconds;
  return { people: seats.length, seconds, watch, before, samples, processor };
}

async function askFigures(door: Door): Promise<(name: string) => number> {
  const answer = await ask(door.agent, door.url, { method: 'GET', path: '/metrics' }).catch(() => null);
  const text = answer?.body.toString() ?? '';
  return (name) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

function tell({ people, seconds, watch, before, samples, processor }: Shift, say: (line: string) => void): void {
  const asked = [...watch.statuses.values()].reduce((all, count) => all + count, 0);
  const used = [before, ...samples.flatMap((sample) => sample.used ?? [])];
  say(
    `${people} people for ${seconds.toFixed(0)} s: ${(asked / seconds).toFixed(0)} requests a second, ${JSON.stringify([...watch.statuses])}, ${watch.unanswered} unanswered, ${watch.socketsLost} sockets lost; server ${(processor * 100).toFixed(0)} % of a processor, ${samples.at(0)?.server} → ${samples.at(-1)?.server} MB, in use before, at a quarter and at the end ${used.map(({ heap, buffers }) => `${heap.toFixed(1)} + ${buffers.toFixed(1)}`).join(', ')} MB, at most ${Math.max(...samples.map(({ waiting }) => waiting))} waiting (${samples
      .filter(({ waiting }) => waiting > 0)
      .map((sample) => `${sample.waiting} after ${sample.seconds.toFixed(0)} s`)
      .join(', ')})`,
  );
  say(`  ${worstInWords(worstSeconds(samples, watch.answers))}`);
  const most = samples.reduce((a, b) => (b.waiting > a.waiting ? b : a), samples[0] as LoadSample);
  if (most.waiting > 0)
    say(
      `  when most waited (${most.waiting}, after ${most.seconds.toFixed(0)} s), Postgres was asked: ${most.waits.statements.join(' | ')}`,
    );
  for (const [kind, times] of watch.times)
    say(
      `  ${kind}: p50 ${at(times, 0.5).toFixed(1)} ms, p99 ${at(times, 0.99).toFixed(1)} ms, longest ${at(times, 1).toFixed(0)} ms (${times.length})`,
    );
  say(
    `  live: p50 ${at(watch.heard, 0.5)} ms, p99 ${at(watch.heard, 0.99)} ms (${watch.heard.length}); least done by one person ${Math.min(...watch.done)}, median ${at(watch.done, 0.5)}`,
  );
}

/** More requests at once than can be answered: some are refused at once, the others answered; then all is as before. */
async function crowdIn(door: Door, seats: readonly Seat[]): Promise<Overload> {
  const statuses = new Map<string, number>();
  let wordless = 0;
  const one = async (seat: Seat): Promise<void> => {
    const path = `/rest/v1/tasks?select=*,task_comments(*)&project_id=eq.${seat.project}`;
    try {
      const answer = await ask(door.agent, door.url, {
        method: 'GET',
        path,
        headers: asCaller(door.anonKey, seat.token),
      });
      statuses.set(String(answer.status), (statuses.get(String(answer.status)) ?? 0) + 1);
      if (answer.status === 503 && answer.headers['retry-after'] === undefined) wordless++;
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      const what = error.late ? 'late' : 'cut off';
      statuses.set(what, (statuses.get(what) ?? 0) + 1);
    }
  };
  const read = async (): Promise<number> => {
    const seat = seats[0] as Seat;
    const began = performance.now();
    await ask(door.agent, door.url, {
      method: 'GET',
      path: `/rest/v1/tasks?id=eq.${seat.tasks[0]}`,
      headers: asCaller(door.anonKey, seat.token),
    });
    return performance.now() - began;
  };
  const before: number[] = [];
  for (let times = 0; times < 50; times++) before.push(await read());
  const until = performance.now() + crowdMs;
  await Promise.all(
    Array.from({ length: crowd }, async (_, at) => {
      while (performance.now() < until) {
        await one(seats[at % seats.length] as Seat);
        // As the answer says that one should.
        await pause(1000);
      }
    }),
  );
  const over = performance.now();
  const beforeMs = at(before, 0.5);
  const afterMs = await read();
  for (let took = afterMs; took > beforeMs * 3 && performance.now() - over < 30_000; ) took = await read();
  return { statuses, wordless, beforeMs, afterMs, recoveredMs: performance.now() - over };
}
