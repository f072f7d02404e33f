// Columns that the service key may set and clients may not.

import { describe, expect, it } from 'vitest';
import { one } from './board.ts';
import { startTogether } from './start-together.ts';

const { app, owner, editor, shared } = startTogether();

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
