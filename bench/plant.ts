// Test data for benches: people, a project with a row of every kind, and a file, created through the API.

import type { Agent } from 'node:http';
import { asCaller, ask, type HttpResponse } from './ask.ts';

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly refreshToken: string;
}

export interface Planted {
  readonly owner: Person;
  readonly editor: Person;
  readonly project: string;
  readonly columns: readonly string[];
  readonly tasks: readonly string[];
  /** Ids of everything, the above included. */
  readonly ids: readonly string[];
  /** Names in the bucket `attachments`. */
  readonly files: readonly string[];
}

export interface Door {
  readonly agent: Agent;
  readonly url: string;
  readonly anonKey: string;
}

/** Everybody's. */
export const password = 'correct horse battery';

export async function signUp({ agent, url, anonKey }: Door, email: string): Promise<Person> {
  const body = JSON.stringify({ email, password, data: { name: email.split('@')[0] } });
  const answer = await ask(agent, url, {
    method: 'POST',
    path: '/auth/v1/signup',
    headers: asCaller(anonKey, anonKey),
    body,
  });
  const session = taken<{ access_token: string; refresh_token: string; user: { id: string } }>(answer);
  return { id: session.user.id, email, token: session.access_token, refreshToken: session.refresh_token };
}

let planted = 0;

export async function plant(door: Door, tasks = 4): Promise<Planted> {
  const name = `${process.pid}-${Date.now()}-${planted++}`;
  const [owner, editor] = [
    await signUp(door, `owner-${name}@bench.test`),
    await signUp(door, `editor-${name}@bench.test`),
  ];
  const post = async <T>(path: string, body: unknown): Promise<T> =>
    taken<T>(
      await ask(door.agent, door.url, {
        method: 'POST',
        path,
        headers: asCaller(door.anonKey, owner.token, { prefer: 'return=representation' }),
        body: JSON.stringify(body),
      }),
    );
  type Row = { id: string };
  const { id: project } = await post<Row>('/rest/v1/rpc/create_project_with_defaults', { name: `Harbour ${name}` });
  await post('/rest/v1/project_members', { project_id: project, user_id: editor.id, role: 'editor' });
  const columns = taken<Row[]>(
    await ask(door.agent, door.url, {
      method: 'GET',
      path: `/rest/v1/workflow_columns?select=id&project_id=eq.${project}&order=position`,
      headers: asCaller(door.anonKey, owner.token),
    }),
  ).map(({ id }) => id);
  const made = (
    await post<Row[]>(
      '/rest/v1/tasks',
      Array.from({ length: tasks }, (_, at) => ({ project_id: project, column_id: columns[0], title: `Task ${at}` })),
    )
  ).map(({ id }) => id);
  const [first = '', second = ''] = made;
  const others = [
    await post<Row[]>('/rest/v1/task_comments', { task_id: first, body: 'On it' }),
    await post<Row[]>('/rest/v1/task_labels', { project_id: project, name: 'quay' }),
    await post<Row[]>('/rest/v1/task_checklist_items', { task_id: first, title: 'A step' }),
    await post<Row[]>('/rest/v1/custom_fields', { project_id: project, name: 'Cost', kind: 'number' }),
    await post<Row[]>('/rest/v1/saved_views', { project_id: project, name: 'Ours', is_shared: true }),
    await post<Row[]>('/rest/v1/task_recurrences', { task_id: second, rule: 'FREQ=DAILY' }),
  ].flatMap((rows) => rows.map(({ id }) => id));
  await post('/rest/v1/task_dependencies', { predecessor_id: first, successor_id: second });
  const file = `${project}/${first}/notes.txt`;
  await post(`/storage/v1/object/attachments/${file}`, { notes: 'Rope, paint, a brush' });
  await post('/rest/v1/task_attachments', { task_id: first, name: 'notes.txt', object_path: file });
  return {
    owner,
    editor,
    project,
    columns,
    tasks: made,
    ids: [project, owner.id, editor.id, ...columns, ...made, ...others],
    files: [file],
  };
}

/** The answer's JSON; a refusal is an error with its words. */
export function taken<T>({ status, body }: HttpResponse): T {
  if (status >= 300) throw new Error(`${status} ${body.toString('utf8').slice(0, 500)}`);
  return (body.length === 0 ? null : JSON.parse(body.toString('utf8'))) as T;
}
