// A stranger at every door that takes an id: what belongs to a project of others is answered, to the letter and with its headers, like what does not
// exist, and no word of theirs is in any answer. Procedures and tables come from /openapi.json, so a new one is asked, too.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { METHODS, type OpenApi, type Schema } from '../server/http/open-api.ts';
import { startApp, type TestApp } from './helpers/app.ts';
import { type Board, makeBoard } from './sql/board.ts';

let app: TestApp;
let board: Board;
let document: OpenApi;
beforeAll(async () => {
  app = await startApp();
  board = await makeBoard(app);
  const { error } = await board.people.editor.client.storage
    .from('attachments')
    .upload(pathOf(board), new Blob(['On it']));
  expect(error).toBeNull();
  document = (await (await app.request('/openapi.json')).json()) as OpenApi;
});
afterAll(() => app?.close());

const pathOf = ({ project, tasks }: Board): string => `${project}/${tasks[0]}/notes.txt`;

/** What stands in the project, none of which a stranger may read anywhere. */
const theirWords =
  /Web site|Draft the page|Publish the page|Tell everyone|On it|A step|urgent|spare|Wintergreen|(Edda|Olga|Vito) \w+/;

/** For each name of an argument or column with an id: what it may be of theirs. */
const theirs: Readonly<Record<string, (board: Board) => string>> = {
  id: (b) => b.tasks[0],
  project_id: (b) => b.project,
  target_project_id: (b) => b.project,
  task_id: (b) => b.tasks[0],
  task_ids: (b) => b.tasks[0],
  parent_id: (b) => b.tasks[0],
  column_id: (b) => b.columns.todo,
  before_id: (b) => b.tasks[1],
  after_id: (b) => b.tasks[1],
  user_id: (b) => b.people.editor.id,
  person_id: (b) => b.people.editor.id,
  comment_id: (b) => b.comment,
  label_id: (b) => b.label,
  field_id: (b) => b.field,
  view_id: (b) => b.view,
  template_id: (b) => b.template,
  feed_id: (b) => b.feed,
  invitation_id: (b) => b.invitation,
  attachment_id: (b) => b.attachment,
};

type Ids = (name: string) => string;
const ofTheirs: Ids = (name) => (theirs[name] ?? theirs.id)?.(board) ?? '';
/** The same one for the same name, as theirs are. */
function ofNobody(): Ids {
  const made = new Map<string, string>();
  return (name) => {
    const id = made.get(name) ?? randomUUID();
    made.set(name, id);
    return id;
  };
}

/** Postgres writes no zeros at the end of a second, so the length is the moment's, too; the text is compared by itself. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(['date', 'x-request-id', 'content-length']);

async function ask(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<string> {
  const answer = await app.request(path, {
    method,
    token: board.people.outsider.token,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const about = [...answer.headers].filter(([name]) => !OF_THE_MOMENT.has(name)).sort();
  const text = `${JSON.stringify(about)} ${await answer.text()}`
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?\+00(:00)?/g, '<now>');
  return `${answer.status} ${text}`;
}

/** The same request twice, with ids of theirs and with such as nobody has. */
async function expectAlike(send: (id: Ids) => Promise<string>, what: string): Promise<void> {
  const [told, untold] = [await send(ofTheirs), await send(ofNobody())];
  expect(`${what}: ${told}`).toBe(`${what}: ${untold}`);
  expect(told).not.toMatch(theirWords);
}

const isId = (schema: Schema): boolean => schema.format === 'uuid' || schema.items?.format === 'uuid';

function argument(name: string, schema: Schema, id: Ids): unknown {
  if (schema.items?.format === 'uuid') return [id(name)];
  if (schema.format === 'uuid') return id(name);
  if (schema.enum !== undefined) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return false;
  if (type === 'array') return [];
  if (type === 'object' || type === undefined) return {};
  return schema.format?.includes('date') ? '2026-03-01' : 'page';
}

test('procedures', async () => {
  let asked = 0;
  for (const [path, { post }] of Object.entries(document.paths)) {
    const schema = post?.requestBody?.content['application/json']?.schema;
    if (!path.startsWith('/rest/v1/rpc/') || schema?.properties === undefined) continue;
    const given = Object.entries(schema.properties);
    if (!given.some(([, one]) => isId(one))) continue;
    asked++;
    const wanted = given.filter(([name, one]) => isId(one) || schema.required?.includes(name) === true);
    await expectAlike(
      (id) => ask('POST', path, Object.fromEntries(wanted.map(([name, one]) => [name, argument(name, one, id)]))),
      path,
    );
  }
  expect(asked).toBeGreaterThan(20);
});

