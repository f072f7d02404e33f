// People at work while nodes are replaced: each adds a task, changes it, moves it, attaches a file and reads, and keeps what was
// acknowledged. Nothing is retried: an answer that is not as it should be is a failure. Every request comes on a connection of its own.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { asCaller, ask } from '../ask.ts';
import type { Place } from '../cluster/load.ts';

export interface WorkPlace extends Place {
  /** Where tasks are moved to. */
  readonly otherColumnId: string;
}

export interface Answered {
  readonly at: number;
  readonly ms: number;
}

interface Task {
  readonly id: string;
  readonly title: string;
  description: string | null;
  column_id: string;
}

export interface Work {
  readonly answered: readonly Answered[];
  readonly failures: readonly string[];
  /** As they were acknowledged. */
  readonly tasks: readonly Readonly<Task>[];
  /** What is in each file, as a digest, by its name. */
  readonly files: ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

const agent = new Agent({ keepAlive: false });
/** Who fails does not fail as fast as it can. */
const afterFailureMs = 50;

export function startWork(place: WorkPlace, people: number): Work {
  const [answered, failures, tasks, files]: [Answered[], string[], Task[], Map<string, string>] = [
    [],
    [],
    [],
    new Map(),
  ];
  let working = true;

  async function send(method: string, path: string, body: object | Buffer | null, wanted: number): Promise<boolean> {
    const isFile = Buffer.isBuffer(body);
    const headers = asCaller(place.anonKey, place.token, isFile ? { 'content-type': 'application/octet-stream' } : {});
    const began = performance.now();
    const answer = await ask(agent, place.url, {
      method,
      path,
      headers,
      body: isFile || body === null ? body : JSON.stringify(body),
    }).catch((error: Error) => ({ status: 0, body: error.message }));
    answered.push({ at: performance.now(), ms: performance.now() - began });
    if (answer.status === wanted) return true;
    failures.push(
      `${new Date().toISOString()} ${method} ${path}: ${answer.status} ${answer.body.toString().slice(0, 300)}`,
    );
    await pause(afterFailureMs);
    return false;
  }

  async function turnOf(person: number, turn: number): Promise<void> {
    const { projectId: project_id, columnId: column_id } = place;
    const task: Task = { id: randomUUID(), title: `Task ${person}/${turn}`, description: null, column_id };
    const { id, title } = task;
    if (!(await send('POST', '/rest/v1/tasks', { id, project_id, column_id, title }, 201))) return;
    tasks.push(task);
    if (await send('PATCH', `/rest/v1/tasks?id=eq.${id}`, { description: '1' }, 204)) task.description = '1';
    const to = place.otherColumnId;
    if (await send('POST', '/rest/v1/rpc/move_task', { task_id: id, column_id: to }, 200)) task.column_id = to;
    if (turn % 4 === 0) {
      const [name, bytes] = [`${project_id}/${id}/${randomUUID()}.bin`, randomBytes(20_000)];
      if (await send('POST', `/storage/v1/object/attachments/${name}`, bytes, 200)) files.set(name, digest(bytes));
    }
    await send('GET', `/rest/v1/tasks?select=*&project_id=eq.${project_id}&order=number.desc&limit=5`, null, 200);
  }

  const running = Array.from({ length: people }, async (_, person) => {
    for (let turn = 0; working; turn++) await turnOf(person, turn);
  });
  return {
    answered,
    failures,
    tasks,
    files,
    async stop() {
      working = false;
      await Promise.all(running);
    },
  };
}

export interface Left {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  /** Tasks and files that are there, but not as it was acknowledged. */
  readonly otherwise: readonly string[];
}

/** Holds what was acknowledged against what the doors show. */
export async function compare(place: WorkPlace, { tasks, files }: Work): Promise<Left> {
  const there = await readTasks(place);
  const byId = new Map(there.map((task) => [task.id, task]));
  const [titles, doubled] = [new Set<string>(), new Set<string>()];
  for (const { title } of there) (titles.has(title) ? doubled : titles).add(title);
  const [lost, otherwise]: [string[], string[]] = [[], []];
  for (const task of tasks) {
    const found = byId.get(task.id);
    if (found === undefined) lost.push(task.title);
    else if (found.title !== task.title || found.description !== task.description || found.column_id !== task.column_id)
      otherwise.push(task.title);
  }
  for (const [name, wanted] of files) {
    const path = `/storage/v1/object/authenticated/attachments/${name}`;
    const { status, body } = await ask(agent, place.url, {
      method: 'GET',
      path,
      headers: asCaller(place.anonKey, place.token),
    });
    if (status !== 200) lost.push(name);
    else if (digest(body) !== wanted) otherwise.push(name);
  }
  return { lost, doubled: [...doubled], otherwise };
}

async function readTasks({ url, anonKey, token, projectId }: WorkPlace): Promise<Task[]> {
  const all: Task[] = [];
  for (;;) {
    const { status, body } = await ask(agent, url, {
      method: 'GET',
      path: `/rest/v1/tasks?select=id,title,description,column_id&project_id=eq.${projectId}&order=number&limit=1000&offset=${all.length}`,
      headers: asCaller(anonKey, token),
    });
    if (status !== 200) throw new Error(`Tasks are not read: ${status} ${body.toString()}`);
    const rows = JSON.parse(body.toString()) as Task[];
    all.push(...rows);
    if (rows.length < 1000) return all;
  }
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
