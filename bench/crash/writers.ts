// Writers that add, change and remove rows at random, with a ledger of acknowledged and unanswered writes.

import { randomUUID } from 'node:crypto';
import { endSession, makeAccount, refresh } from './accounts.ts';
import { hashOf, type Known } from './ledger.ts';
import { send, type Writer } from './send.ts';
import { goOnUploading } from './uploads.ts';

export interface Load {
  stop(): Promise<void>;
}

type Act = (writer: Writer) => Promise<unknown>;

/** How often each comes, beside the others. */
const draw = (acts: readonly (readonly [times: number, act: Act])[]): Act[] =>
  acts.flatMap(([times, act]) => Array.from({ length: times }, () => act));

/** Passwords cost a processor some ten milliseconds, so that there are few new accounts. */
const everything = draw([
  [9, addTask],
  [8, addComment],
  [8, moveTask],
  [5, addFile],
  [4, goOnUploading],
  [3, removeComment],
  [3, raiseNumber],
  [2, changeTogether],
  [2, refresh],
  [2, makeAccount],
  [1, endSession],
  [1, leaveLead],
]);
export const workOnTasks = draw([
  [4, addTask],
  [4, moveTask],
  [4, raiseNumber],
  [4, readTasks],
  [1, addFile],
]);

export function startWriters(
  { door, planted, ledger, dice }: Pick<Writer, 'door' | 'planted' | 'ledger' | 'dice'>,
  count: number,
  acts: readonly Act[] = everything,
): Load {
  let over = false;
  const writers = Array.from({ length: count }, (_, at) =>
    write(acts, {
      door,
      planted,
      ledger,
      dice,
      who: at % 2 === 0 ? planted.owner : planted.editor,
      tasks: [],
      comments: [],
      guests: [],
      chain: null,
      upload: null,
      counter: null,
      isOver: () => over,
    }),
  );
  return {
    stop: async () => {
      over = true;
      await Promise.all(writers);
    },
  };
}

async function write(acts: readonly Act[], writer: Writer): Promise<void> {
  while (!writer.isOver()) await writer.dice.pick(acts)(writer);
}

async function addTask(writer: Writer): Promise<void> {
  const { planted, ledger, dice, tasks } = writer;
  const [title, column] = [randomUUID(), dice.pick(planted.columns)];
  ledger.tasks.set(title, 'unknown');
  const answer = await send(writer, 'task added', {
    method: 'POST',
    path: '/rest/v1/tasks?select=id',
    headers: { prefer: 'return=representation' },
    body: JSON.stringify({ project_id: planted.project, column_id: column, title }),
  });
  if (answer === null) return;
  ledger.tasks.set(title, 'there');
  const [{ id }] = JSON.parse(answer.body.toString()) as [{ id: string }];
  tasks.push(id);
  ledger.places.set(id, new Set([column]));
}

async function readTasks(writer: Writer): Promise<void> {
  const path = `/rest/v1/tasks?select=*&project_id=eq.${writer.planted.project}&order=number.desc&limit=5`;
  await send(writer, null, { method: 'GET', path });
}

async function addComment(writer: Writer): Promise<void> {
  const { planted, ledger, dice, comments } = writer;
  const [id, body] = [randomUUID(), randomUUID()];
  ledger.comments.set(body, 'unknown');
  const answer = await send(writer, 'comment added', {
    method: 'POST',
    path: '/rest/v1/task_comments',
    body: JSON.stringify({ id, task_id: dice.pick(planted.tasks), body }),
  });
  if (answer === null) return;
  ledger.comments.set(body, 'there');
  comments.push({ id, body });
}

async function removeComment(writer: Writer): Promise<void> {
  const { ledger, comments } = writer;
  const comment = comments.shift();
  if (comment === undefined) return;
  ledger.comments.set(comment.body, 'unknown');
  const path = `/rest/v1/task_comments?id=eq.${comment.id}`;
  if ((await send(writer, 'comment removed', { method: 'DELETE', path })) !== null) ledger.removed.add(comment.body);
}

async function moveTask(writer: Writer): Promise<void> {
  const { planted, ledger, dice, tasks } = writer;
  if (tasks.length === 0) return;
  const [task, column] = [dice.pick(tasks), dice.pick(planted.columns)];
  const places = ledger.places.get(task) ?? new Set();
  places.add(column);
  const answer = await send(writer, 'task moved', {
    method: 'POST',
    path: '/rest/v1/rpc/move_task',
    body: JSON.stringify({ task_id: task, column_id: column }),
  });
  if (answer === null) return;
  places.clear();
  places.add(column);
}

async function raiseNumber(writer: Writer): Promise<void> {
  const { ledger, tasks } = writer;
  writer.counter ??= tasks[0] ?? null;
  if (writer.counter === null) return;
  const counter = ledger.counters.get(writer.counter) ?? { acknowledged: 0, sent: 0 };
  ledger.counters.set(writer.counter, counter);
  const number = ++counter.sent;
  const answer = await send(writer, 'number in a task raised', {
    method: 'PATCH',
    path: `/rest/v1/tasks?id=eq.${writer.counter}`,
    body: JSON.stringify({ estimate: number }),
  });
  if (answer !== null) counter.acknowledged = number;
}

/** A task and what is said of it, by one procedure. */
async function changeTogether(writer: Writer): Promise<void> {
  const { planted, ledger, dice } = writer;
  const [task, title, column] = [randomUUID(), randomUUID(), dice.pick(planted.columns)];
  const bodies = [randomUUID(), randomUUID()];
  ledger.tasks.set(title, 'unknown');
  for (const body of bodies) ledger.comments.set(body, 'unknown');
  ledger.together.push([title, ...bodies]);
  const changes = [
    {
      change: 'insert',
      table: 'tasks',
      rows: [{ id: task, project_id: planted.project, column_id: column, title }],
    },
    { change: 'insert', table: 'task_comments', rows: bodies.map((body) => ({ task_id: task, body })) },
  ];
  const answer = await send(writer, 'several rows changed at once', {
    method: 'POST',
    path: '/rest/v1/rpc/apply_changes',
    body: JSON.stringify({ changes }),
  });
  if (answer === null) return;
  ledger.tasks.set(title, 'there');
  for (const body of bodies) ledger.comments.set(body, 'there');
}

async function addFile(writer: Writer): Promise<void> {
  const { planted, ledger, dice } = writer;
  const name = `${planted.project}/${dice.pick(planted.tasks)}/${randomUUID()}.bin`;
  const body = Buffer.alloc(1000 + dice.below(60_000), randomUUID());
  const file = { hash: hashOf(body), known: 'unknown' as Known };
  ledger.files.set(name, file);
  const answer = await send(writer, 'file uploaded', {
    method: 'POST',
    path: `/storage/v1/object/attachments/${name}`,
    headers: { 'content-type': 'application/octet-stream' },
    body,
  });
  if (answer !== null) file.known = 'there';
}

async function leaveLead(writer: Writer): Promise<void> {
  const email = `${randomUUID()}@bench.test`;
  writer.ledger.leads.set(email, 'unknown');
  const question = { method: 'POST', path: '/api/lead', body: JSON.stringify({ email }) };
  if ((await send(writer, 'address left', question)) !== null) writer.ledger.leads.set(email, 'there');
}
