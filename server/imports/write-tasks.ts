// Some tasks of an import with all that hangs on them, in one transaction: new ones are made, those whose words in the file changed are
// updated, all others are left as people have made them since.

import { createHash } from 'node:crypto';
import { figures } from '../../contract/views.ts';
import type { Transaction } from '../database/types.ts';
import { figuresBy, type Person, type Problem, type Project, type Task } from './neutral.ts';
import type { Invited, Matched } from './people.ts';
import { note, type Places, placeName } from './prepare-places.ts';

export interface Writing {
  readonly projectId: string;
  readonly importId: string;
  readonly userId: string;
  readonly project: Project;
  /** Those of the file, by their keys. */
  readonly people: ReadonlyMap<string, Person>;
  readonly places: Places;
  readonly matched: Matched;
  readonly invited: Invited;
  /** Ids of the tasks that are there, by their origin. */
  readonly ids: Map<string, string>;
  /** Origins of tasks that this import made or changed. */
  readonly touched: Set<string>;
  readonly problems: Problem[];
  readonly keepDates: boolean;
}

interface Known {
  readonly origin: string;
  readonly row_id: string;
  readonly digest: string;
  /** Null where who wrote it does not matter. */
  readonly author: string | null;
}

interface Thing {
  readonly id: string;
  readonly origin: string;
  readonly digest: string;
}

export interface Written {
  readonly made: number;
  readonly updated: number;
}

export async function writeTasks(tx: Transaction, tasks: readonly Task[], writing: Writing): Promise<Written> {
  const known = await knownOf(
    tx,
    writing,
    'task',
    'tasks',
    tasks.map(({ origin }) => origin),
  );
  for (const { origin, row_id } of known.values()) writing.ids.set(origin, row_id);
  const changed = tasks.filter((task) => known.get(task.origin)?.digest !== digestOf(task, writing));
  const isNew = changed.filter(({ origin }) => !known.has(origin));
  const ids = await freshIds(tx, isNew.length);
  for (const [at, { origin }] of isNew.entries()) writing.ids.set(origin, ids[at] ?? '');
  const rows = (some: readonly Task[]) => JSON.stringify(some.map((task) => rowOf(task, writing)));
  await tx.run({
    text: `insert into public.tasks (id, project_id, column_id, title, description, priority, start_date, due_date, ${figureNames},
             created_at, completed_at, archived_at, parent_id)
           select g.id, $1, g.column_id, g.title, g.description, g.priority, g.start_date, g.due_date, ${figures.map((name) => `g.${name}`).join(', ')},
             least(coalesce(g.created_at, now()), now()), least(g.completed_at, now()), case when g.archived then now() end, g.parent_id
           from rows from (${recordset}) with ordinality as g (${names}, at) order by g.at`,
    values: [writing.projectId, rows(isNew)],
  });
  await note(tx, writing.importId, 'task', ids);
  const old = changed.filter(({ origin }) => known.has(origin));
  if (old.length > 0) await updateTasks(tx, writing, rows(old));
  await remember(
    tx,
    writing,
    'task',
    changed.map((task) => ({
      id: writing.ids.get(task.origin) ?? '',
      origin: task.origin,
      digest: digestOf(task, writing),
    })),
  );
  await writeLinks(tx, changed, writing);
  // Also of those that are as they were: people may have been invited since.
  await awaitPeople(tx, tasks, writing);
  await writeItems(tx, changed, writing);
  await writeComments(tx, changed, writing);
  for (const { origin } of changed) writing.touched.add(origin);
  return { made: isNew.length, updated: old.length };
}

const figureNames = figures.join(', ');
const recordset = `jsonb_to_recordset($2::jsonb) as (id uuid, column_id uuid, title text, description text, priority public.task_priority,
  start_date date, due_date date, ${figures.map((name) => `${name} numeric`).join(', ')}, created_at timestamptz, completed_at timestamptz, archived boolean, parent_id uuid)`;