describe('tables', () => {
  const tables = (): string[] =>
    Object.keys(document.paths).filter((path) => path.startsWith('/rest/v1/') && !path.startsWith('/rest/v1/rpc/'));
  const idsOf = (path: string): string[] =>
    (document.paths[path]?.get?.parameters ?? []).flatMap(({ name = '' }) =>
      theirs[name] === undefined ? [] : [name],
    );

  test('filters, counts and single rows', async () => {
    for (const path of tables())
      for (const column of idsOf(path)) {
        const filter = (id: Ids): string => `${path}?${column}=eq.${id(column)}`;
        await expectAlike(
          (id) => ask('GET', filter(id), undefined, { prefer: 'count=exact' }),
          `count ${path} ${column}`,
        );
        const single = { accept: 'application/vnd.pgrst.object+json' };
        await expectAlike((id) => ask('GET', filter(id), undefined, single), `single ${path} ${column}`);
        await expectAlike(
          (id) => ask('GET', `${filter(id)}&limit=0&or=(${column}.not.is.null,${column}.eq.1)`),
          `error ${path} ${column}`,
        );
      }
  });

  test('changes and removals', async () => {
    for (const path of tables())
      for (const column of idsOf(path))
        for (const method of METHODS.filter((one) => one === 'patch' || one === 'delete'))
          await expectAlike(
            (id) =>
              ask(method.toUpperCase(), `${path}?${column}=eq.${id(column)}`, method === 'patch' ? {} : undefined),
            `${method} ${path} ${column}`,
          );
  });

  test('everything a stranger is shown, with all that is related, has no word of theirs', async () => {
    const names = tables().map((path) => path.slice('/rest/v1/'.length));
    // Templates that come with Kanbase are everybody's.
    for (const table of names)
      for (const related of ['projects', 'tasks', 'profiles', 'task_comments', 'workflow_columns', 'project_members'])
        expect(
          await ask(
            'GET',
            `/rest/v1/${table}?select=*,${related}(*)${table === 'templates' ? '&built_in=is.null' : ''}`,
          ),
        ).not.toMatch(theirWords);
  });
});

test('search and figures', async () => {
  for (const query of ['page', 'Draft', 'On it'])
    expect(await ask('POST', '/rest/v1/rpc/search_tasks', { query })).toMatch(/^200 .* \[\]$/);
  expect(await ask('POST', '/rest/v1/rpc/dashboard_metrics', {})).not.toMatch(theirWords);
});

test('files', async () => {
  const path = (id: Ids): string => `${id('project_id')}/${id('task_id')}/notes.txt`;
  for (const method of ['GET', 'HEAD', 'DELETE'])
    await expectAlike((id) => ask(method, `/storage/v1/object/attachments/${path(id)}`), method);
  for (const way of ['authenticated/', 'info/', 'info/authenticated/', 'public/'])
    await expectAlike((id) => ask('GET', `/storage/v1/object/${way}attachments/${path(id)}`), way);
  await expectAlike(
    (id) => ask('GET', `/storage/v1/render/image/authenticated/attachments/${path(id)}?width=20`),
    'picture',
  );
  await expectAlike((id) => ask('POST', `/storage/v1/object/sign/attachments/${path(id)}`, { expiresIn: 60 }), 'sign');
  await expectAlike(
    (id) => ask('POST', `/storage/v1/object/upload/sign/attachments/${path(id)}`, {}),
    'sign an upload',
  );
  await expectAlike(
    (id) => ask('POST', '/storage/v1/object/list/attachments', { prefix: `${id('project_id')}/` }),
    'list',
  );
  await expectAlike((id) => ask('GET', `/storage/v1/zip/attachments/${id('project_id')}`), 'zip');
  await expectAlike((id) => ask('DELETE', '/storage/v1/object/attachments', { prefixes: [path(id)] }), 'remove');
  for (const action of ['move', 'copy'])
    await expectAlike(
      (id) =>
        ask('POST', `/storage/v1/object/${action}`, {
          bucketId: 'attachments',
          sourceKey: path(id),
          destinationKey: `${path(id)}2`,
        }),
      action,
    );
});

test('other doors', async () => {
  await expectAlike((id) => ask('GET', `/ical/${id('feed_id')}.ics`), 'feeds');
  await expectAlike((id) => ask('GET', `/api/imports/${id('id')}`), 'imports');
  await expectAlike((id) => ask('GET', `/api/admin/projects/${id('project_id')}`), 'the desk');
  await expectAlike((id) => ask('GET', `/auth/v1/admin/users/${id('user_id')}`), 'accounts');
  const message = (id: Ids) => ({ topic: `project:${id('project_id')}`, event: 'x', payload: {}, private: true });
  await expectAlike((id) => ask('POST', '/realtime/v1/api/broadcast', { messages: [message(id)] }), 'broadcasts');
});
