// Projects on the admin pages: outlines for operators, and through every door nothing of what is in them, until one enters openly.

import { beforeAll, expect, test } from 'vitest';
import { completeDueTransfers, endOperatorEntries } from '../../server/admin/call-admin.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { makeBoard } from '../sql/board.ts';
import { idsOf, toldApart } from '../sql/every-procedure.ts';
import { makeOperator, type Operator } from './operator.ts';

let olga: Operator;
let ada: TestUser;
let project: { id: string; key: string };
let task: { id: string };
const path = () => `${project.id}/${task.id}/secret.txt`;

const app = forSuite(startApp);
beforeAll(async () => {
  olga = await makeOperator(app);
  ada = await app.createUser({ name: 'Ada' });
  project = (await ada.client.rpc('create_project_with_defaults', { name: 'Hidden garden' })).data;
  const { data: columns } = await ada.client
    .from('workflow_columns')
    .select('id')
    .eq('project_id', project.id)
    .order('position');
  const made = await ada.client
    .from('tasks')
    .insert({ project_id: project.id, column_id: columns?.[0]?.id, title: 'Walledseed', description: 'Walledseed' })
    .select('id')
    .single();
  task = made.data as { id: string };
  await ada.client.from('task_comments').insert({ task_id: task.id, body: 'Walledseed' });
  expect((await ada.client.storage.from('attachments').upload(path(), new Blob(['Walledseed']))).error).toBeNull();
});

/** What somebody gets of the project, through every door there is. */
async function through(who: { client: TestUser['client']; token: string }) {
  const { client } = who;
  const tables = [
    'projects',
    'project_members',
    'workflow_columns',
    'tasks',
    'task_comments',
    'task_activity',
    'task_attachments',
  ];
  const rows = await Promise.all(tables.map((table) => client.from(table).select('*')));
  const calls = await Promise.all([
    client.rpc('search_tasks', { query: 'Walledseed' }),
    client.rpc('dashboard_metrics', { project_id: project.id }),
    client.rpc('project_people', { project_id: project.id }),
    client.rpc('operator_entries', { project_id: project.id }),
    client.rpc('current_project_role', { project_id: project.id }),
  ]);
  const files = client.storage.from('attachments');
  const [file, link, list] = await Promise.all([
    files.download(path()),
    files.createSignedUrl(path(), 60),
    files.list(`${project.id}/${task.id}`),
  ]);
  const zip = await app.request(`/storage/v1/zip/attachments/${project.id}`, { token: who.token });
  return {
    rows: rows.map(({ data }) => data?.length ?? 0),
    calls: calls.map(({ data }) => (Array.isArray(data) ? data.length > 0 : data !== null)),
    file: file.data !== null,
    link: link.data !== null,
    list: list.data?.length ?? 0,
    zip: zip.ok && (await zip.arrayBuffer()).byteLength > 22,
  };
}

/** Whether a change of the task is heard. */
async function hears(who: { client: TestUser['client'] }, title: string): Promise<boolean> {
  const heard: string[] = [];
  const channel = who.client.channel(`tasks of ${title}`);
  const owner = ada.client.channel(`own ${title}`);
  const listen = (one: typeof channel, into: (title: string) => void) =>
    new Promise<void>((resolve, reject) => {
      one
        .on('postgres_changes', { event: 'UPDATE', schema: 'public', table: 'tasks' }, ({ new: row }) =>
          into(row.title),
        )
        .subscribe((state, error) => (state === 'SUBSCRIBED' ? resolve() : error && reject(error)));
    });
  const own: string[] = [];
  await Promise.all([listen(channel, (it) => heard.push(it)), listen(owner, (it) => own.push(it))]);
  await expect
    .poll(
      async () => {
        await ada.client.from('tasks').update({ title }).eq('id', task.id);
        await ada.client
          .from('tasks')
          .update({ title: `${title} again` })
          .eq('id', task.id);
        return own.length;
      },
      { timeout: 20_000, interval: 300 },
    )
    .toBeGreaterThan(1);
  await Promise.all([who.client.removeChannel(channel), ada.client.removeChannel(owner)]);
  return heard.length > 0;
}

const nothing = {
  rows: [0, 0, 0, 0, 0, 0, 0],
  calls: [false, false, false, false, false],
  file: false,
  link: false,
  list: 0,
  zip: false,
};

test('an operator finds the outline of a project: name, size, owners', async () => {
  for (const words of ['hidden gar', project.key, ada.email]) {
    const { body } = await olga.ask('GET', `/projects?words=${encodeURIComponent(words)}`);
    expect(body).toMatchObject({
      total: 1,
      projects: [{ id: project.id, name: 'Hidden garden', tasks: 1, members: 1, owners: [{ email: ada.email }] }],
    });
    expect(JSON.stringify(body)).not.toContain('Walledseed');
  }
  expect((await olga.ask('GET', '/projects?kind=archived')).body).toMatchObject({ total: 0 });
});

test('no door gives an operator the content of a project: REST, procedures, search, files, live changes', async () => {
  expect(await through(olga)).toEqual(nothing);
  expect(await hears(olga, 'quiet')).toBe(false);
});

