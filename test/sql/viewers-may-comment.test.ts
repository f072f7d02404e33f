// Comments of viewers while the project lets them, and what is theirs before and after; every table is asked in test/policies.

import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addMember, addTask, type Board, makeBoard, makeProject, one, type Role } from './board.ts';
import type { Verb } from './matrix-cells.ts';

interface Row {
  readonly id: string;
  readonly version: number;
  readonly [column: string]: unknown;
}

let board: Board;
const app = forSuite(() => startApp({ settings: { DATA_TX_OVERRIDE: 'true' } }));
beforeAll(async () => {
  board = await makeBoard(app);
});

const _roles: readonly Role[] = ['owner', 'editor', 'viewer', 'guest', 'outsider', 'anonymous'];
const _verbs: readonly Verb[] = ['select', 'insert', 'update', 'delete'];
const _aboutComments = ['task_comments', 'comment_reactions', 'comment_resolutions'];
const forbidden = { status: 403, error: { code: '42501' } };

async function letViewersComment(isOn: boolean, project = board.project): Promise<void> {
  const patch = { viewers_may_comment: isOn };
  await one(board.people.owner.client.from('projects').update(patch).eq('id', project).select().single());
}

const say = ({ client }: TestUser, row: Record<string, unknown>) =>
  client
    .from('task_comments')
    .insert({ task_id: board.tasks[0], ...row })
    .select()
    .single<Row>();
const rewrite = ({ client }: TestUser, id: string, body: string) =>
  client.from('task_comments').update({ body }).eq('id', id).select().single<Row>();
const remove = ({ client }: TestUser, id: string) => client.from('task_comments').delete().eq('id', id).select();
const apply = ({ client }: TestUser, change: string, table: string, row: Record<string, unknown>) =>
  client.rpc('apply_changes', { changes: [{ change, table, rows: [row] }] });
const reaction = (emoji: string) => ({ comment_id: board.comment, emoji });
const unreact = ({ client, id }: TestUser, emoji: string) =>
  client
    .from('comment_reactions')
    .delete()
    .match({ ...reaction(emoji), user_id: id })
    .select();

describe('while viewers may comment', () => {
  beforeAll(() => letViewersComment(true));

  test('they reply, mention, react, edit and delete, one by one and in batches', async () => {
    const { editor, viewer } = board.people;
    const reply = await one(say(viewer, { body: 'Ask @Edda Editor', parent_id: board.comment }));
    expect(reply).toMatchObject({ author_id: viewer.id, parent_id: board.comment, project_id: board.project });
    const heard = editor.client.from('notifications').select('kind, data').eq('actor_id', viewer.id);
    expect(await one(heard)).toEqual([{ kind: 'mentioned', data: expect.objectContaining({ comment_id: reply.id }) }]);
    expect(await one(rewrite(viewer, reply.id, 'Ask @Olga Owner'))).toMatchObject({ edited_at: expect.any(String) });
    const told = board.people.owner.client.from('notifications').select('kind').eq('actor_id', viewer.id);
    expect(await one(told)).toEqual([{ kind: 'mentioned' }]);

    const { id, version } = await one(say(viewer, { body: 'Red' }));
    const newer = { id, body: 'Blue', version };
    await one(apply(viewer, 'update', 'task_comments', newer));
    expect(await apply(viewer, 'update', 'task_comments', newer)).toMatchObject({ error: { code: 'KB017' } });
    await one(apply(viewer, 'delete', 'task_comments', { id }));
    expect(await one(remove(viewer, reply.id))).toHaveLength(1);
    await one(apply(viewer, 'insert', 'comment_reactions', { ...reaction('🎉'), user_id: viewer.id }));
    expect(await one(unreact(viewer, '🎉'))).toHaveLength(1);
  });

  test('they speak for nobody else, and owners alone delete what they said', async () => {
    const { owner, editor, viewer } = board.people;
    expect(await say(viewer, { body: 'Mine?', author_id: editor.id })).toMatchObject(forbidden);
    expect(await apply(viewer, 'insert', 'comment_reactions', { ...reaction('🎉'), user_id: editor.id })).toMatchObject(
      forbidden,
    );
    expect(await apply(viewer, 'update', 'task_comments', { id: board.comment, body: 'Mine' })).toMatchObject(
      forbidden,
    );
    expect(await apply(viewer, 'delete', 'task_comments', { id: board.comment })).toMatchObject(forbidden);
    const { id } = await one(say(viewer, { body: 'Green' }));
    expect(await rewrite(editor, id, 'Theirs')).toMatchObject(forbidden);
    expect(await remove(editor, id)).toMatchObject(forbidden);
    expect(await one(remove(owner, id))).toHaveLength(1);
  });

  test('one project lets them, not the next one, and nobody who was removed', async () => {
    const { owner, viewer } = board.people;
    const { project } = await makeProject(app, owner, 'Quiet');
    await addMember(app, project, viewer, 'viewer');
    const task_id = await addTask(app, owner, { project_id: project, title: 'Think' });
    expect(await say(viewer, { task_id, body: 'Loud' })).toMatchObject(forbidden);
    await letViewersComment(true, project);
    const { id } = await one(say(viewer, { task_id, body: 'Loud' }));
    await one(
      owner.client.from('project_members').delete().match({ project_id: project, user_id: viewer.id }).select(),
    );
    expect(await say(viewer, { task_id, body: 'Louder' })).toMatchObject(forbidden);
    expect(await remove(viewer, id)).toMatchObject({ error: null, data: [] });
  });

  test('copies and templates of the project let them, too', async () => {
    const { owner } = board.people;
    const copied = one(owner.client.rpc('duplicate_project', { project_id: board.project }).single<Row>());
    expect(await copied).toMatchObject({ viewers_may_comment: true });
    const template = await one(
      owner.client.rpc('save_project_as_template', { project_id: board.project }).single<Row>(),
    );
    const begun = { template_id: template.id, name: 'Alike' };
    expect(await one(owner.client.rpc('create_project_from_template', begun).single<Row>())).toMatchObject({
      viewers_may_comment: true,
    });
  });
});

test('when they may no longer, what they wrote stays, and is theirs to change or delete no more', async () => {
  const { viewer, editor } = board.people;
  await letViewersComment(true);
  const { id } = await one(say(viewer, { body: 'Red' }));
  await one(viewer.client.from('comment_reactions').insert(reaction('🎉')).select());
  await letViewersComment(false);
  expect(await say(viewer, { body: 'More' })).toMatchObject(forbidden);
  expect(await say(viewer, { body: 'More', parent_id: id })).toMatchObject(forbidden);
  expect(await rewrite(viewer, id, 'Blue')).toMatchObject(forbidden);
  expect(await remove(viewer, id)).toMatchObject(forbidden);
  expect(await unreact(viewer, '🎉')).toMatchObject(forbidden);
  for (const [change, table, row] of [
    ['insert', 'task_comments', { task_id: board.tasks[0], body: 'More' }],
    ['update', 'task_comments', { id, body: 'Blue' }],
    ['delete', 'task_comments', { id }],
    ['insert', 'comment_reactions', { ...reaction('👀'), user_id: viewer.id }],
  ] as const)
    expect([change, table, await apply(viewer, change, table, row)]).toMatchObject([change, table, forbidden]);
  const kept = editor.client.from('task_comments').select('body, author_id').eq('id', id);
  expect(await one(kept)).toEqual([{ body: 'Red', author_id: viewer.id }]);
  await letViewersComment(true);
  expect(await one(unreact(viewer, '🎉'))).toHaveLength(1);
  expect(await one(remove(viewer, id))).toHaveLength(1);
});
