// What reaches people and what they leave behind: news, invitations, imports by the service, accounts that go.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp, TestUser } from '../helpers/app.ts';
import { addMember, addRow, addTask, makeProject, one, startTogether } from './board.ts';

let app: TestApp;
let owner: TestUser;
let editor: TestUser;
let shared: Awaited<ReturnType<typeof startTogether>>['shared'];
beforeAll(async () => {
  ({ app, owner, editor, shared } = await startTogether());
});
afterAll(() => app.close());

describe('news', () => {
  const news = async (person: TestUser, project: string) =>
    (
      await one(person.client.from('notifications').select('kind, data').eq('project_id', project).order('created_at'))
    ).map((row) => row.kind as string);

  it('tell who is assigned, mentioned or commented, once, and nobody of their own doing', async () => {
    const { project } = await shared('News');
    const viewer = await app.createUser({ name: 'Zoë-Ann' });
    const outsider = await app.createUser({ name: 'Otto' });
    await addMember(app, project, viewer, 'viewer');
    const task = await addTask(app, editor, { project_id: project, title: 'T', description: 'For @Olga Owner' });
    await editor.client.from('task_assignees').insert([
      { task_id: task, user_id: editor.id },
      { task_id: task, user_id: viewer.id },
    ]);
    await owner.client.from('task_comments').insert({
      task_id: task,
      body: `@zoë ann, @[whoever](${owner.id}), @[Otto](${outsider.id}) and mail@edda-editor.test`,
    });
    expect(await news(owner, project)).toEqual(['mentioned']);
    expect(await news(editor, project)).toEqual(['commented']);
    expect(await news(viewer, project)).toEqual(['assigned', 'mentioned']);
    expect(await news(outsider, project)).toEqual([]);
    // an edit tells those it newly mentions
    await editor.client.from('tasks').update({ description: 'For @Olga Owner and @Zoë-Ann' }).eq('id', task);
    expect(await news(owner, project)).toEqual(['mentioned']);
    expect(await news(viewer, project)).toEqual(['assigned', 'mentioned', 'mentioned']);
  });

  it('are ticked off by their reader, at the database’s time', async () => {
    const { project } = await shared('Ticked');
    const task = await addTask(app, owner, { project_id: project, title: 'T' });
    await owner.client.from('task_assignees').insert({ task_id: task, user_id: editor.id });
    const old = '2001-01-01T00:00:00+00:00';
    const read = await one(
      editor.client.from('notifications').update({ read_at: old }).eq('project_id', project).select().single(),
    );
    expect(read.read_at).toEqual(expect.stringMatching(/^20[2-9]/));
  });

  it('remind of what is due, once per date', async () => {
    const { project } = await shared('Due');
    const [{ today } = { today: '' }] = await app.sql<{ today: string }>('select current_date::text as today');
    const task = await addTask(app, owner, { project_id: project, title: 'T', due_date: today });
    await owner.client.from('task_assignees').insert({ task_id: task, user_id: owner.id });
    await app.sql('select private.notify_due_soon()');
    await app.sql('select private.notify_due_soon()');
    expect(await news(owner, project)).toEqual(['due_soon']);
    await app.sql(`update public.tasks set due_date = current_date + 1 where id = $1`, [task]);
    await app.sql('select private.notify_due_soon()');
    expect(await news(owner, project)).toEqual(['due_soon', 'due_soon']);
  });
});