const names = `id, column_id, title, description, priority, start_date, due_date, ${figureNames}, created_at, completed_at, archived, parent_id`;

async function updateTasks(tx: Transaction, { projectId, importId }: Writing, rows: string): Promise<void> {
  await tx.run({
    text: `insert into private.import_changes (import_id, kind, row_id, before)
           select $3, 'task', t.id, to_jsonb(t) from public.tasks t
           join jsonb_to_recordset($2::jsonb) as g (id uuid) on g.id = t.id where t.project_id = $1 on conflict do nothing`,
    values: [projectId, rows, importId],
  });
  await tx.run({
    text: `update public.tasks t set title = g.title, description = g.description, priority = g.priority, column_id = g.column_id,
             start_date = g.start_date, due_date = g.due_date, ${figures.map((name) => `${name} = g.${name}`).join(', ')}, parent_id = g.parent_id,
             archived_at = case when g.archived then coalesce(t.archived_at, now()) end
           from rows from (${recordset}) as g (${names}) where t.project_id = $1 and t.id = g.id`,
    values: [projectId, rows],
  });
}

function columnOf(task: Task, { places }: Writing): string {
  if (task.state === null) return task.done ? places.doneColumn : places.firstColumn;
  return places.columns.get(placeName(task.state).toLowerCase()) ?? places.firstColumn;
}

function rowOf(task: Task, writing: Writing): object {
  return {
    id: writing.ids.get(task.origin),
    column_id: columnOf(task, writing),
    title: task.title,
    description: task.description,
    priority: task.priority,
    start_date: task.start,
    due_date: task.due,
    ...figuresBy((name) => task[name]),
    created_at: writing.keepDates ? task.created : null,
    completed_at: writing.keepDates ? task.completed : null,
    archived: task.archived,
    // A parent that was refused leaves its subtasks on their own.
    parent_id: task.parent === null ? null : (writing.ids.get(task.parent) ?? null),
  };
}

async function writeLinks(tx: Transaction, tasks: readonly Task[], writing: Writing): Promise<void> {
  const id = (task: Task) => writing.ids.get(task.origin);
  const labels = tasks.flatMap((task) =>
    task.labels.flatMap((name) => {
      const label = writing.places.labels.get(placeName(name).toLowerCase());
      return label === undefined ? [] : [{ task: id(task), other: label }];
    }),
  );
  const people = tasks.flatMap((task) =>
    task.assignees.flatMap((key) => {
      const person = writing.matched.get(key);
      return person === undefined ? [] : [{ task: id(task), other: person }];
    }),
  );
  for (const [kind, text, links] of [
    ['label_link', labelLinks, labels],
    ['assignee', assignees, people],
  ] as const) {
    if (links.length === 0) continue;
    const made = await tx.objects<{ id: string }>({ text, values: [writing.projectId, JSON.stringify(links)] });
    await note(
      tx,
      writing.importId,
      kind,
      made.map((row) => row.id),
    );
  }
}

/** What is theirs when they join. */
async function awaitPeople(tx: Transaction, tasks: readonly Task[], writing: Writing): Promise<void> {
  const { projectId, importId, invited, ids } = writing;
  const awaited = tasks.flatMap((task) =>
    (task.awaited ?? []).flatMap((key) => {
      const email = invited.get(key);
      return email === undefined ? [] : [{ task: ids.get(task.origin), email }];
    }),
  );
  if (awaited.length > 0) await tx.run({ text: awaiting, values: [projectId, JSON.stringify(awaited), importId] });
}

export const awaiting = `insert into private.awaited_assignees (project_id, task_id, email, import_id)
  select distinct $1::uuid, g.task, g.email, $3::uuid from jsonb_to_recordset($2::jsonb) as g (task uuid, email text) on conflict do nothing`;

