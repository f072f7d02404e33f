// Rows that remain after an account is deleted.

import { describe, expect, it } from 'vitest';
import type { TestUser } from '../helpers/app.ts';
import { addMember, addRow, addTask, makeProject, one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app } = startTogether();

describe('when an account goes', () => {
  // as the identity room deletes it
  const closeAccount = (person: TestUser) =>
    app.database.runAs(
      { role: 'kanbase_identity', claims: '{}' },
      { text: 'delete from auth.users where id = $1', values: [person.id] },
    );

  it('tasks, comments and shared views stay without their author, and the project gets a new owner', async () => {
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

  it('its join link and public link are turned off, which the access log tells', async () => {
    const founder = await app.createUser({ name: 'Linda' });
    const heir = await app.createUser({ name: 'Heir' });
    const { project } = await makeProject(app, founder, 'Linked');
    await addMember(app, project, heir, 'owner');
    const links = [
      await one(founder.client.rpc('create_join_link', { project_id: project, role: 'editor' })),
      await one(founder.client.rpc('create_share_link', { project_id: project })),
    ];
    await closeAccount(founder);
    const off = { created_by: null, revoked_at: expect.any(String) };
    for (const table of ['join_links', 'share_links'])
      expect(await one(heir.client.from(table).select('created_by, revoked_at')), table).toEqual([off]);
    const lines = await one(heir.client.from('access_log').select('subject, change').eq('project_id', project));
    for (const { id } of links as { id: string }[])
      expect(lines).toContainEqual({
        subject: expect.objectContaining({ id }),
        change: expect.objectContaining({ role: expect.objectContaining({ to: null }) }),
      });
  });
});
