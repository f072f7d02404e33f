// Saved views beyond the matrix: those of no project, which of them open first, and what an account takes with it.

import { beforeAll, expect, it } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addRow, type Board, bareTask, makeBoard, one } from './board.ts';

let board: Board;
const app = forSuite(startApp);
beforeAll(async () => {
  board = await makeBoard(app);
});

const as = (who: keyof Board['people']) => board.people[who].client;

it('keeps a whole view, and says what of it cannot be one', async () => {
  const view = {
    name: 'Overdue',
    layout: 'list',
    grouping: 'assignee',
    lanes: 'priority',
    filter: { all: [{ property: 'due_date', is: 'before', value: 'today' }] },
    sort: [{ by: 'due_date', descending: false }],
    shown: { columns: ['title'] },
    position: 3,
  };
  const made = await one(
    as('viewer')
      .from('saved_views')
      .insert({ ...view, project_id: board.project })
      .select()
      .single(),
  );
  expect(made).toMatchObject({ ...view, owner_id: board.people.viewer.id, is_shared: false });
  for (const wrong of [
    { layout: 'gantt' },
    { grouping: 'Mood!' },
    { sort: {} },
    { shown: [] },
    { position: 'Infinity' },
  ])
    expect(await as('viewer').from('saved_views').update(wrong).eq('id', made.id)).toMatchObject({ status: 400 });
});

it('a view of no project belongs to who made it, and once shared is seen by those they share a project with', async () => {
  const id = await addRow(app, board.people.viewer, 'saved_views', { name: 'Everywhere' });
  const seen = async (who: keyof Board['people']) =>
    (await one(as(who).from('saved_views').select('name').eq('id', id))).length;
  expect([await seen('viewer'), await seen('editor'), await seen('outsider')]).toEqual([1, 0, 0]);
  await one(as('viewer').from('saved_views').update({ is_shared: true }).eq('id', id).select());
  expect([await seen('viewer'), await seen('editor'), await seen('outsider')]).toEqual([1, 1, 0]);
  // Seen, not changed, put into a project or thrown away by others.
  expect(await as('editor').from('saved_views').update({ name: 'Mine now' }).eq('id', id)).toMatchObject({
    status: 403,
  });
  expect(await as('owner').from('saved_views').delete().eq('id', id)).toMatchObject({ status: 403 });
  expect(await as('viewer').from('saved_views').update({ project_id: board.project }).eq('id', id)).toMatchObject({
    status: 403,
  });
  await one(as('viewer').from('saved_views').delete().eq('id', id).select());
});

it('a project opens with one view for each person and one for everybody, which owners choose', async () => {
  const mine = { project_id: board.project, view_id: board.view };
  await one(as('viewer').from('view_defaults').insert(mine).select());
  expect(await as('viewer').from('view_defaults').insert(mine)).toMatchObject({ status: 409 });
  expect(
    await as('editor')
      .from('view_defaults')
      .insert({ ...mine, user_id: null }),
  ).toMatchObject({ status: 403 });
  expect(
    await as('viewer')
      .from('view_defaults')
      .insert({ ...mine, user_id: board.people.editor.id }),
  ).toMatchObject({ status: 403 });
  // One's own and everybody's, nobody else's.
  expect(await one(as('viewer').from('view_defaults').select('user_id').order('user_id'))).toEqual([
    { user_id: board.people.viewer.id },
    { user_id: null },
  ]);
  expect(await one(as('editor').from('view_defaults').select('user_id'))).toEqual([{ user_id: null }]);
  // Of another project it cannot be, and it goes with the view.
  const elsewhere = { project_id: board.project, view_id: board.elsewhere.view, user_id: board.people.editor.id };
  expect(await as('editor').from('view_defaults').insert(elsewhere)).toMatchObject({ status: 409 });
  await one(as('editor').from('saved_views').delete().eq('id', board.view).select());
  expect(await one(as('viewer').from('view_defaults').select())).toEqual([]);
});

it('shared views across projects go with their account, and those of a project stay without an owner', async () => {
  const leaver = await app.createUser({ name: 'Lea' });
  await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
    board.project,
    leaver.id,
  ]);
  await addRow(app, leaver, 'saved_views', { name: 'Across', is_shared: true });
  await addRow(app, leaver, 'saved_views', { name: 'Within', project_id: board.project, is_shared: true });
  await app.sql('delete from auth.users where id = $1', [leaver.id]);
  expect(await app.sql(`select name, owner_id from public.saved_views where name in ('Across', 'Within')`)).toEqual([
    { name: 'Within', owner_id: null },
  ]);
});

it('fields, shared views and templates of a project have a story its members read; what is one’s own has none', async () => {
  const { project } = board;
  const lines = async () =>
    (await one(
      as('viewer')
        .from('task_activity')
        .select('actor_id, change')
        .eq('project_id', project)
        .eq('kind', 'updated')
        .is('task_id', null)
        .order('created_at'),
    )) as { actor_id: string; change: Record<string, unknown> }[];
  const before = (await lines()).length;
  const make = async (table: string, row: Record<string, unknown>) =>
    ((await one(as('editor').from(table).insert(row).select('id').single())) as { id: string }).id;
  const change = (table: string, id: string, patch: Record<string, unknown>) =>
    one(as('editor').from(table).update(patch).eq('id', id).select('id').single());
  const remove = (table: string, id: string) => one(as('editor').from(table).delete().eq('id', id).select('id'));

  const [good, fine] = ['Good', 'Fine'].map((name) => [{ id: 'good', name }]);
  const field = await make('custom_fields', { project_id: project, name: 'Mood', kind: 'select', options: good });
  await change('custom_fields', field, { options: fine });
  await change('custom_fields', field, { position: 99 });
  await remove('custom_fields', field);
  const view = await make('saved_views', { project_id: project, name: 'Draft' });
  await change('saved_views', view, { name: 'Plan' });
  await change('saved_views', view, { is_shared: true });
  await change('saved_views', view, { layout: 'list' });
  await change('saved_views', view, { is_shared: false });
  await remove('saved_views', view);
  const template = { kind: 'task', name: 'Bug', body: bareTask };
  await remove('templates', await make('templates', { ...template, owner_id: board.people.editor.id }));
  await remove('templates', await make('templates', { ...template, project_id: project }));

  const told = (await lines()).slice(before);
  expect(told.map(({ actor_id }) => actor_id)).toEqual(told.map(() => board.people.editor.id));
  const shared = { name: 'Plan', layout: 'board', filter: {}, sort: [], shown: {} };
  expect(told.map((line) => line.change)).toEqual([
    { custom_field: { id: field, name: 'Mood', from: null, to: { name: 'Mood', options: good } } },
    { custom_field: { id: field, name: 'Mood', from: { options: good }, to: { options: fine } } },
    { custom_field: { id: field, name: 'Mood', from: { name: 'Mood', options: fine }, to: null } },
    { saved_view: { id: view, name: 'Plan', from: null, to: shared } },
    { saved_view: { id: view, name: 'Plan', from: { layout: 'board' }, to: { layout: 'list' } } },
    { saved_view: { id: view, name: 'Plan', from: { ...shared, layout: 'list' }, to: null } },
    { template: expect.objectContaining({ name: 'Bug', from: null }) },
    { template: expect.objectContaining({ name: 'Bug', to: null }) },
  ]);
});