const labelLinks = `insert into public.task_label_links (project_id, task_id, label_id)
  select distinct $1::uuid, g.task, g.other from jsonb_to_recordset($2::jsonb) as g (task uuid, other uuid) on conflict do nothing returning id`;
const assignees = `insert into public.task_assignees (project_id, task_id, user_id)
  select distinct $1::uuid, g.task, g.other from jsonb_to_recordset($2::jsonb) as g (task uuid, other uuid) on conflict do nothing returning id`;

async function writeItems(tx: Transaction, tasks: readonly Task[], writing: Writing): Promise<void> {
  const items = tasks.flatMap((task) => {
    const times = new Map<string, number>();
    return task.checklist.map((item, at) => {
      const name = item.origin ?? numbered(item.title, times);
      const row = { task: writing.ids.get(task.origin), title: item.title, done: item.done, position: at + 1 };
      return { ...row, origin: sum(task.origin, name), digest: sum(item.title, String(item.done)) };
    });
  });
  await writeThings(tx, writing, 'item', 'task_checklist_items', items, {
    add: `insert into public.task_checklist_items (id, project_id, task_id, title, is_done, position)
          select g.id, $1, g.task, g.title, g.done, g.position
          from jsonb_to_recordset($2::jsonb) as g (id uuid, task uuid, title text, done boolean, position float8)`,
    change: `update public.task_checklist_items t set title = g.title, is_done = g.done
             from jsonb_to_recordset($2::jsonb) as g (id uuid, title text, done boolean) where t.project_id = $1 and t.id = g.id`,
  });
}

async function writeComments(tx: Transaction, tasks: readonly Task[], writing: Writing): Promise<void> {
  const comments = tasks.flatMap((task) => {
    const times = new Map<string, number>();
    return task.comments.map((comment) => {
      const body = spoken(comment, writing);
      const name = comment.origin ?? numbered(body, times);
      return {
        task: writing.ids.get(task.origin),
        body,
        at: writing.keepDates ? comment.at : null,
        origin: sum(task.origin, name),
        digest: sum(body),
      };
    });
  });
  await writeThings(tx, writing, 'comment', 'task_comments', comments, {
    add: `insert into public.task_comments (id, project_id, task_id, body, created_at, updated_at)
          select g.id, $1, g.task, g.body, least(coalesce(g.at, now()), now()), least(coalesce(g.at, now()), now())
          from jsonb_to_recordset($2::jsonb) as g (id uuid, task uuid, body text, at timestamptz)`,
    change: `update public.task_comments t set body = g.body
             from jsonb_to_recordset($2::jsonb) as g (id uuid, body text) where t.project_id = $1 and t.id = g.id`,
  });
}

/** A comment is never put into the mouth of somebody who did not write it here: it says who wrote it there. */
function spoken({ author, at, body }: Task['comments'][number], writing: Writing): string {
  const { matched, userId, people, keepDates } = writing;
  if (author === null || (matched.get(author) === userId && (keepDates || at === null))) return body;
  const name = people.get(author)?.name ?? author.split('<', 1)[0]?.trim() ?? '';
  const when = at === null ? '' : ` · ${at.slice(0, 16).replace('T', ' ')} UTC`;
  return `**${name.replaceAll(/[*\n]/g, ' ')}**${when}\n\n${body}`;
}

interface Texts {
  readonly add: string;
  readonly change: string;
}