describe('invitations', () => {
  const token = async (project: string, email: string, role = 'editor') => {
    const invitation = await one(owner.client.rpc('invite_member', { project_id: project, email, role }));
    return invitation.token as string;
  };

  it('are mailed, kept as a hash, and let in the invited once', async () => {
    const { project } = await makeProject(app, owner, 'Invited');
    const guest = await app.createUser({ name: 'Guest', email: 'Guest.One@example.test' });
    const invitation = await one(
      owner.client.rpc('invite_member', { project_id: project, email: 'guest.one@example.test', role: 'editor' }),
    );
    expect(invitation).toMatchObject({ project_id: project, role: 'editor', email: 'guest.one@example.test' });
    const stored = await app.sql(
      `select to_jsonb(i)::text || coalesce(encode(t.token_hash, 'escape'), '') as text
       from public.project_invitations i join private.invitation_tokens t on t.invitation_id = i.id where i.project_id = $1`,
      [project],
    );
    expect(JSON.stringify(stored)).not.toContain(invitation.token);
    const [letter] = await app.sql(`select data from private.outbox where recipient = 'guest.one@example.test'`);
    expect(letter).toEqual({
      data: { project_name: 'Invited', inviter_name: 'Olga Owner', role: 'editor', invitation_id: invitation.id },
    });
    expect(await one(guest.client.from('notifications').select('kind, data').single())).toMatchObject({
      kind: 'invited',
      data: { project_name: 'Invited', role: 'editor' },
    });

    expect(await editor.client.rpc('accept_invitation', { token: invitation.token })).toMatchObject({
      status: 403,
      error: { message: expect.stringContaining('another address') },
    });
    expect(await one(guest.client.rpc('accept_invitation', { token: invitation.token }).single())).toMatchObject({
      project_id: project,
      user_id: guest.id,
      role: 'editor',
    });
    expect(await guest.client.rpc('accept_invitation', { token: invitation.token })).toMatchObject({ status: 404 });
    expect(
      await owner.client.rpc('invite_member', { project_id: project, email: 'guest.one@example.test', role: 'owner' }),
    ).toMatchObject({ status: 409, error: { code: 'KB005' } });
  });

  it('work for who signs up later, once their address is verified, and race for nobody', async () => {
    const { project } = await makeProject(app, owner, 'Later');
    const key = await token(project, 'later@example.test');
    const later = await app.createUser({ name: 'Later', email: 'later@example.test' });
    await app.sql('update auth.users set email_confirmed_at = null where id = $1', [later.id]);
    expect(await later.client.rpc('accept_invitation', { token: key })).toMatchObject({
      status: 403,
      error: { message: expect.stringContaining('not verified') },
    });
    await app.sql('update auth.users set email_confirmed_at = now() where id = $1', [later.id]);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => later.client.rpc('accept_invitation', { token: key })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  it('expire, are renewed by inviting again, and can be withdrawn', async () => {
    const { project } = await makeProject(app, owner, 'Expiry');
    const guest = await app.createUser({ name: 'Guest', email: 'expiry@example.test' });
    const first = await token(project, guest.email);
    await app.sql(
      `update public.project_invitations set expires_at = now() - interval '1 second' where project_id = $1`,
      [project],
    );
    expect((await guest.client.rpc('accept_invitation', { token: first })).status).toBe(404);
    const second = await token(project, guest.email, 'viewer');
    expect((await guest.client.rpc('accept_invitation', { token: first })).status).toBe(404);
    await owner.client.from('project_invitations').delete().eq('project_id', project);
    expect((await guest.client.rpc('accept_invitation', { token: second })).status).toBe(404);
    const third = await token(project, guest.email, 'viewer');
    expect((await guest.client.rpc('accept_invitation', { token: third })).status).toBe(200);
  });
});

describe('whoever invites', () => {
  it('brings nobody in once they own the project no more', async () => {
    const { project } = await makeProject(app, owner, 'Handed over');
    const former = await app.createUser({ name: 'Former' });
    await addMember(app, project, former, 'owner');
    const guest = await app.createUser({ name: 'Guest' });
    const invite = { project_id: project, email: guest.email, role: 'owner' };
    const { token } = await one(former.client.rpc('invite_member', invite));
    await one(
      owner.client
        .from('project_members')
        .update({ role: 'editor' })
        .match({ project_id: project, user_id: former.id })
        .select(),
    );
    expect(await guest.client.rpc('accept_invitation', { token })).toMatchObject({ status: 404 });
    await owner.client.from('project_members').delete().match({ project_id: project, user_id: former.id });
    expect(await guest.client.rpc('accept_invitation', { token })).toMatchObject({ status: 404 });
    const again = await one(owner.client.rpc('invite_member', invite));
    expect((await guest.client.rpc('accept_invitation', { token: again.token })).error).toBeNull();
  });

  it('sends five letters an hour to one address, whoever asks, and fifty invitations in all', async () => {
    const busy = await app.createUser({ name: 'Busy' });
    const { project } = await makeProject(app, busy, 'Crowd');
    const invite = (email: string, as = busy, to = project) =>
      as.client.rpc('invite_member', { project_id: to, email, role: 'viewer' });
    for (let time = 0; time < 7; time += 1) expect((await invite('often@example.test')).error).toBeNull();
    const elsewhere = await makeProject(app, owner, 'Elsewhere');
    expect((await invite('OFTEN@example.test', owner, elsewhere.project)).error).toBeNull();
    const letters = await app.sql(`select id from private.outbox where lower(recipient) = 'often@example.test'`);
    expect(letters).toHaveLength(5);

    for (let guest = 7; guest < 50; guest += 1) expect((await invite(`guest${guest}@example.test`)).error).toBeNull();
    expect(await invite('one.more@example.test')).toMatchObject({
      status: 429,
      error: { code: 'PT429', hint: expect.stringContaining('50 invitations an hour') },
    });
    const posted = await busy.client
      .from('project_invitations')
      .insert({ project_id: project, email: 'b@example.test' });
    expect(posted.status).toBe(429);
    expect(await app.sql(`select id from private.outbox where recipient = 'b@example.test'`)).toEqual([]);
  });
});

describe('the service key', () => {
  it('may set what clients may not, everywhere but in history', async () => {
    const { project, columns } = await shared('Import');
    const service = app.client({ key: app.serviceKey });
    const old = '2001-01-01T00:00:00+00:00';
    const row = { project_id: project, title: 'Brought along', number: 40, created_by: editor.id, created_at: old };
    const made = await one(service.from('tasks').insert(row).select().single());
    expect(made).toMatchObject(row);
    const next = await one(service.from('tasks').insert({ project_id: project, title: 'Next' }).select().single());
    expect(next).toMatchObject({ number: 41, created_by: null });
    expect((await one(service.from('tasks').update({ created_by: owner.id }).eq('id', made.id).select())).length).toBe(
      1,
    );
    expect(await one(service.rpc('move_task', { task_id: made.id, column_id: columns.done }))).toMatchObject({
      column_id: columns.done,
    });
    expect(await one(service.rpc('dashboard_metrics', { project_id: project }))).toMatchObject({ tasks: { total: 2 } });
    expect(await one(service.rpc('search_tasks', { query: 'brought', project_id: project }))).toHaveLength(1);
    expect(await service.rpc('create_project_with_defaults', { name: 'No one’s' })).toMatchObject({
      status: 403,
      error: { message: 'this needs a signed-in user' },
    });
    expect(await service.from('task_activity').delete().eq('project_id', project)).toMatchObject({ status: 403 });
    expect((await service.from('projects').delete().eq('id', project)).error).toBeNull();
  });
});

describe('when an account goes', () => {
  // as the identity room deletes it
  const closeAccount = (person: TestUser) =>
    app.database.runAs(
      { role: 'kanbase_identity', claims: '{}' },
      { text: 'delete from auth.users where id = $1', values: [person.id] },
    );

  it('what they made stays without their name, and the project passes on', async () => {
    const founder = await app.createUser({ name: 'Founder' });
    const heir = await app.createUser({ name: 'Heir' });
    const younger = await app.createUser({ name: 'Younger' });
    const { project } = await makeProject(app, founder, 'Legacy');
    await addMember(app, project, heir, 'editor');
    await addMember(app, project, younger, 'editor');
    const task = await addTask(app, founder, { project_id: project, title: 'Stays' });
    await addRow(app, founder, 'task_comments', { task_id: task, body: 'Stays too' });
    await addRow(app, founder, 'saved_views', { project_id: project, name: 'Shared', is_shared: true });
    await addRow(app, founder, 'saved_views', { project_id: project, name: 'Private' });
    await addRow(app, founder, 'task_assignees', { task_id: task, user_id: founder.id });

    await closeAccount(founder);

    const read = heir.client;
    expect(await one(read.from('tasks').select('title, created_by').single())).toEqual({
      title: 'Stays',
      created_by: null,
    });
    expect(await one(read.from('task_comments').select('body, author_id').single())).toEqual({
      body: 'Stays too',
      author_id: null,
    });
    expect(await one(read.from('task_assignees').select())).toEqual([]);
    expect(await app.sql('select name from public.saved_views where project_id = $1', [project])).toEqual([
      { name: 'Shared' },
    ]);
    expect(await one(read.from('project_members').select('user_id, role').order('role'))).toEqual([
      { user_id: heir.id, role: 'owner' },
      { user_id: younger.id, role: 'editor' },
    ]);
  });

  it('and is archived when no editor is left', async () => {
    const founder = await app.createUser({ name: 'Alone' });
    const viewer = await app.createUser({ name: 'Watcher' });
    const { project } = await makeProject(app, founder, 'Abandoned');
    await addMember(app, project, viewer, 'viewer');
    await closeAccount(founder);
    const left = await one(viewer.client.from('projects').select('archived_at, created_by').single());
    expect(left).toEqual({ archived_at: expect.any(String), created_by: null });
  });
});
