// What the ledger says held against what is there, asked for through the doors: nothing acknowledged is lost, nothing is there twice,
// ranks and numbers are all different, totals are right, files have their bytes.

import { asCaller, ask } from './ask.ts';
import { hashOf, type Ledger } from './crash-load.ts';
import { type Door, type Planted, taken } from './plant.ts';

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
}

export async function check(door: Door, planted: Planted, ledger: Ledger): Promise<Verdict> {
  const { project, owner } = planted;
  const headers = asCaller(door.anonKey, owner.token);
  const read = async <T>(path: string): Promise<T> =>
    taken<T>(await ask(door.agent, door.url, { method: 'GET', path: `/rest/v1/${path}`, headers }));
  const lost: string[] = [];
  const twice: string[] = [];
  const wrong: string[] = [...ledger.faults];
  const compare = (what: string, wanted: Ledger['tasks'], found: readonly string[]): void => {
    const times = new Map<string, number>();
    for (const one of found) times.set(one, (times.get(one) ?? 0) + 1);
    for (const [one, known] of wanted) if (known === 'there' && !times.has(one)) lost.push(`${what} ${one}`);
    for (const [one, count] of times) if (count > 1) twice.push(`${what} ${one}`);
  };

  const tasks = await read<TaskRow[]>(`tasks?select=id,title,number,column_id,order_rank&project_id=eq.${project}`);
  compare(
    'task',
    ledger.tasks,
    tasks.map(({ title }) => title),
  );
  if (new Set(tasks.map(({ number }) => number)).size !== tasks.length) wrong.push('two tasks have the same number');
  if (new Set(tasks.map((task) => `${task.column_id} ${task.order_rank}`)).size !== tasks.length)
    wrong.push('two tasks of a column have the same rank');
  for (const { id, column_id } of tasks)
    if (ledger.places.get(id)?.has(column_id) === false) lost.push(`the move of task ${id}`);

  const comments = await read<{ body: string }[]>(`task_comments?select=body&project_id=eq.${project}`);
  compare(
    'comment',
    ledger.comments,
    comments.map(({ body }) => body),
  );

  const made = await read<{ task_id: string }[]>(
    `task_activity?select=task_id&project_id=eq.${project}&kind=eq.created`,
  );
  if (made.length !== tasks.length || new Set(made.map(({ task_id }) => task_id)).size !== tasks.length)
    wrong.push(`the history tells of ${made.length} new tasks, and there are ${tasks.length}`);
  const { status, body } = await ask(door.agent, door.url, {
    method: 'POST',
    path: '/rest/v1/rpc/dashboard_metrics',
    headers,
    body: JSON.stringify({ project_id: project }),
  });
  const { total } = taken<{ tasks: { total: number } }>({ status, headers: {}, body }).tasks;
  if (total !== tasks.length) wrong.push(`the figures say ${total} tasks, and there are ${tasks.length}`);

  for (const [name, { hash, known }] of ledger.files) {
    const answer = await ask(door.agent, door.url, {
      method: 'GET',
      path: `/storage/v1/object/authenticated/attachments/${name}`,
      headers,
    });
    if (answer.status === 200 ? hashOf(answer.body) !== hash : known === 'there') lost.push(`file ${name}`);
  }
  const acknowledged = [ledger.tasks, ledger.comments, ledger.leads].reduce((all, one) => all + there(one), 0);
  const files = [...ledger.files.values()].filter(({ known }) => known === 'there').length;
  return { acknowledged: acknowledged + files, lost, twice, wrong };
}

const there = (wanted: Ledger['tasks']): number => [...wanted.values()].filter((known) => known === 'there').length;
