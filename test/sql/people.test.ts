// Visibility of people to others, and the procedures for one's own account.

import { describe, expect, it } from 'vitest';
import type { TestUser } from '../helpers/app.ts';
import { addMember, addRow, addTask, makeProject, one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor } = startTogether();

/** As a token says how and when somebody signed in. */
const signedIn = (method: string, minutesAgo: number) => ({
  amr: [{ method, timestamp: Math.floor(Date.now() / 1000) - minutesAgo * 60 }],
});

describe('people', () => {
  it('of a project: when they last did something in it, and what they have on their hands', async () => {
    const { project, columns } = await makeProject(app, owner, 'Seen');
    await addMember(app, project, editor, 'editor');
    const task = await addTask(app, owner, { project_id: project, title: 'Open' });
    const done = await addTask(app, owner, { project_id: project, title: 'Done', column_id: columns.done });
    for (const one of [task, done]) await addRow(app, owner, 'task_assignees', { task_id: one, user_id: editor.id });
    const elsewhere = await makeProject(app, editor, 'Elsewhere');
    await addTask(app, editor, { project_id: elsewhere.project, title: 'Hidden' });

    const seen = await one(owner.client.rpc('project_people', { project_id: project }));
    expect(seen).toHaveLength(2);
    expect(seen).toContainEqual({ user_id: owner.id, last_active_at: expect.any(String), open_tasks: 0 });
    // what they do elsewhere is nobody's business here
    expect(seen).toContainEqual({ user_id: editor.id, last_active_at: null, open_tasks: 1 });
    const stranger = await app.createUser({ name: 'Stranger' });
    expect(await one(stranger.client.rpc('project_people', { project_id: project }))).toEqual([]);
  });

  it('have a page for those who share a project with them, about these projects alone', async () => {
    const person = await app.createUser({ name: 'Person' });
    const { project } = await makeProject(app, owner, 'Shared');
    await addMember(app, project, person, 'editor');
    const task = await addTask(app, person, { project_id: project, title: 'Theirs' });
    await addRow(app, person, 'task_assignees', { task_id: task, user_id: person.id });
    const own = await makeProject(app, person, 'Their own');
    await addTask(app, person, { project_id: own.project, title: 'Secret' });

    const page = await one(owner.client.rpc('person_page', { user_id: person.id }));
    expect(page).toMatchObject({
      projects: [
        { id: project, name: 'Shared', role: 'editor', is_archived: false, last_active_at: expect.any(String) },
      ],
      open_tasks: 1,
      tasks: [{ id: task, title: 'Theirs', column_name: 'Backlog' }],
    });
    expect(page.activity.map((line: { kind: string }) => line.kind).sort()).toEqual(['assigned', 'created']);
    expect(JSON.stringify(page)).not.toContain('Secret');
    const stranger = await app.createUser({ name: 'Stranger' });
    expect((await stranger.client.rpc('person_page', { user_id: person.id })).status).toBe(404);
  });
});

describe('all projects', () => {
  it('tell how each stands, those one is in and no other', async () => {
    const person = await app.createUser({ name: 'Many' });
    const { project, columns } = await makeProject(app, person, 'Half done');
    const empty = await makeProject(app, person, 'Empty');
    const put = await makeProject(app, person, 'Put away');
    await app.sql('update public.projects set archived_at = now() where id = $1', [put.project]);
    const day = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
    const late = await addTask(app, person, { project_id: project, title: 'Late', due_date: day(-3) });
    await addTask(app, person, { project_id: project, title: 'In time', due_date: day(3) });
    const gone = await addTask(app, person, { project_id: project, title: 'Gone', due_date: day(-3) });
    await app.sql('update public.tasks set archived_at = now() where id = $1', [gone]);
    const told = () => one(person.client.rpc('project_progress').order('total', { ascending: false }));
    expect(await told()).toEqual([
      { project_id: project, total: 2, completed: 0, overdue: 1 },
      { project_id: empty.project, total: 0, completed: 0, overdue: 0 },
    ]);
    await one(person.client.rpc('move_task', { task_id: late, column_id: columns.done }));
    expect((await told())[0]).toEqual({ project_id: project, total: 2, completed: 1, overdue: 0 });
    expect(JSON.stringify(await one(owner.client.rpc('project_progress')))).not.toContain(project);
    expect((await app.client().rpc('project_progress')).status).toBe(401);
  });
});

