// A project with an owner, an editor and a viewer, an outsider with a project of their own, and a row in every table:
// the ground the tests of this room stand on, and `npm run bench -- --policies`: nothing here needs a test to run in.

import { createECDH, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestApp, TestUser } from '../helpers/app.ts';

/** What a board is made with. */
export type Ground = Pick<TestApp, 'sql' | 'asUser' | 'createUser'>;

export type Role = 'owner' | 'editor' | 'viewer' | 'guest' | 'outsider' | 'anonymous';

export interface Board {
  readonly people: Readonly<Record<Exclude<Role, 'anonymous'>, TestUser>>;
  readonly project: string;
  readonly columns: Readonly<Record<'backlog' | 'todo' | 'in_progress' | 'done', string>>;
  /** In Backlog, the editor made them: works on the first, the second waits for it, the third stands alone and nobody watches it. */
  readonly tasks: readonly [string, string, string];
  /** The owner's, which the guest may edit. */
  readonly shared: string;
  readonly label: string;
  readonly spareLabel: string;
  readonly item: string;
  readonly attachment: string;
  readonly dependency: string;
  /** By the editor. */
  readonly comment: string;
  /** The owner's, to that comment. */
  readonly reply: string;
  /** Of numbers; the first task holds something in it. */
  readonly field: string;
  readonly recurrence: string;
  readonly feed: string;
  /** The editor's, of the first task. */
  readonly claim: string;
  /** Of a task, the editor's, for all members. */
  readonly template: string;
  /** Of text, empty everywhere. */
  readonly spareField: string;
  /** The editor's, shared. */
  readonly view: string;
  /** What everybody opens the project with. */
  readonly firstView: string;
  readonly invitation: string;
  readonly joinLink: string;
  /** To the project, with names and comments. */
  readonly shareLink: string;
  /** The editor's. */
  readonly key: string;
  /** Of the owner, in no project. */
  readonly service: string;
  /** Of the owner, in no project. */
  readonly agent: string;
  /** The editor's, of the first task, and a line of it. */
  readonly session: string;
  readonly activity: string;
  readonly proposal: string;
  readonly webhook: string;
  readonly delivery: string;
  /** The owner's, who manages it. */
  readonly group: string;
  /** Of the access log: the viewer came. */
  readonly logLine: string;
  /** The outsider's own project, its column and task. */
  readonly elsewhere: {
    readonly project: string;
    readonly column: string;
    readonly task: string;
    readonly label: string;
    readonly attachment: string;
    readonly comment: string;
    readonly view: string;
    readonly field: string;
    readonly group: string;
  };
}

async function makeShareLink({ client }: TestUser, project_id: string): Promise<string> {
  const link = { project_id, options: { names: true, comments: true } };
  return (await one(client.rpc('create_share_link', link))).id;
}

async function makeKey({ client }: TestUser): Promise<string> {
  return (await one(client.rpc('create_api_key', { name: 'CI', scope: 'read' }))).id;
}

async function subscribeToPush(app: Ground, user: TestUser): Promise<void> {
  await app.sql(
    `with session as (insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1) returning id)
     insert into public.push_subscriptions (user_id, session_id, endpoint, p256dh, auth)
     select $1, id, 'https://push.test/' || id, $2, repeat('a', 22) from session`,
    // A point of the curve: a browser whose key is none is gone.
    [user.id, createECDH('prime256v1').generateKeys('base64url')],
  );
}

async function claimNext({ client }: TestUser, project: string): Promise<string> {
  const [claim] = (await one(client.rpc('claim_next_task', { project }))) as readonly { id: string }[];
  return claim?.id ?? '';
}

/** As POST /api/webhooks makes one, with something that was sent. */
async function makeWebhook(app: Ground, project: string): Promise<{ webhook: string; delivery: string }> {
  const [row] = await app.sql<{ webhook: string; delivery: string }>(
    `with made as (
       insert into public.webhooks (project_id, name, url, events, is_active, public_key)
       values ($1, 'Ours', 'https://example.com/hook', '{task.created}', false, 'whpk_') returning project_id, id
     )
     select id as webhook, gen_random_uuid() as delivery from made`,
    [project],
  );
  if (row === undefined) throw new Error('no webhook was made');
  await app.sql(
    `insert into public.webhook_deliveries (id, project_id, webhook_id, event_id, event, place, state)
     values ($1, $2, $3, gen_random_uuid(), 'webhook.test', 0, 'delivered')`,
    [row.delivery, project, row.webhook],
  );
  return row;
}

/** The least a template of a task is. */
export const bareTask = {
  version: 1,
  tasks: [{ id: '00000000-0000-4000-8000-000000000001', title: 'It is broken' }],
};

