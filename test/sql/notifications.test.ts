// Notifications: assigned, mentioned, commented, reminded.

import { describe, expect, it } from 'vitest';
import type { TestUser } from '../helpers/app.ts';
import { addMember, addTask, one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor, shared } = startTogether();

describe('news', () => {
  const news = async (person: TestUser, project: string) =>
    (
      await one(
        person.client
          .from('notifications')
          .select('kind, data')
          .eq('project_id', project)
          .neq('kind', 'added')
          .order('created_at'),
      )
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
    // with the assignment by the same person a moment ago it is one entry
    expect(await news(viewer, project)).toEqual(['mentioned', 'mentioned']);
  });

  it('are ticked off by their reader, at the database’s time', async () => {
    const { project } = await shared('Ticked');
    const task = await addTask(app, owner, { project_id: project, title: 'T' });
    await owner.client.from('task_assignees').insert({ task_id: task, user_id: editor.id });
    const old = '2001-01-01T00:00:00+00:00';
    const read = await one(
      editor.client
        .from('notifications')
        .update({ read_at: old })
        .match({ project_id: project, kind: 'assigned' })
        .select()
        .single(),
    );
    expect(read.read_at).toEqual(expect.stringMatching(/^20[2-9]/));
  });

  it('remind of what is due, once per date', async () => {
    const { project } = await shared('Due');
    const [{ today } = { today: '' }] = await app.sql<{ today: string }>('select current_date::text as today');
    const task = await addTask(app, owner, { project_id: project, title: 'T', due_date: today });
    await owner.client.from('task_assignees').insert({ task_id: task, user_id: owner.id });
    await app.sql('select private.notify_of_due_dates()');
    await app.sql('select private.notify_of_due_dates()');
    expect(await news(owner, project)).toEqual(['due_soon']);
    await app.sql(`update public.tasks set due_date = current_date + 1 where id = $1`, [task]);
    await app.sql('select private.notify_of_due_dates()');
    expect(await news(owner, project)).toEqual(['due_soon', 'due_soon']);
  });
});