describe('a person’s own account', () => {
  it('is taken along as one document, which holds nothing of others and no secret', async () => {
    const person = await app.createUser({ name: 'Leaver', email: 'leaver@example.test' });
    await app.sql('insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1)', [person.id]);
    const { project } = await makeProject(app, person, 'Packed');
    await addMember(app, project, editor, 'editor');
    const task = await addTask(app, person, { project_id: project, title: 'Mine' });
    await addTask(app, editor, { project_id: project, title: 'Not mine' });
    await addRow(app, person, 'task_comments', { task_id: task, body: 'My word' });
    const theirs = await addRow(app, editor, 'task_comments', { task_id: task, body: 'Their word' });
    await one(person.client.from('comment_reactions').insert({ comment_id: theirs, emoji: '🎉' }).select());
    await one(editor.client.from('comment_reactions').insert({ comment_id: theirs, emoji: '👀' }).select());
    const data = await one(person.client.rpc('export_my_data'));
    expect(data).toMatchObject({
      account: { email: 'leaver@example.test' },
      profile: { display_name: 'Leaver' },
      projects: [{ name: 'Packed', role: 'owner' }],
      tasks: [{ title: 'Mine', created_by_me: true, assigned_to_me: false }],
      comments: [{ body: 'My word' }],
      reactions: [{ comment_id: theirs, emoji: '🎉' }],
    });
    expect(data.sessions).toHaveLength(1);
    const words = JSON.stringify(data);
    for (const other of ['Not mine', 'Their word', '👀', 'password', 'token']) expect(words).not.toContain(other);
  });

  it('names its files, and those of others that its texts show', async () => {
    const person = await app.createUser({ name: 'Painter' });
    const { project } = await makeProject(app, person, 'Painted');
    await addMember(app, project, editor, 'editor');
    const task = await addTask(app, person, { project_id: project, title: 'Mine' });
    const attach = (user: TestUser, name: string) =>
      addRow(app, user, 'task_attachments', {
        task_id: task,
        name,
        content_type: 'image/png',
        size_bytes: 1,
        object_path: `${project}/${task}/${name}`,
      });
    const mine = await attach(person, 'mine.png');
    const shown = await attach(editor, 'shown.png');
    const said = await attach(editor, 'said.png');
    await attach(editor, 'theirs.png');
    await one(
      person.client
        .from('tasks')
        .update({ description: `![shown.png](attachment:${shown})` })
        .eq('id', task)
        .select(),
    );
    await addRow(app, person, 'task_comments', { task_id: task, body: `[said.png](attachment:${said})` });
    const { attachments } = await one(person.client.rpc('export_my_data'));
    expect(attachments).toMatchObject([
      { id: mine, uploaded_by_me: true, object_path: `${project}/${task}/mine.png`, task_key: 'PAIN-1' },
      { id: shown, uploaded_by_me: false },
      { id: said, uploaded_by_me: false },
    ]);
    await app.sql('delete from public.project_members where project_id = $1 and user_id = $2', [project, editor.id]);
    const left = await one(editor.client.rpc('export_my_data'));
    expect(left.attachments.filter((file: { task_id: string }) => file.task_id === task)).toEqual([]);
  });

  it('says before its end what becomes of each project, and that comes true', async () => {
    const person = await app.createUser({ name: 'Goner', email: 'goner@example.test', claims: signedIn('otp', 1) });
    const alone = await makeProject(app, person, 'Alone');
    await addTask(app, person, { project_id: alone.project, title: 'Goes' });
    const passed = await makeProject(app, person, 'Passed on');
    await addMember(app, passed.project, editor, 'editor');
    const watched = await makeProject(app, person, 'Watched');
    await addMember(app, watched.project, owner, 'viewer');
    const shared = await makeProject(app, owner, 'Co-owned');
    await addMember(app, shared.project, person, 'owner');
    const task = await addTask(app, person, { project_id: shared.project, title: 'Stays' });
    await addRow(app, person, 'task_comments', { task_id: task, body: 'Stays too' });

    const end = await one(person.client.rpc('my_account_end'));
    expect(end).toEqual({
      projects: [
        { id: alone.project, name: 'Alone', becomes: 'deleted', heir_name: null },
        { id: shared.project, name: 'Co-owned', becomes: 'stays', heir_name: null },
        { id: passed.project, name: 'Passed on', becomes: 'passes', heir_name: 'Edda Editor' },
        { id: watched.project, name: 'Watched', becomes: 'archived', heir_name: null },
      ],
      tasks: 1,
      comments: 1,
      service_accounts: [],
      programs: [],
      proof: 'recent',
    });

    expect((await person.client.rpc('delete_my_account', { email: 'other@example.test' })).status).toBe(400);
    expect((await person.client.rpc('delete_my_account', { email: ' Goner@example.test ' })).error).toBeNull();
    expect(await app.sql('select id from auth.users where id = $1', [person.id])).toEqual([]);
    expect(await app.sql('select id from public.projects where id = $1', [alone.project])).toEqual([]);
    expect(await one(editor.client.from('project_members').select('role').eq('project_id', passed.project))).toEqual([
      { role: 'owner' },
    ]);
    expect(await one(owner.client.from('projects').select('archived_at').eq('id', watched.project).single())).toEqual({
      archived_at: expect.any(String),
    });
    expect(await one(owner.client.from('tasks').select('title, created_by').eq('id', task).single())).toEqual({
      title: 'Stays',
      created_by: null,
    });
  });

  it('ends with its sessions: their tokens are turned away', async () => {
    const client = app.client();
    const email = 'signed.in@example.test';
    expect((await client.auth.signUp({ email, password: 'correct horse battery' })).error).toBeNull();
    expect((await client.from('projects').select()).status).toBe(200);
    expect((await client.rpc('delete_my_account', { email })).error).toBeNull();
    await expect.poll(async () => (await client.from('projects').select()).status).toBe(401);
    expect((await client.auth.signInWithPassword({ email, password: 'correct horse battery' })).error).not.toBeNull();
  });

  it('ends by what proves it, given a moment ago: the second factor, else the password, else any sign-in', async () => {
    const cases = [
      ['recent', signedIn('oauth', 9), true],
      ['recent', signedIn('oauth', 11), false],
      ['recent', {}, false],
      ['password', signedIn('password', 9), true],
      ['password', signedIn('password', 11), false],
      ['password', signedIn('otp', 1), false],
      ['factor', signedIn('totp', 1), true],
      ['factor', signedIn('password', 1), false],
    ] as const;
    for (const [proof, claims, ends] of cases) {
      const person = await app.createUser({ claims });
      if (proof !== 'recent')
        await app.sql("update auth.users set encrypted_password = '$argon2id$' where id = $1", [person.id]);
      if (proof === 'factor')
        await app.sql(
          "insert into auth.mfa_factors (user_id, factor_type, status, secret) values ($1, 'totp', 'verified', 's')",
          [person.id],
        );
      expect((await one(person.client.rpc('my_account_end'))).proof).toBe(proof);
      const { status, error } = await person.client.rpc('delete_my_account', { email: person.email });
      expect([proof, claims, status, error?.code]).toEqual([
        proof,
        claims,
        ends ? 204 : 403,
        ends ? undefined : 'KB013',
      ]);
    }
  });

  it('is not ended while it pays for something', async () => {
    const person = await app.createUser({ name: 'Payer', email: 'payer@example.test', claims: signedIn('otp', 1) });
    await app.sql(
      `with c as (insert into billing.customers (id, user_id, livemode) values ('cus_end', $1, false) returning id)
       insert into billing.subscriptions (id, customer_id, livemode, status, told_at, told_rank, told_state)
       select 'sub_end', id, false, 'active', now(), 1, '{}' from c`,
      [person.id],
    );
    expect(await person.client.rpc('delete_my_account', { email: person.email })).toMatchObject({
      status: 409,
      error: { hint: expect.stringContaining('Billing') },
    });
  });
});