export async function makeProject(app: Ground, owner: TestUser, name = 'Web site') {
  const [{ id }] = (await app.asUser<{ id: string }>(
    owner.id,
    'select id from public.create_project_with_defaults($1)',
    [name],
  )) as [{ id: string }];
  const columns = await app.asUser<{ id: string; kind: string }>(
    owner.id,
    'select id, kind from public.workflow_columns where project_id = $1',
    [id],
  );
  const columnOf = (kind: string) => columns.find((column) => column.kind === kind)?.id ?? '';
  return {
    project: id,
    columns: {
      backlog: columnOf('backlog'),
      todo: columnOf('todo'),
      in_progress: columnOf('in_progress'),
      done: columnOf('done'),
    },
  };
}

export async function addMember(app: Ground, project: string, user: TestUser, role: Role): Promise<void> {
  await app.sql('insert into public.project_members (project_id, user_id, role) values ($1, $2, $3)', [
    project,
    user.id,
    role,
  ]);
}

/** By hand, with one person who manages it. */
export async function makeGroup(app: Ground, manager: TestUser): Promise<string> {
  const [{ id }] = (await app.sql<{ id: string }>('insert into public.groups (name) values ($1) returning id', [
    `Crew ${randomUUID()}`,
  ])) as [{ id: string }];
  await app.sql('insert into public.group_members (group_id, user_id, is_manager) values ($1, $2, true)', [
    id,
    manager.id,
  ]);
  return id;
}

export async function addTask(app: Ground, user: TestUser, values: Record<string, unknown>): Promise<string> {
  return addRow(app, user, 'tasks', values);
}

