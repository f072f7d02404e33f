// Reminders of due tasks are sent at the start of the service.

import { expect, it } from 'vitest';
import { startReminders } from '../../server/background/reminders.ts';
import { startApp } from '../helpers/app.ts';
import { makeProject } from './board.ts';

it('reminds at start, and ends when it is stopped', async () => {
  const app = await startApp();
  try {
    const owner = await app.createUser({ name: 'Olga' });
    const { project } = await makeProject(app, owner, 'Due');
    const [{ day } = { day: '' }] = await app.sql<{ day: string }>('select (current_date + 1)::text as day');
    const { data } = await owner.client
      .from('tasks')
      .insert({ project_id: project, title: 'Soon', due_date: day })
      .select('id')
      .single();
    await owner.client.from('task_assignees').insert({ task_id: data?.id, user_id: owner.id });
    await (await startReminders(app.services)).stop();
    const news = await owner.client.from('notifications').select('kind, data');
    expect(news.data).toEqual([{ kind: 'due_soon', data: { due_date: day, task_number: 1, task_title: 'Soon' } }]);
  } finally {
    await app.close();
  }
});
