// Compares the ledger with the rows, read through the doors: nothing acknowledged is lost, nothing is there twice, removed and ended things
// are gone, ranks and numbers are all different, totals are right, files have their bytes.

import { asCaller, ask } from '../ask.ts';
import { type Door, type Planted, taken } from '../plant.ts';
import { checkAccounts } from './accounts.ts';
import { hashOf, type Ledger } from './ledger.ts';

export interface Verdict {
  readonly acknowledged: number;
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  /** What does not fit together. */
  readonly wrong: readonly string[];
}

interface TaskRow {
  readonly id: string;
  readonly title: string;
  readonly number: number;
  readonly column_id: string;
  readonly order_rank: string;
  readonly estimate: number | null;
}

interface Found {
  readonly lost: string[];
  readonly twice: string[];
  readonly wrong: string[];
}

export async function check(door: Door, planted: Planted, ledger: Ledger): Promise<Verdict> {
  const { project, owner } = planted;
  const headers = asCaller(door.anonKey, owner.token);
  const read = async <T>(path: string): Promise<T> =>
    taken<T>(await ask(door.agent, door.url, { method: 'GET', path: `/rest/v1/${path}`, headers }));
  const found: Found = { lost: [], twice: [], wrong: [...ledger.faults] };

  const columns = 'id,title,number,column_id,order_rank,estimate';
  const tasks = await read<TaskRow[]>(`tasks?select=${columns}&project_id=eq.${project}`);
  const comments = await read<{ body: string }[]>(`task_comments?select=body&project_id=eq.${project}`);
  compareTexts(
    ledger,
    found,
    tasks.map(({ title }) => title),
    comments.map(({ body }) => body),
  );
  compareTasks(ledger, found, tasks);
  const made = await read<{ task_id: string }[]>(
    `task_activity?select=task_id&project_id=eq.${project}&kind=eq.created`,
  );
  if (made.length !== tasks.length || new Set(made.map(({ task_id }) => task_id)).size !== tasks.length)
    found.wrong.push(`the history tells of ${made.length} new tasks, and there are ${tasks.length}`);
  const figures = await ask(door.agent, door.url, {
    method: 'POST',
    path: '/rest/v1/rpc/dashboard_metrics',
    headers,
    body: JSON.stringify({ project_id: project }),
  });
  const { total } = taken<{ tasks: { total: number } }>(figures).tasks;
  if (total !== tasks.length) found.wrong.push(`the figures say ${total} tasks, and there are ${tasks.length}`);

  for (const [name, { hash, known }] of ledger.files) {
    const path = `/storage/v1/object/authenticated/attachments/${name}`;
    const answer = await ask(door.agent, door.url, { method: 'GET', path, headers });
    if (answer.status === 200 ? hashOf(answer.body) !== hash : known === 'there') found.lost.push(`file ${name}`);
  }
  found.lost.push(...(await checkAccounts(door, ledger)));
  const acknowledged = [...ledger.kinds.values()].reduce((all, count) => all + count, 0);
  return { acknowledged, ...found };
}

/** What was added is there once, what was removed is not, and what came together is there together. */
function compareTexts(ledger: Ledger, found: Found, titles: readonly string[], bodies: readonly string[]): void {
  const compare = (what: string, wanted: Ledger['tasks'], texts: readonly string[]): void => {
    const times = new Map<string, number>();
    for (const one of texts) times.set(one, (times.get(one) ?? 0) + 1);
    for (const [one, known] of wanted) if (known === 'there' && !times.has(one)) found.lost.push(`${what} ${one}`);
    for (const [one, count] of times) if (count > 1) found.twice.push(`${what} ${one}`);
  };
  compare('task', ledger.tasks, titles);
  compare('comment', ledger.comments, bodies);
  for (const body of bodies) if (ledger.removed.has(body)) found.lost.push(`the removal of comment ${body}`);
  const there = new Set([...titles, ...bodies]);
  for (const texts of ledger.together) {
    const kept = texts.filter((text) => there.has(text)).length;
    if (kept !== 0 && kept !== texts.length)
      found.wrong.push(`of ${texts.length} rows that came at once ${kept} are there`);
  }
}

function compareTasks(ledger: Ledger, { lost, wrong }: Found, tasks: readonly TaskRow[]): void {
  if (new Set(tasks.map(({ number }) => number)).size !== tasks.length) wrong.push('two tasks have the same number');
  if (new Set(tasks.map((task) => `${task.column_id} ${task.order_rank}`)).size !== tasks.length)
    wrong.push('two tasks of a column have the same rank');
  for (const { id, column_id, estimate } of tasks) {
    if (ledger.places.get(id)?.has(column_id) === false) lost.push(`the move of task ${id}`);
    const counter = ledger.counters.get(id);
    if (counter === undefined) continue;
    const is = estimate ?? 0;
    if (is < counter.acknowledged) lost.push(`a number in task ${id}: ${counter.acknowledged}, and it is ${is}`);
    if (is > counter.sent) wrong.push(`the number in task ${id} is ${is}, and ${counter.sent} was the last one sent`);
  }
}