async function writeThings(
  tx: Transaction,
  writing: Writing,
  kind: 'comment' | 'item',
  table: 'task_comments' | 'task_checklist_items',
  things: readonly (Omit<Thing, 'id'> & object)[],
  { add, change }: Texts,
): Promise<void> {
  if (things.length === 0) return;
  const known = await knownOf(
    tx,
    writing,
    kind,
    table,
    things.map(({ origin }) => origin),
  );
  const isNew = things.filter(({ origin }) => !known.has(origin));
  const ids = await freshIds(tx, isNew.length);
  const made = isNew.map((thing, at) => ({ ...thing, id: ids[at] ?? '' }));
  const old = things.flatMap((thing) => {
    const before = known.get(thing.origin);
    if (before === undefined || before.digest === thing.digest) return [];
    // A colleague imported it: comments are changed by who wrote them alone.
    if (before.author !== null && before.author !== writing.userId) {
      writing.problems.push({ kind: 'comment_of_another', line: null, about: before.row_id });
      return [];
    }
    return [{ ...thing, id: before.row_id }];
  });
  if (made.length > 0) await tx.run({ text: add, values: [writing.projectId, JSON.stringify(made)] });
  await note(tx, writing.importId, kind, ids);
  if (old.length > 0) {
    await tx.run({
      text: `insert into private.import_changes (import_id, kind, row_id, before)
             select $3, $4, t.id, to_jsonb(t) from public.${table} t
             join jsonb_to_recordset($2::jsonb) as g (id uuid) on g.id = t.id where t.project_id = $1 on conflict do nothing`,
      values: [writing.projectId, JSON.stringify(old), writing.importId, kind],
    });
    await tx.run({ text: change, values: [writing.projectId, JSON.stringify(old)] });
  }
  await remember(tx, writing, kind, [...made, ...old]);
}

/** What of these the project has already, and has still. */
async function knownOf(
  tx: Transaction,
  { projectId, project }: Writing,
  kind: string,
  table: 'tasks' | 'task_comments' | 'task_checklist_items',
  origins: readonly string[],
): Promise<Map<string, Known>> {
  const rows = await tx.objects<Known>({
    text: `select o.origin, o.row_id, o.digest, ${table === 'task_comments' ? 't.author_id' : 'null::uuid'} as author from private.import_origins o
           join public.${table} t on t.project_id = o.project_id and t.id = o.row_id
           where o.project_id = $1 and o.scope = $2 and o.kind = $3 and o.origin in (select jsonb_array_elements_text($4::jsonb))`,
    values: [projectId, project.scope, kind, JSON.stringify(origins)],
  });
  return new Map(rows.map((row) => [row.origin, row]));
}

async function remember(
  tx: Transaction,
  { projectId, project }: Writing,
  kind: string,
  things: readonly Thing[],
): Promise<void> {
  if (things.length === 0) return;
  await tx.run({
    text: `insert into private.import_origins (project_id, scope, kind, origin, row_id, digest)
           select distinct on (g.origin) $1::uuid, $2, $3, g.origin, g.id, g.digest
           from jsonb_to_recordset($4::jsonb) as g (id uuid, origin text, digest text)
           on conflict (project_id, scope, kind, origin) do update set row_id = excluded.row_id, digest = excluded.digest`,
    values: [
      projectId,
      project.scope,
      kind,
      JSON.stringify(things.map(({ id, origin, digest }) => ({ id, origin, digest }))),
    ],
  });
}

async function freshIds(tx: Transaction, count: number): Promise<string[]> {
  if (count === 0) return [];
  const rows = await tx.objects<{ id: string }>({
    text: 'select private.uuid_v7() as id from generate_series(1, $1::int)',
    values: [String(count)],
  });
  return rows.map(({ id }) => id);
}

function digestOf(task: Task, writing: Writing): string {
  const { line: _, attachments, awaited: __, ...words } = task;
  return sum(
    // What had no files was said so before there were any.
    JSON.stringify(attachments.length > 0 ? { ...words, attachments } : words),
    columnOf(task, writing),
    ...task.assignees.map((key) => writing.matched.get(key) ?? ''),
  );
}

/** What has no id of its own is known by its words; the second of the same words by that it is the second. */
function numbered(words: string, times: Map<string, number>): string {
  const count = (times.get(words) ?? 0) + 1;
  times.set(words, count);
  return `${count}:${words}`;
}

function sum(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 27);
}