test('to every procedure it is what never was, and it is neither exported nor followed', async () => {
  const board = await makeBoard(app);
  expect(await toldApart(app, [olga], idsOf(board))).toEqual([]);
  const json = { 'content-type': 'application/json' };
  const asked = await app.request('/rest/v1/rpc/begin_export', {
    method: 'POST',
    token: olga.token,
    headers: json,
    body: JSON.stringify({ format: 'json', project_id: board.project }),
  });
  expect(asked.status).toBe(404);
  // A private channel, by which those in it talk and see each other.
  const channel = olga.client.channel(`project:${board.project}`, { config: { private: true } });
  const joined = await new Promise<string>((resolve) => {
    channel.subscribe((state) => resolve(state));
  });
  expect(joined).not.toBe('SUBSCRIBED');
  await olga.client.removeChannel(channel);
});

test('entered openly they read, cannot write, and everybody in the project sees who and why; it ends', async () => {
  expect((await olga.ask('POST', `/projects/${project.id}/enter`, { reason: ' ' })).body).toMatchObject({
    code: 'KB804',
  });
  expect((await olga.ask('POST', `/projects/${project.id}/enter`, { reason: 'Ada asked for help' })).status).toBe(200);
  expect((await olga.ask('POST', `/projects/${project.id}/enter`, { reason: 'twice' })).body).toMatchObject({
    code: 'KB804',
  });
  expect(await through(olga)).toMatchObject({ file: true, list: 1 });
  expect((await olga.client.from('tasks').update({ title: 'mine' }).eq('id', task.id)).status).toBe(403);
  const { data: entries } = await ada.client.rpc('operator_entries', { project_id: project.id });
  expect(entries).toMatchObject([
    { deed: 'entered', operator: olga.email, reason: 'Ada asked for help', left_at: null },
  ]);
  expect(await app.sql(`select recipient from private.outbox where kind = 'operator_entered'`)).toEqual([
    { recipient: ada.email },
  ]);
  expect((await olga.ask('GET', '/log?words=project_entered')).body).toMatchObject([
    { subject: 'Hidden garden', subject_id: project.id },
  ]);

  expect((await olga.ask('POST', `/projects/${project.id}/leave`, {})).status).toBe(200);
  expect((await olga.ask('POST', `/projects/${project.id}/leave`, {})).body).toMatchObject({ code: 'KB804' });
  expect(await through(olga)).toEqual(nothing);

  // Forgotten, it ends by itself after a day; an owner may end it before.
  await olga.ask('POST', `/projects/${project.id}/enter`, { reason: 'again' });
  expect(await endOperatorEntries(app.services)).toBe(0);
  await app.sql(`update private.operator_entries set ends_at = now() - interval '1 second' where left_at is null`);
  expect(await endOperatorEntries(app.services)).toBe(1);
  expect(await through(olga)).toEqual(nothing);
  await olga.ask('POST', `/projects/${project.id}/enter`, { reason: 'and again' });
  await ada.client.from('project_members').delete().eq('user_id', olga.id);
  expect(await through(olga)).toEqual(nothing);
  const { data: all } = await ada.client.rpc('operator_entries', { project_id: project.id });
  expect(all.map(({ left_at }: { left_at: string | null }) => left_at === null)).toEqual([false, false, false]);
});

/** What an operator does to a project of somebody's, with another member and an account that is to own it. */
async function makeTransfer() {
  const [owner, member, heir] = await Promise.all(['Ada', 'Eve', 'Bob'].map((name) => app.createUser({ name })));
  if (owner === undefined || member === undefined || heir === undefined) throw new Error('nobody was made');
  const { data } = await owner.client.rpc('create_project_with_defaults', { name: 'Harbour' });
  const id: string = data.id;
  await owner.client.from('project_members').insert({ project_id: id, user_id: member.id, role: 'viewer' });
  const pass = (email = heir.email, reason = 'Ada has left') =>
    olga.ask('POST', `/projects/${id}/pass-on`, { email, reason });
  return {
    ...{ owner, member, heir, id, pass },
    owners: async () =>
      (
        await app.sql<{ user_id: string }>(
          `select user_id from public.project_members where project_id = $1 and role = 'owner'`,
          [id],
        )
      ).map((row) => row.user_id),
    /** As if the 72 hours were over. */
    wait: () =>
      app.sql(`update private.project_transfers set due_at = now() - interval '1 second' where project_id = $1`, [id]),
    told: async (who: TestUser) =>
      ((await who.client.from('notifications').select('data').eq('kind', 'transfer').order('id')).data ?? []).map(
        (row) => (row as { data: { state: string } }).data.state,
      ),
    mails: async (kind: string) =>
      (
        await app.sql<{ recipient: string }>(
          `select recipient from private.outbox where kind = $1 and data ->> 'url' like '%' || $2 || '%'`,
          [kind, id],
        )
      )
        .map((row) => row.recipient)
        .sort(),
    transfers: async (who: TestUser) => (await who.client.rpc('project_transfers', { project_id: id })).data,
  };
}

