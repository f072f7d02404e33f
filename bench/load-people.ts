// Simulated people: each looks at the board of a project, moves cards, comments, attaches, searches, rests in between as people do, and hears
// live what the others of the project do.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { asCaller, ask, NoResponse } from './ask.ts';
import type { Door } from './plant.ts';
import { type BenchClient, follow, openClient } from './realtime-client.ts';
import { type Dice, seeded } from './seeded.ts';

export interface Seat {
  readonly token: string;
  readonly project: string;
  readonly columns: readonly string[];
  readonly tasks: readonly string[];
}

export interface Watch {
  /** Milliseconds of each answer, by what was done. */
  readonly times: Map<string, number[]>;
  readonly statuses: Map<number, number>;
  /** When each answer came, in seconds since `began`, and how many it took. */
  readonly answers: { readonly at: number; readonly took: number }[];
  readonly began: number;
  /** How much each person got done. */
  readonly done: number[];
  /** From commit until a listener had it. */
  readonly heard: number[];
  /** Nothing came, or not all of it. */
  unanswered: number;
  socketsLost: number;
}

export const openWatch = (people: number): Watch => ({
  times: new Map(),
  statuses: new Map(),
  answers: [],
  began: performance.now(),
  done: new Array<number>(people).fill(0),
  heard: [],
  unanswered: 0,
  socketsLost: 0,
});

const socketsAtOnce = 50;
export const lookEveryMs = 2000;

/** Sits everybody down, lets them work until the time is over, looks once more while all are there, and sends them home. */
export async function letWork(
  door: Door,
  seats: readonly Seat[],
  watch: Watch,
  milliseconds: number,
  meanwhile: (isOver: boolean) => Promise<void>,
): Promise<void> {
  const sockets: BenchClient[] = [];
  for (let at = 0; at < seats.length; at += socketsAtOnce)
    sockets.push(...(await Promise.all(seats.slice(at, at + socketsAtOnce).map((seat) => hear(door, seat, watch)))));
  const until = performance.now() + milliseconds;
  const looking = setInterval(() => void meanwhile(false), lookEveryMs);
  let going = true;
  for (const socket of sockets) void socket.closed.then(() => (watch.socketsLost += going ? 1 : 0));
  await Promise.all(seats.map((seat, at) => work({ door, seat, watch, at, until, dice: seeded(at + 1) })));
  clearInterval(looking);
  await meanwhile(true);
  going = false;
  await Promise.all(sockets.map((socket) => socket.close()));
}

const stamp = Buffer.from('"commit_timestamp":"');

async function hear(door: Door, { token, project }: Seat, watch: Watch): Promise<BenchClient> {
  const client = await openClient(door);
  client.onFrame = (bytes, start, end) => {
    const at = bytes.indexOf(stamp, start);
    if (at >= 0 && at < end)
      watch.heard.push(
        Math.max(0, Date.now() - Date.parse(bytes.toString('latin1', at + stamp.length, at + stamp.length + 24))),
      );
  };
  follow(client, token, { topic: project, tables: ['tasks', 'task_comments'], filter: `project_id=eq.${project}` });
  const beating = setInterval(() => client.send(JSON.stringify([null, '2', 'phoenix', 'heartbeat', {}])), 25_000);
  void client.closed.then(() => clearInterval(beating));
  return client;
}

interface Worker {
  readonly door: Door;
  readonly seat: Seat;
  readonly watch: Watch;
  readonly at: number;
  readonly until: number;
  readonly dice: Dice;
}

async function work(worker: Worker): Promise<void> {
  const { until, dice, watch, at } = worker;
  // People do not all come in the same second.
  await pause(dice.below(Math.min(10_000, (until - performance.now()) / 3)));
  while (performance.now() < until) {
    await act(worker);
    watch.done[at] = (watch.done[at] ?? 0) + 1;
    // Two seconds at least, nine on average, now and then half a minute.
    const rest = 2000 + -Math.log(1 - dice.below(1000) / 1001) * 7000;
    await pause(Math.max(0, Math.min(rest, 40_000, until - performance.now())));
  }
}

async function act(worker: Worker): Promise<void> {
  const { seat, dice } = worker;
  const drawn = dice.below(100);
  const task = dice.pick(seat.tasks);
  if (drawn < 35) {
    const rows = `select=id,number,title,column_id,order_rank,priority,due_date,task_assignees(user_id),task_label_links(label_id)&project_id=eq.${seat.project}&archived_at=is.null`;
    await send(worker, 'read a board', 'GET', `/rest/v1/tasks?${rows}`);
  } else if (drawn < 55)
    await send(
      worker,
      'open a task',
      'GET',
      `/rest/v1/tasks?select=*,task_comments(*),task_checklist_items(*)&id=eq.${task}`,
    );
  else if (drawn < 75)
    await send(worker, 'move a card', 'POST', '/rest/v1/rpc/move_task', {
      task_id: task,
      column_id: dice.pick(seat.columns),
    });
  else if (drawn < 90)
    await send(worker, 'comment', 'POST', '/rest/v1/task_comments', { task_id: task, body: 'Seen to, and it holds.' });
  else if (drawn < 95)
    await send(worker, 'search', 'POST', '/rest/v1/rpc/search_tasks', { query: `task ${dice.below(60)}` });
  else
    await send(
      worker,
      'attach a file',
      'POST',
      `/storage/v1/object/attachments/${seat.project}/${task}/${randomUUID()}.txt`,
      Buffer.alloc(5000 + dice.below(60_000), 'quay '),
    );
}

async function send(
  { door, seat, watch }: Worker,
  kind: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<void> {
  const isFile = Buffer.isBuffer(body);
  const began = performance.now();
  try {
    const { status } = await ask(door.agent, door.url, {
      method,
      path,
      headers: asCaller(door.anonKey, seat.token, isFile ? { 'content-type': 'text/plain' } : {}),
      body: isFile ? body : body === undefined ? null : JSON.stringify(body),
    });
    watch.statuses.set(status, (watch.statuses.get(status) ?? 0) + 1);
    const times = watch.times.get(kind) ?? [];
    const ended = performance.now();
    times.push(ended - began);
    watch.times.set(kind, times);
    watch.answers.push({ at: (ended - watch.began) / 1000, took: (ended - began) / 1000 });
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    watch.unanswered++;
  }
}
