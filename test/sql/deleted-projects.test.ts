// Deleted projects: hidden from every query, and unchanged once they are restored.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endDeletedProjects } from '../../server/admin/call-admin.ts';
import { makeOperator, type Operator } from '../admin/operator.ts';
import type { TestUser } from '../helpers/app.ts';
import { addMember, addRow, addTask, type Board, makeBoard, makeGroup, makeProject, one } from './board.ts';
import { idsOf, toldApart } from './every-procedure.ts';
import { startTogether } from './start-together.ts';

const { app } = startTogether();
let board: Board;
let operator: Operator;
beforeAll(async () => {
  operator = await makeOperator(app);
});
beforeEach(async () => {
  board = await makeBoard(app);
});

const members = () => [board.people.owner, board.people.editor, board.people.viewer];
const remove = (who: TestUser, id = board.project) => who.client.from('projects').delete().eq('id', id).select();
const restore = (who: TestUser, id = board.project) => who.client.rpc('restore_project', { project_id: id });
const sweep = () => endDeletedProjects(app.services);
const count = async (table: string, id = board.project, column = 'project_id') =>
  (await app.sql<{ n: number }>(`select count(*)::int as n from ${table} where ${column} = $1`, [id]))[0]?.n;

/** Every row of every table that is about the project, as text. */
async function everything(): Promise<Record<string, string[]>> {
  const tables = await app.sql<{ name: string; column: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name, a.attname as column
     from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'private')
     join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
       and (a.attname = 'project_id' or (c.relname = 'projects' and a.attname = 'id'))
     where c.relkind in ('r', 'p') order by 1`,
  );
  const found: Record<string, string[]> = {};
  for (const { name, column } of tables) {
    const rows = await app.sql<{ row: string }>(
      `select (to_jsonb(t) - 'version' - case when $2 = 'public.projects' then 'updated_at' else '' end)::text as row from ${name} t where t.${column} = $1 order by 1`,
      [board.project, name],
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}

describe('deleting a project', () => {
  it('answers as if the row were gone, at both doors, and again', async () => {
    const { owner } = board.people;
    const { data, status } = await remove(owner);
    expect([status, data?.length, data?.[0]?.id]).toEqual([200, 1, board.project]);
    expect((await remove(owner)).data).toEqual([]);
    const { project } = await makeProject(app, owner, 'By the app');
    const changes = [{ change: 'delete', table: 'projects', rows: [{ id: project }] }];
    expect(await one(owner.client.rpc('apply_changes', { changes }))).toMatchObject([{ rows: [{ id: project }] }]);
    expect((await owner.client.rpc('apply_changes', { changes })).error).toBeNull();
    expect(await owner.client.from('projects').select('id').in('id', [board.project, project])).toMatchObject({
      data: [],
    });
    // And by the statement itself.
    const { project: third } = await makeProject(app, owner, 'By a statement');
    await app.asUser(owner.id, 'delete from public.projects where id = $1', [third]);
    expect(await count('public.projects', third, 'id')).toBe(1);
    expect(await count('public.project_members', third)).toBe(0);
  });

  it('is the owners’ alone, however it is asked for', async () => {
    const later = { deleted_at: new Date().toISOString() };
    const changes = [{ change: 'delete', table: 'projects', rows: [{ id: board.project }] }];
    for (const who of [board.people.editor, board.people.viewer]) {
      expect(await remove(who)).toMatchObject({ status: 403, error: { code: '42501' } });
      expect((await remove(who)).error?.message).toContain('permission denied to delete');
      expect(await who.client.from('projects').update(later).eq('id', board.project)).toMatchObject({ status: 403 });
      expect(await who.client.rpc('apply_changes', { changes })).toMatchObject({ status: 403 });
      await expect(app.asUser(who.id, 'delete from public.projects where id = $1', [board.project])).rejects.toThrow(
        'permission denied',
      );
    }
    expect((await remove(board.people.outsider)).data).toEqual([]);
    expect(await count('public.project_members')).toBe(3);
  });

  it('takes its moment from the database', async () => {
    const { owner } = board.people;
    await owner.client.from('projects').update({ deleted_at: '2020-01-01T00:00:00Z' }).eq('id', board.project);
    const [row] = await app.sql<{ late: boolean }>(
      `select deleted_at > now() - interval '1 minute' as late from projects where id = $1`,
      [board.project],
    );
    expect(row?.late).toBe(true);
  });
});

describe('a deleted project', () => {
  it('has no row that anybody sees in any table', async () => {
    const tables = await app.sql<{ name: string; column: string }>(
      `select c.relname as name, a.attname as column from pg_class c
       join pg_attribute a on a.attrelid = c.oid and (a.attname = 'project_id' or (c.relname = 'projects' and a.attname = 'id'))
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
    );
    const seen = async (who: TestUser) =>
      Promise.all(
        tables.map(async ({ name, column }) => {
          const { data } = await who.client.from(name).select().eq(column, board.project);
          return [name, data?.length ?? 0] as const;
        }),
      );
    expect(
      (await seen(board.people.editor))
        .filter(([, n]) => n === 0)
        .map(([name]) => name)
        .sort(),
    ).toEqual(
      [
        'access_log',
        'api_keys',
        'join_links',
        'notification_settings',
        'service_accounts',
        'share_links',
        'webhook_deliveries',
        'webhooks',
      ].filter((name) => tables.some((table) => table.name === name)),
    );
    // Only owners see these.
    const owners = new Map(await seen(board.people.owner));
    for (const name of ['access_log', 'join_links', 'share_links', 'webhook_deliveries', 'webhooks'])
      expect(owners.get(name)).toBeGreaterThan(0);
    await remove(board.people.owner);
    // What is one's own alone, and says nothing of what is in it.
    const own = ['access_grants', 'calendar_feeds', 'notification_settings', 'project_watchers'];
    for (const who of [...members(), board.people.outsider])
      expect((await seen(who)).filter(([name, n]) => n > 0 && !own.includes(name))).toEqual([]);
  });

  it('is to every procedure what never was', async () => {
    await remove(board.people.owner);
    expect(await toldApart(app, members(), idsOf(board), ['restore_project', 'end_deleted_project'])).toEqual([]);
  }, 60_000);

  it('is in no figures, no search, no export of one’s data, and no count', async () => {
    const { editor, owner } = board.people;
    await remove(owner);
    expect(await one(editor.client.rpc('search_tasks', { query: 'Draft' }))).toEqual([]);
    expect(await one(editor.client.rpc('dashboard_metrics'))).toMatchObject({ tasks: { total: 0 } });
    expect(await one(editor.client.rpc('archived_tasks'))).toEqual([]);
    // What they were told of it is theirs.
    expect(await one(editor.client.rpc('export_my_data'))).toMatchObject({ tasks: [], comments: [], projects: [] });
    expect(await one(owner.client.rpc('my_account_end'))).toMatchObject({ projects: [] });
  });

  it('sends nothing: no reminders, no mail, no push, no task that comes again', async () => {
    const { editor, owner } = board.people;
    await app.sql(`update tasks set due_date = current_date where id = $1`, [board.tasks[0]]);
    await app.sql(
      `update task_recurrences set next_at = now() - interval '1 day', next_on = current_date - 1 where id = $1`,
      [board.recurrence],
    );
    const waiting = () =>
      app.sql(
        'select from private.notification_deliveries d join notifications n on n.id = d.notification_id where n.project_id = $1',
        [board.project],
      );
    await app.sql(
      `insert into private.notification_deliveries (notification_id, way, user_id, due_at)
       select id, 'push', user_id, now() from notifications where project_id = $1 on conflict do nothing`,
      [board.project],
    );
    expect((await waiting()).length).toBeGreaterThan(0);
    await remove(owner);
    expect(await waiting()).toEqual([]);
    const entries = await count('public.notifications');
    await app.sql('select private.notify_of_due_dates()');
    expect(await count('public.notifications')).toBe(entries);
    expect(
      await app.sql(`select * from private.recurrences_to_settle('{}', 1000) where id = $1`, [board.recurrence]),
    ).toEqual([]);
    // News of elsewhere tells how many are unread, without those of the deleted project.
    const other = await makeProject(app, owner, 'Other');
    await addMember(app, other.project, editor, 'editor');
    const task = await addTask(app, owner, { project_id: other.project, title: 'New' });
    await app.sql(`update public.notifications set read_at = now() where user_id = $1 and project_id = $2`, [
      editor.id,
      other.project,
    ]);
    await addRow(app, owner, 'task_assignees', { task_id: task, user_id: editor.id });
    await app.sql(`update private.notification_deliveries set due_at = now() where way = 'push' and user_id = $1`, [
      editor.id,
    ]);
    const taken = await app.sql<{ unread: string }>(
      `select unread from private.claim_push_deliveries(100) where part ->> 'project_name' = 'Other'`,
    );
    for (const { unread } of taken) expect(Number(unread)).toBe(1);
  });

  it('lets nobody in: not by its invitations, not as a member that somebody adds', async () => {
    const { owner } = board.people;
    const guest = await app.createUser({ name: 'Guest' });
    const { token, id } = await one(
      owner.client.rpc('invite_member', { project_id: board.project, email: guest.email, role: 'editor' }),
    );
    expect(await one(guest.client.from('notifications').select('kind'))).toEqual([{ kind: 'invited' }]);
    await remove(owner);
    expect(await one(guest.client.from('notifications').select('kind'))).toEqual([]);
    expect(await guest.client.rpc('invitation_details', { token })).toMatchObject({ status: 404 });
    expect(await guest.client.rpc('accept_invitation', { token })).toMatchObject({ status: 404 });
    expect(await guest.client.rpc('join_project', { invitation_id: id })).toMatchObject({ status: 404 });
    await expect(addMember(app, board.project, guest, 'viewer')).rejects.toThrow('no such project');
    expect(await app.sql('select auth.is_invited($1) as yes', [guest.email])).toEqual([{ yes: false }]);
    await restore(owner);
    expect(await one(guest.client.rpc('accept_invitation', { token }))).toMatchObject({ role: 'editor' });
  });

  it('opens no file and no feed by a link that was handed out, until it is back', async () => {
    const { owner } = board.people;
    const files = owner.client.storage.from('attachments');
    const path = `${board.project}/${board.tasks[0]}/plan.txt`;
    expect((await files.upload(path, new Blob(['The plan']))).error).toBeNull();
    const link = (await one(files.createSignedUrl(path, 60))).signedUrl;
    const feed = (await one(owner.client.rpc('create_calendar_feed', { kind: 'project', project_id: board.project })))
      .path;
    await app.sql('update tasks set due_date = current_date where id = $1', [board.tasks[0]]);
    const opened = async () => {
      const [file, calendar] = await Promise.all([fetch(link), app.request(feed, { token: null })]);
      return [file.status, (await calendar.text()).includes('Draft the page')];
    };
    expect(await opened()).toEqual([200, true]);
    await remove(owner);
    const [status, tells] = await opened();
    expect([status === 200, tells]).toEqual([false, false]);
    expect((await files.download(path)).data).toBeNull();
    await restore(owner);
    expect(await opened()).toEqual([200, true]);
  });

  it('waits for who joins meanwhile, and is there for them when it is back', async () => {
    const { owner } = board.people;
    const late = await app.createUser({ name: 'Late' });
    let join: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      join = resolve;
    });
    let joining: Promise<void> = Promise.resolve();
    await new Promise<void>((isInside, failed) => {
      joining = app.database.transactAs({ role: 'service_role', claims: '{}' }, async (tx) => {
        await tx.run({
          text: `insert into public.project_members (project_id, user_id, role) values ($1, $2, 'viewer')`,
          values: [board.project, late.id],
        });
        isInside();
        await held;
      });
      joining.catch(failed);
    });
    // Sent when it is waited for.
    const removing = remove(owner).then((answer) => answer);
    await expect
      .poll(() =>
        app.sql(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`),
      )
      .not.toEqual([]);
    join();
    await Promise.all([joining, removing]);
    expect(await one(late.client.from('projects').select('id'))).toEqual([]);
    await restore(owner);
    expect(await one(late.client.from('projects').select('id'))).toEqual([{ id: board.project }]);
  });

  it('is marked to the service role, which brings it back by taking the mark away', async () => {
    const service = app.client({ key: app.serviceKey });
    expect(await one(service.from('projects').delete().eq('id', board.project).select('id'))).toEqual([
      { id: board.project },
    ]);
    const changes = [{ change: 'delete', table: 'projects', rows: [{ id: board.project }] }];
    expect((await service.rpc('apply_changes', { changes })).error).toBeNull();
    const { deleted_at: at } = await one(
      service.from('projects').select('deleted_at').eq('id', board.project).single(),
    );
    expect(at).toEqual(expect.any(String));
    expect(await one(service.from('tasks').select('id').eq('project_id', board.project))).toHaveLength(4);
    await service.from('projects').update({ deleted_at: null }).eq('id', board.project);
    expect(await count('public.project_members')).toBe(3);
  });
});

describe('a project that is brought back', () => {
  it('is what it was, row by row, for everybody who was in it', async () => {
    await app.sql(`delete from public.notifications where kind = 'invited' and project_id = $1`, [board.project]);
    const before = await everything();
    expect(Object.values(before).flat().length).toBeGreaterThan(40);
    await remove(board.people.owner);
    const { data, error } = await restore(board.people.owner);
    expect([error, data?.id, data?.deleted_at]).toEqual([null, board.project, null]);
    expect({ ...(await everything()), 'public.task_recurrences': [] }).toEqual({
      ...before,
      'public.task_recurrences': [],
    });
    for (const who of members()) expect(await one(who.client.from('tasks').select('id'))).toHaveLength(4);
    // The same request, because the answer was lost.
    expect((await restore(board.people.owner)).error).toBeNull();
  });

  it('has its guests at work, and not as guests who were members by a group that they have left', async () => {
    const { owner, editor } = board.people;
    const [task, other, secret] = board.tasks;
    const [guest, left] = [await app.createUser({ name: 'Gwen' }), await app.createUser({ name: 'Lea Left' })];
    const group = await makeGroup(app, owner);
    await app.sql('insert into public.group_members (group_id, user_id) values ($1, $2)', [group, left.id]);
    await app.sql(`insert into public.project_members (project_id, group_id, role) values ($1, $2, 'editor')`, [
      board.project,
      group,
    ]);
    await addRow(app, owner, 'task_grants', { task_id: task, user_id: guest.id, level: 'edit' });
    await addRow(app, editor, 'task_assignees', { task_id: other, user_id: guest.id });
    await addRow(app, editor, 'task_assignees', { task_id: other, user_id: left.id });
    await addRow(app, editor, 'task_assignees', { task_id: secret, user_id: left.id });
    await addRow(app, owner, 'task_grants', { task_id: secret, user_id: left.id });
    await one(owner.client.from('tasks').update({ is_restricted: true }).eq('id', secret).select());
    const rights = () =>
      app.sql(
        'select task_id, user_id, is_named, level from public.task_grants where project_id = $1 order by task_id, user_id',
        [board.project],
      );
    const before = await rights();
    await remove(owner);
    await app.sql('delete from public.group_members where group_id = $1 and user_id = $2', [group, left.id]);
    // Nothing gives it, whatever it was of.
    await app.sql(
      `insert into public.task_grants (project_id, task_id, user_id, is_named, level) values ($1, $2, $3, false, 'edit')`,
      [board.project, secret, guest.id],
    );
    expect((await restore(owner)).error).toBeNull();
    expect(await rights()).toEqual(before.filter(({ user_id }) => user_id !== left.id));
    const workers = await app.sql<{ user_id: string }>('select user_id from public.task_assignees where task_id = $1', [
      other,
    ]);
    expect(workers.map(({ user_id }) => user_id)).toEqual([guest.id]);
    expect(await one(left.client.from('tasks').select('id'))).toEqual([]);
    await expect.poll(async () => (await one(guest.client.from('tasks').select('id'))).length).toBe(2);
  });

  it('is brought back by those who owned it alone', async () => {
    const { owner, editor, viewer, outsider } = board.people;
    await remove(owner);
    for (const who of [editor, viewer, outsider]) {
      expect(await restore(who)).toMatchObject({ status: 404, error: { code: 'PT404' } });
      expect(await who.client.rpc('end_deleted_project', { project_id: board.project })).toMatchObject({ status: 404 });
      expect(await one(who.client.rpc('deleted_projects'))).toEqual([]);
      await who.client.from('projects').update({ deleted_at: null }).eq('id', board.project);
    }
    expect(await count('public.project_members')).toBe(0);
    const [listed] = await one(owner.client.rpc('deleted_projects'));
    expect(listed).toMatchObject({ id: board.project, name: 'Web site' });
    expect(Date.parse(listed?.kept_until ?? '') - Date.parse(listed?.deleted_at ?? '')).toBe(30 * 86_400_000);
  });

  it('has to have room in the plan of its owner', async () => {
    const { owner } = board.people;
    await app.sql(`update projects set created_by = null where id <> $1 and created_by = $2`, [
      board.project,
      owner.id,
    ]);
    await app.sql(
      `insert into billing.plans (price_id, name, limits, is_enforced) values ('free', 'Free', '{"projects": 1, "members_per_project": 2}', true)
       on conflict (price_id) do update set limits = excluded.limits, is_enforced = true`,
    );
    try {
      await remove(owner);
      const { project } = await makeProject(app, owner, 'In its place');
      expect(await restore(owner)).toMatchObject({ status: 402, error: { code: 'PT402', details: 'projects: 1' } });
      expect(await operator.ask('POST', `/projects/${board.project}/restore`, { reason: 'Asked' })).toMatchObject({
        status: 409,
      });
      await remove(owner, project);
      // Three are in it, and the plan has shrunk to two: nobody is added, so nobody is in the way.
      expect((await restore(owner)).error).toBeNull();
      expect(await count('public.project_members')).toBe(3);
    } finally {
      await app.sql(`update billing.plans set is_enforced = false where price_id = 'free'`);
    }
  });

  it('passes to an editor when its owner’s account ended meanwhile, and says nothing of them', async () => {
    const { owner, editor, viewer } = board.people;
    const person = await addRow(app, editor, 'custom_fields', {
      project_id: board.project,
      name: 'Asks',
      kind: 'person',
    });
    await editor.client
      .from('task_field_values')
      .insert({ task_id: board.tasks[0], field_id: person, value: owner.id });
    await remove(owner);
    await app.sql('delete from auth.users where id = $1', [owner.id]);
    expect(await operator.ask('POST', `/projects/${board.project}/restore`, { reason: 'Asked by Edda' })).toMatchObject(
      { status: 200 },
    );
    expect(await one(viewer.client.from('project_members').select('user_id, role').order('role'))).toEqual([
      { user_id: editor.id, role: 'owner' },
      { user_id: viewer.id, role: 'viewer' },
    ]);
    expect(await one(viewer.client.from('task_field_values').select('field_id').eq('field_id', person))).toEqual([]);
  });
});

describe('the end of a deleted project', () => {
  const gone = async () => [
    await count('public.projects', board.project, 'id'),
    await count('public.tasks'),
    await count('private.kept_members'),
  ];

  it('comes after thirty days', async () => {
    await remove(board.people.owner);
    await sweep();
    expect(await gone()).toEqual([1, 4, 3]);
    await app.sql(`update projects set deleted_at = now() - interval '30 days' where id = $1`, [board.project]);
    expect(await sweep()).toBeGreaterThan(0);
    expect(await gone()).toEqual([0, 0, 0]);
    expect(await restore(board.people.owner)).toMatchObject({ status: 404 });
  });

  it('comes at once where its owner says so', async () => {
    const { owner } = board.people;
    await remove(owner);
    expect((await owner.client.rpc('end_deleted_project', { project_id: board.project })).error).toBeNull();
    expect(await one(owner.client.rpc('deleted_projects'))).toEqual([]);
    expect(await restore(owner)).toMatchObject({ status: 404 });
    expect(await operator.ask('POST', `/projects/${board.project}/restore`, { reason: 'Asked' })).toMatchObject({
      status: 404,
    });
    await sweep();
    expect(await gone()).toEqual([0, 0, 0]);
  });

  it('comes with the account of the last one who was in it', async () => {
    const alone = await app.createUser({ name: 'Alone' });
    const { project } = await makeProject(app, alone, 'Mine');
    await remove(alone, project);
    await app.sql(`select private.end_account(u, '{}') from auth.users u where u.id = $1`, [alone.id]);
    expect(await count('public.projects', project, 'id')).toBe(0);
  });
});

describe('a deleted project on the admin pages', () => {
  it('is listed with those who were in it, cannot be entered or passed on, and is brought back for a reason', async () => {
    const { owner } = board.people;
    await app.sql('update auth.users set email_confirmed_at = now() where id = $1', [owner.id]);
    expect(await operator.ask('POST', `/projects/${board.project}/restore`, { reason: 'Why not' })).toMatchObject({
      status: 409,
    });
    await remove(owner);
    const words = new URLSearchParams({ words: board.project });
    const listed = async (kind: string) =>
      ((await operator.ask('GET', `/projects?${words}&kind=${kind}`)).body.projects as Record<string, unknown>[]).map(
        ({ members: people, tasks, owners, kept_until }) => [people, tasks, (owners as unknown[]).length, kept_until],
      );
    expect(await listed('deleted')).toEqual([[3, 4, 1, expect.any(String)]]);
    expect(await listed('open')).toEqual([]);
    expect(await listed('ownerless')).toEqual([]);
    for (const action of ['enter', 'pass-on'])
      expect(
        await operator.ask('POST', `/projects/${board.project}/${action}`, { reason: 'Look', email: owner.email }),
      ).toMatchObject({ status: 409, body: { message: 'This project is deleted' } });
    expect(await operator.ask('POST', `/projects/${board.project}/restore`, { reason: ' ' })).toMatchObject({
      status: 409,
    });
    expect(await count('public.project_members')).toBe(0);
    expect((await operator.ask('POST', `/projects/${board.project}/restore`, { reason: 'Olga asked' })).status).toBe(
      200,
    );
    expect(await one(owner.client.rpc('operator_entries', { project_id: board.project }))).toMatchObject([
      { deed: 'restored', reason: 'Olga asked' },
    ]);
    expect(
      await app.sql(`select kind from private.outbox where recipient = $1 and kind = 'project_restored'`, [
        owner.email,
      ]),
    ).toHaveLength(1);
    expect(await app.sql(`select action from private.desk_log where subject_id = $1`, [board.project])).toEqual([
      { action: 'project_restored' },
    ]);
    // They brought it back, and see nothing of it.
    expect(await one(operator.client.from('projects').select('id'))).toEqual([]);
  });

  it('does not bring back an operator whose day was over meanwhile', async () => {
    await operator.ask('POST', `/projects/${board.project}/enter`, { reason: 'Look' });
    await remove(board.people.owner);
    await app.sql(`update private.operator_entries set ends_at = now() where project_id = $1`, [board.project]);
    await app.sql('select private.end_operator_entries()');
    await restore(board.people.owner);
    expect(await count('public.project_members')).toBe(3);
  });
});