test('a transfer is announced to everybody in the project, and passes after 72 hours', async () => {
  const { owner, member, heir, id, pass, owners, wait, told, mails, transfers } = await makeTransfer();
  expect((await pass(olga.email)).body).toMatchObject({ code: 'KB804' });
  expect((await pass('nobody@example.test')).body).toMatchObject({ code: 'KB803' });
  expect((await pass(heir.email, '')).body).toMatchObject({ code: 'KB804' });
  expect((await pass(owner.email)).body).toMatchObject({ code: 'KB804' });
  expect((await pass(heir.email.toUpperCase())).status).toBe(200);
  expect((await pass()).body).toMatchObject({ code: 'KB804' });

  expect(await completeDueTransfers(app.services)).toBe(0);
  expect(await owners()).toEqual([owner.id]);
  for (const who of [owner, member, heir]) expect(await told(who)).toEqual(['waiting']);
  expect(await mails('transfer_announced')).toEqual([owner.email, member.email, heir.email].sort());
  const [row] = await app.sql<{ hours: number }>(
    'select extract(epoch from due_at - created_at)::int / 3600 as hours from private.project_transfers where project_id = $1',
    [id],
  );
  expect(row?.hours).toBe(72);
  for (const who of [owner, member]) expect(await transfers(who)).toMatchObject([{ state: 'waiting' }]);
  expect(await transfers(heir)).toBeNull();
  expect((await olga.ask('GET', `/projects/${id}`)).body).toMatchObject({ transfers: [{ state: 'waiting' }] });

  await wait();
  expect(await completeDueTransfers(app.services)).toBe(1);
  expect(await completeDueTransfers(app.services)).toBe(0);
  expect(await owners()).toEqual([heir.id]);
  expect(await mails('project_passed')).toEqual([owner.email, member.email, heir.email].sort());

  // Put out by the new one, who owned it still reads what happened, and by whom.
  await heir.client.from('project_members').delete().match({ project_id: id, user_id: owner.id });
  expect(await told(owner)).toEqual(['waiting', 'passed']);
  expect(await transfers(owner)).toMatchObject([{ state: 'passed', operator: olga.email, new_owner: heir.email }]);
  expect((await olga.ask('GET', '/log?words=Harbour')).body).toMatchObject([
    { action: 'project_passed', details: { to: heir.email } },
    { action: 'transfer_announced', details: { to: heir.email, reason: 'Ada has left' } },
  ]);
});

test.each(['owner', 'member'] as const)('the %s of a project may object, and it stays as it is', async (name) => {
  const made = await makeTransfer();
  const [{ owner, heir, pass, owners, wait, told, mails, transfers }, who] = [made, made[name]];
  await pass();
  const [waiting] = await transfers(owner);
  expect((await heir.client.rpc('object_to_transfer', { transfer_id: waiting.id })).status).toBe(404);
  expect((await who.client.rpc('object_to_transfer', { transfer_id: waiting.id })).error).toBeNull();
  expect((await who.client.rpc('object_to_transfer', { transfer_id: waiting.id })).status).toBe(404);
  await wait();
  expect(await completeDueTransfers(app.services)).toBe(0);
  expect(await owners()).toEqual([owner.id]);
  expect(await told(owner)).toEqual(['waiting', 'objected']);
  expect((await told(olga)).at(-1)).toBe('objected');
  expect(await mails('transfer_objected')).toContain(olga.email);
  // Asked again, they are told again.
  expect((await pass()).status).toBe(200);
  expect((await told(owner)).at(-1)).toBe('waiting');
});

test('an owner who has just been banned keeps the 72 hours; one who cannot sign in for so long does not', async () => {
  const fresh = await makeTransfer();
  expect((await olga.ask('POST', `/accounts/${fresh.owner.id}/disable`, {})).status).toBe(200);
  await fresh.pass();
  expect(await fresh.owners()).toEqual([fresh.owner.id]);
  expect(await fresh.transfers(fresh.member)).toMatchObject([{ state: 'waiting' }]);

  const gone = await makeTransfer();
  await olga.ask('POST', `/accounts/${gone.owner.id}/disable`, {});
  await app.sql(`update auth.users set banned_since = now() - interval '73 hours' where id = $1`, [gone.owner.id]);
  await gone.pass();
  expect(await gone.owners()).toEqual([gone.heir.id]);
  expect(await gone.told(gone.member)).toEqual(['passed']);
});

test('a transfer is withdrawn by an operator, and by itself where the account may not own it any more', async () => {
  const { owner, heir, id, pass, owners, wait, told } = await makeTransfer();
  await pass();
  expect((await olga.ask('POST', `/projects/${id}/withdraw-transfer`, {})).status).toBe(200);
  expect((await olga.ask('POST', `/projects/${id}/withdraw-transfer`, {})).body).toMatchObject({ code: 'KB804' });
  await pass();
  await app.sql('select private.set_operator($1, true)', [heir.email]);
  await wait();
  expect(await completeDueTransfers(app.services)).toBe(1);
  expect(await owners()).toEqual([owner.id]);
  expect(await told(owner)).toEqual(['waiting', 'withdrawn', 'waiting', 'withdrawn']);
});