/** Inserts as that user and returns the new row's id. */
export async function addRow(
  app: Ground,
  user: TestUser,
  table: string,
  values: Record<string, unknown>,
): Promise<string> {
  const row: Record<string, unknown> = { id: randomUUID(), ...values };
  const names = Object.keys(row);
  await app.asUser(
    user.id,
    `insert into public.${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    names.map((name) => (row[name] === null ? null : String(row[name]))),
  );
  return String(row.id);
}

/** What people choose for themselves, and a grant as if the first task were to be restricted. */
async function makeOwnRows(
  { client, id: user_id }: TestUser,
  { project, first, third, view }: Record<'project' | 'first' | 'third' | 'view', string>,
): Promise<void> {
  await client.from('task_watchers').delete().eq('task_id', third);
  await client.from('project_watchers').insert({ project_id: project });
  await client.from('favorite_views').insert({ view_id: view });
  await client.from('notification_settings').insert({ kind: 'mentioned', mail: 'off' });
  await client.from('notification_schedules').insert({ time_zone: 'Europe/Berlin' });
  await client.from('task_grants').insert({ task_id: first, user_id });
}

/** One more task, which a guest of the project may edit. */
async function shareWith(app: Ground, owner: TestUser, guest: TestUser, project_id: string): Promise<string> {
  const task_id = await addTask(app, owner, { project_id, title: 'Show the page' });
  await one(
    owner.client.from('task_grants').insert({ project_id, task_id, user_id: guest.id, level: 'edit' }).select(),
  );
  while ((await one(guest.client.from('tasks').select('id'))).length === 0) await pause(20);
  return task_id;
}

async function makeSession(app: Ground, { id: user, client }: TestUser, of: { project_id: string; task_id: string }) {
  const { id: session } = (await one(client.rpc('open_agent_session', of))) as { id: string };
  const { id: activity } = (await one(
    client.rpc('add_agent_activity', { session_id: session, kind: 'thought', body: 'Two pages' }),
  )) as { id: string };
  const [{ id: proposal }] = (await app.sql<{ id: string }>(
    `insert into public.agent_proposals (project_id, task_id, session_id, user_id, call, difference)
     values ($1, $2, $3, $4, '{}', '[]') returning id`,
    [of.project_id, of.task_id, session, user],
  )) as [{ id: string }];
  return { session, activity, proposal };
}

export async function makeBoard(app: Ground): Promise<Board> {
  const owner = await app.createUser({ name: 'Olga Owner' });
  const editor = await app.createUser({ name: 'Edda Editor' });
  const viewer = await app.createUser({ name: 'Vito Viewer' });
  const outsider = await app.createUser({ name: 'Otto Outsider' });
  const guest = await app.createUser({ name: 'Gwen Guest' });
  const { project, columns } = await makeProject(app, owner);
  await addMember(app, project, editor, 'editor');
  await addMember(app, project, viewer, 'viewer');

  const first = await addTask(app, editor, { project_id: project, title: 'Draft the page' });
  const second = await addTask(app, editor, { project_id: project, title: 'Publish the page' });
  const third = await addTask(app, editor, { project_id: project, title: 'Tell everyone' });
  const label = await addRow(app, editor, 'task_labels', { project_id: project, name: 'urgent' });
  const spareLabel = await addRow(app, editor, 'task_labels', { project_id: project, name: 'spare' });
  await addRow(app, editor, 'task_label_links', { task_id: first, label_id: label });
  // by the owner, so that the editor has a notification
  await addRow(app, owner, 'task_assignees', { task_id: first, user_id: editor.id });
  const item = await addRow(app, editor, 'task_checklist_items', { task_id: first, title: 'A step' });
  const attachment = await addRow(app, editor, 'task_attachments', {
    task_id: first,
    name: 'notes.txt',
    object_path: `${project}/${first}/notes.txt`,
  });
  const dependency = await addRow(app, editor, 'task_dependencies', { predecessor_id: first, successor_id: second });
  const comment = await addRow(app, editor, 'task_comments', { task_id: first, body: 'On it' });
  const reply = await addRow(app, owner, 'task_comments', { task_id: first, body: 'Good', parent_id: comment });
  await editor.client.from('comment_reactions').insert({ comment_id: comment, emoji: '👍' });
  await owner.client.from('comment_resolutions').insert({ comment_id: comment });
  const [field, spareField] = [
    await addRow(app, editor, 'custom_fields', { project_id: project, name: 'Cost', kind: 'number' }),
    await addRow(app, editor, 'custom_fields', { project_id: project, name: 'Client', kind: 'text' }),
  ];
  await editor.client.from('task_field_values').insert({ task_id: first, field_id: field, value: 5 });
  const { data: feed } = await editor.client.rpc('create_calendar_feed', { kind: 'project', project_id: project });
  const recurrence = await addRow(app, editor, 'task_recurrences', { task_id: first, rule: 'FREQ=DAILY' });
  const view = await addRow(app, editor, 'saved_views', { project_id: project, name: 'Ours', is_shared: true });
  const firstView = await addRow(app, owner, 'view_defaults', { project_id: project, user_id: null, view_id: view });
  const template = await addRow(app, editor, 'templates', {
    project_id: project,
    kind: 'task',
    name: 'A page',
    body: JSON.stringify(bareTask),
  });
  const invitation = await addRow(app, owner, 'project_invitations', {
    project_id: project,
    email: 'new@example.test',
  });
  const { id: joinLink } = await one(owner.client.rpc('create_join_link', { project_id: project, role: 'editor' }));

  await subscribeToPush(app, editor);
  await makeOwnRows(editor, { project, first, third, view });
  const shared = await shareWith(app, owner, guest, project);

  const group = await makeGroup(app, owner);
  const [{ id: logLine }] = (await app.sql<{ id: string }>(
    "select id from public.access_log where project_id = $1 and subject ->> 'id' = $2",
    [project, viewer.id],
  )) as [{ id: string }];

  const other = await makeProject(app, outsider, 'Elsewhere');
  const task = await addTask(app, outsider, { project_id: other.project, title: 'Secret plan' });
  const foreignLabel = await addRow(app, outsider, 'task_labels', { project_id: other.project, name: 'secret' });
  const foreignAttachment = await addRow(app, outsider, 'task_attachments', {
    project_id: other.project,
    task_id: task,
    name: 'secret.png',
    object_path: `${other.project}/${task}/secret.png`,
  });
  const foreignView = await addRow(app, outsider, 'saved_views', { project_id: other.project, name: 'Theirs' });
  const hushed = { project_id: other.project, name: 'Hush', kind: 'text' };
  const foreignField = await addRow(app, outsider, 'custom_fields', hushed);
  const foreignComment = await addRow(app, outsider, 'task_comments', { task_id: task, body: 'Hush' });
  return {
    people: { owner, editor, viewer, guest, outsider },
    project,
    columns,
    tasks: [first, second, third],
    shared,
    label,
    spareLabel,
    item,
    attachment,
    dependency,
    comment,
    reply,
    field,
    recurrence,
    feed: feed.id,
    claim: await claimNext(editor, project),
    template,
    spareField,
    view,
    firstView,
    invitation,
    joinLink,
    shareLink: await makeShareLink(owner, project),
    key: await makeKey(editor),
    service: (await one(owner.client.rpc('create_service_account', { name: 'Bot' }))).id,
    agent: (await one(owner.client.rpc('create_agent', { name: 'Planner' }))).id,
    ...(await makeSession(app, editor, { project_id: project, task_id: first })),
    ...(await makeWebhook(app, project)),
    group,
    logLine,
    elsewhere: {
      project: other.project,
      column: other.columns.backlog,
      task,
      label: foreignLabel,
      attachment: foreignAttachment,
      comment: foreignComment,
      view: foreignView,
      field: foreignField,
      group: await makeGroup(app, outsider),
    },
  };
}

/** The data of an answer that must not be an error. */
export const one = async <T>(answer: PromiseLike<{ data: T; error: unknown }>): Promise<NonNullable<T>> => {
  const { data, error } = await answer;
  if (error !== null) throw new Error(`Refused: ${JSON.stringify(error)}`);
  return data as NonNullable<T>;
};
