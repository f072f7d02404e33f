// Favorite views beyond the matrix: own rows of views that one sees, which stay while a view is out of sight and go with it or its account.

import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addRow, type Board, makeBoard, one } from './board.ts';

let board: Board;
const app = forSuite(startApp);
beforeAll(async () => {
  board = await makeBoard(app);
});

type Who = keyof Board['people'];
const as = (who: Who) => board.people[who].client;
const favor = (who: Who, view_id: string, more: object = {}) =>
  as(who)
    .from('favorite_views')
    .insert({ view_id, ...more })
    .select('position');
const viewsOf = async (who: Who) =>
  (
    (await one(as(who).from('favorite_views').select('view_id').order('position'))) as readonly { view_id: string }[]
  ).map(({ view_id }) => view_id);
const clear = () => app.sql('delete from public.favorite_views');

it('are one’s own, of a project or across projects, in an order', async () => {
  await clear();
  const across = await addRow(app, board.people.viewer, 'saved_views', { name: 'Everywhere' });
  await one(favor('viewer', board.view, { position: 2 }));
  await one(favor('viewer', across, { position: 1 }));
  expect(await favor('viewer', across)).toMatchObject({ status: 409 });
  expect(await viewsOf('viewer')).toEqual([across, board.view]);
  expect(await viewsOf('owner')).toEqual([]);
  await one(as('viewer').from('favorite_views').update({ position: 3 }).eq('view_id', across).select().single());
  expect(await viewsOf('viewer')).toEqual([board.view, across]);
  expect(await favor('owner', board.view, { user_id: board.people.viewer.id })).toMatchObject({ status: 403 });
  expect(
    await as('viewer').from('favorite_views').update({ position: 'Infinity' }).eq('view_id', across),
  ).toMatchObject({ status: 400 });
  expect(await as('viewer').from('favorite_views').update({ view_id: board.view }).eq('view_id', across)).toMatchObject(
    { status: 403 },
  );
});

it('are of views that one sees: others are answered like missing ones', async () => {
  await clear();
  const hidden = await addRow(app, board.people.editor, 'saved_views', { project_id: board.project, name: 'Mine' });
  const answers = await Promise.all([hidden, board.elsewhere.view, randomUUID()].map((view) => favor('viewer', view)));
  expect(answers.map(({ status, error }) => ({ status, message: error?.message }))).toEqual(
    answers.map(() => ({ status: 403, message: expect.stringContaining('favorite_views') })),
  );
  await one(favor('editor', hidden));
});

it('stay while the view is out of sight, can be removed then, and go with the view', async () => {
  await clear();
  const row = { project_id: board.project, name: 'Shared', is_shared: true };
  const view = await addRow(app, board.people.editor, 'saved_views', row);
  await one(favor('viewer', view));
  await one(favor('owner', view));
  await one(as('editor').from('saved_views').update({ is_shared: false }).eq('id', view).select().single());
  const named = as('viewer').from('favorite_views').select('view:saved_views(name)');
  expect(await one(named)).toEqual([{ view: null }]);
  expect(await viewsOf('viewer')).toEqual([view]);
  await one(as('owner').from('favorite_views').delete().eq('view_id', view).select().single());
  await one(as('editor').from('saved_views').delete().eq('id', view).select().single());
  expect(await viewsOf('viewer')).toEqual([]);
});

it('are in the copy of one’s data without their owner, and go with the account', async () => {
  await clear();
  const lea = await app.createUser({ name: 'Lea' });
  await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
    board.project,
    lea.id,
  ]);
  await one(lea.client.from('favorite_views').insert({ view_id: board.view, position: 5 }).select());
  expect(await one(lea.client.rpc('export_my_data'))).toMatchObject({
    favorite_views: [{ view_id: board.view, position: 5 }],
  });
  await app.sql('delete from auth.users where id = $1', [lea.id]);
  expect(await app.sql('select from public.favorite_views')).toEqual([]);
});