describe('first steps', () => {
  it('tick themselves by what is there', async () => {
    const person = await app.createUser({ name: 'Newcomer' });
    const done = async () => {
      const steps = await one(person.client.rpc('my_first_steps'));
      return Object.keys(steps)
        .filter((step) => steps[step])
        .sort();
    };
    expect(await done()).toEqual([]);
    const { project, columns } = await makeProject(app, person, 'Mine');
    expect(await done()).toEqual(['project']);
    const task = await addTask(app, person, { project_id: project, title: 'First' });
    expect(await done()).toEqual(['project', 'task']);
    await one(person.client.rpc('move_task', { task_id: task, column_id: columns.todo }));
    await one(person.client.rpc('invite_member', { project_id: project, email: 'friend@example.test' }));
    expect(await done()).toEqual(['invited', 'moved', 'project', 'task']);
  });
});

describe('tasks', () => {
  it('that were put away are listed, the latest first, to members alone', async () => {
    const { project } = await makeProject(app, owner, 'Put away');
    const first = await addTask(app, owner, { project_id: project, title: 'First' });
    const second = await addTask(app, owner, { project_id: project, title: 'Second' });
    await addTask(app, owner, { project_id: project, title: 'Stays' });
    for (const id of [first, second]) await owner.client.from('tasks').update({ archived_at: 'now' }).eq('id', id);
    const titles = async (who: TestUser) =>
      (await one(who.client.rpc('archived_tasks', { project_id: project }))).map(
        (task: { title: string }) => task.title,
      );
    expect(await titles(owner)).toEqual(['Second', 'First']);
    expect(await titles(editor)).toEqual([]);
  });

  it('are duplicated right below themselves, with labels, assignees and an unticked checklist', async () => {
    const { project } = await makeProject(app, owner, 'Twins');
    await addMember(app, project, editor, 'editor');
    const task = await addTask(app, owner, {
      project_id: project,
      title: 'One',
      priority: 'p0',
      due_date: '2030-01-02',
    });
    await addTask(app, owner, { project_id: project, title: 'Below' });
    const label = await addRow(app, owner, 'task_labels', { project_id: project, name: 'red' });
    await addRow(app, owner, 'task_label_links', { task_id: task, label_id: label });
    await addRow(app, owner, 'task_assignees', { task_id: task, user_id: editor.id });
    await addRow(app, owner, 'task_checklist_items', { task_id: task, title: 'Step', is_done: true });
    await addRow(app, owner, 'task_comments', { task_id: task, body: 'Mine alone' });

    const id = crypto.randomUUID();
    const made = await one(owner.client.rpc('duplicate_task', { task_id: task, new_id: id }).single());
    expect(made).toMatchObject({
      id,
      title: 'One',
      priority: 'p0',
      due_date: '2030-01-02',
      number: 3,
      created_by: owner.id,
    });
    // asked again, since the answer was lost
    expect(await one(owner.client.rpc('duplicate_task', { task_id: task, new_id: id }).single())).toEqual(made);
    const board = await one(
      owner.client
        .from('tasks')
        .select(
          'title, task_label_links(label_id), task_assignees(user_id), task_checklist_items(title, is_done), task_comments(body)',
        )
        .eq('project_id', project)
        .order('order_rank'),
    );
    expect(board.map((row: { title: string }) => row.title)).toEqual(['One', 'One', 'Below']);
    expect(board[1]).toEqual({
      title: 'One',
      task_label_links: [{ label_id: label }],
      task_assignees: [{ user_id: editor.id }],
      task_checklist_items: [{ title: 'Step', is_done: false }],
      task_comments: [],
    });
    const viewer = await app.createUser({ name: 'Viewer' });
    await addMember(app, project, viewer, 'viewer');
    expect((await viewer.client.rpc('duplicate_task', { task_id: task })).status).toBe(403);
    const stranger = await app.createUser({ name: 'Stranger' });
    expect((await stranger.client.rpc('duplicate_task', { task_id: task })).status).toBe(404);
  });

  it('make copies of several, each below its own, in order, all or none and once', async () => {
    const { project } = await makeProject(app, owner, 'Many copies');
    const add = (title: string, more = {}) => addTask(app, owner, { project_id: project, title, ...more });
    const [one_, two] = [await add('One'), await add('Two')];
    await add('Below', { parent_id: two });
    const ids = [crypto.randomUUID(), crypto.randomUUID()];
    const ask = () => owner.client.rpc('duplicate_tasks', { task_ids: [two, one_], new_ids: ids });
    const made = await one(ask());
    expect(made.map(({ id, title }: { id: string; title: string }) => [id, title])).toEqual([
      [ids[0], 'Two'],
      [ids[1], 'One'],
    ]);
    // asked again, since the answer was lost
    expect(await one(ask())).toEqual(made);
    const board = await one(
      owner.client.from('tasks').select('title').eq('project_id', project).is('parent_id', null).order('order_rank'),
    );
    expect(board.map(({ title }: { title: string }) => title)).toEqual(['One', 'One', 'Two', 'Two']);
    const under = await one(owner.client.from('tasks').select('title').eq('parent_id', ids[0]));
    expect(under).toEqual([{ title: 'Below' }]);
    const refused = [
      { task_ids: [one_, crypto.randomUUID()] },
      { task_ids: [one_, one_] },
      { task_ids: [one_], new_ids: ids },
      { task_ids: Array.from({ length: 1001 }, () => crypto.randomUUID()) },
    ];
    const answers = await Promise.all(refused.map((args) => owner.client.rpc('duplicate_tasks', args)));
    expect(answers.map(({ status }) => status)).toEqual([404, 400, 400, 400]);
    const all = await one(owner.client.from('tasks').select('id').eq('project_id', project));
    expect(all).toHaveLength(6);
  });
});
