// Questions of a stranger about a row by its id, at every door that takes one: a row of others' project must be answered, to the letter and
// with its headers, like one that does not exist. Procedures and tables come from /openapi.json, so new ones are asked, too.

import { randomUUID } from 'node:crypto';
import { METHODS, type OpenApi, type Schema } from '../../server/http/open-api.ts';
import type { Callers } from '../helpers/callers.ts';
import type { Board } from '../sql/board.ts';

export type Ids = (name: string) => string;
export type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<string>;

const parts = [
  'procedures',
  'filters, counts and single rows',
  'changes and removals',
  'files',
  'other doors',
] as const;
export type Part = (typeof parts)[number];

export interface Question {
  readonly part: Part;
  readonly what: string;
  send(ask: Ask, id: Ids): Promise<string>;
}

/** The file that lies with the first task. */
export const pathOf = ({ project, tasks }: Board): string => `${project}/${tasks[0]}/notes.txt`;

/** What stands in the project, none of which a stranger may read anywhere. */
export const theirWords =
  /Web site|Draft the page|Publish the page|Tell everyone|On it|A step|urgent|spare|Wintergreen|(Edda|Olga|Vito) \w+/;

/** For each name of an argument or column with an id: what it may be of theirs. */
export const theirs: Readonly<Record<string, (board: Board) => string>> = {
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
  link_id: (b) => b.joinLink,
  attachment_id: (b) => b.attachment,
};

/** The same one for the same name, as theirs are. */
export function ofNobody(): Ids {
  const made = new Map<string, string>();
  return (name) => {
    const id = made.get(name) ?? randomUUID();
    made.set(name, id);
    return id;
  };
}

/** Postgres writes no zeros at the end of a second, so the length is the moment's, too; the text is compared by itself. */
const ofTheMoment: ReadonlySet<string> = new Set(['date', 'x-request-id', 'traceparent', 'content-length']);

/** Asks as somebody; of the answer all that tells, put so that two can be compared. */
export function asking({ request }: Pick<Callers, 'request'>, token?: string): Ask {
  return async (method, path, body, headers = {}) => {
    const answer = await request(path, {
      method,
      ...(token === undefined ? {} : { token }),
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const about = [...answer.headers].filter(([name]) => !ofTheMoment.has(name)).sort();
    const text = `${JSON.stringify(about)} ${await answer.text()}`
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
      .replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?\+00(:00)?/g, '<now>')
      // The version of a row that was refused: the next of one sequence for all tables.
      .replaceAll(/<now>, \d+\)/g, '<now>, <version>)');
    return `${answer.status} ${text}`;
  };
}

/** The same question twice, with ids of theirs and with such as nobody has. */
export async function askTwice(ask: Ask, board: Board, { send }: Question): Promise<{ told: string; untold: string }> {
  const ofTheirs: Ids = (name) => (theirs[name] ?? theirs.id)?.(board) ?? '';
  return { told: await send(ask, ofTheirs), untold: await send(ask, ofNobody()) };
}

/** `counts`: the kinds of number that are asked for. */
export function questions(document: OpenApi, counts: readonly string[] = ['exact']): Question[] {
  return [...aboutProcedures(document), ...aboutTables(document, counts), ...aboutFiles, ...atOtherDoors];
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

function aboutProcedures({ paths }: OpenApi): Question[] {
  return Object.entries(paths).flatMap(([path, { post }]) => {
    const schema = post?.requestBody?.content['application/json']?.schema;
    const given = Object.entries(schema?.properties ?? {});
    if (!path.startsWith('/rest/v1/rpc/') || !given.some(([, one]) => isId(one))) return [];
    const wanted = given.filter(([name, one]) => isId(one) || schema?.required?.includes(name) === true);
    const body = (id: Ids) => Object.fromEntries(wanted.map(([name, one]) => [name, argument(name, one, id)]));
    return [{ part: 'procedures', what: path, send: (ask, id) => ask('POST', path, body(id)) }];
  });
}

const tablesOf = ({ paths }: OpenApi): string[] =>
  Object.keys(paths).filter((path) => path.startsWith('/rest/v1/') && !path.startsWith('/rest/v1/rpc/'));

function aboutTables(document: OpenApi, counts: readonly string[]): Question[] {
  const single = { accept: 'application/vnd.pgrst.object+json' };
  const changing = METHODS.filter((one) => one === 'patch' || one === 'delete');
  return tablesOf(document).flatMap((path) =>
    (document.paths[path]?.get?.parameters ?? []).flatMap(({ name: column = '' }): Question[] => {
      if (theirs[column] === undefined) return [];
      const filter = (id: Ids): string => `${path}?${column}=eq.${id(column)}`;
      const wrong = `limit=0&or=(${column}.not.is.null,${column}.eq.1)`;
      const about = `${path} ${column}`;
      const part = 'filters, counts and single rows';
      return [
        ...counts.map(
          (count): Question => ({
            part,
            what: `count ${count} ${about}`,
            send: (ask, id) =>
              ask(count === 'exact' ? 'GET' : 'HEAD', filter(id), undefined, { prefer: `count=${count}` }),
          }),
        ),
        { part, what: `single ${about}`, send: (ask, id) => ask('GET', filter(id), undefined, single) },
        { part, what: `error ${about}`, send: (ask, id) => ask('GET', `${filter(id)}&${wrong}`) },
        ...changing.map(
          (method): Question => ({
            part: 'changes and removals',
            what: `${method} ${about}`,
            send: (ask, id) => ask(method.toUpperCase(), filter(id), method === 'patch' ? {} : undefined),
          }),
        ),
      ];
    }),
  );
}

/** Everything one is shown of a table, with what is related: paths to ask for. */
export function withRelated(document: OpenApi): string[] {
  const related = ['projects', 'tasks', 'profiles', 'task_comments', 'workflow_columns', 'project_members'];
  // Templates that come with Kanbase are everybody's.
  return tablesOf(document).flatMap((path) =>
    related.map((table) => `${path}?select=*,${table}(*)${path.endsWith('/templates') ? '&built_in=is.null' : ''}`),
  );
}

const file = (id: Ids): string => `${id('project_id')}/${id('task_id')}/notes.txt`;
const filed = (what: string, send: Question['send']): Question => ({ part: 'files', what, send });
const aboutFiles: readonly Question[] = [
  ...['GET', 'HEAD', 'DELETE'].map((method) =>
    filed(method, (ask, id) => ask(method, `/storage/v1/object/attachments/${file(id)}`)),
  ),
  ...['authenticated/', 'info/', 'info/authenticated/', 'public/'].map((way) =>
    filed(way, (ask, id) => ask('GET', `/storage/v1/object/${way}attachments/${file(id)}`)),
  ),
  filed('picture', (ask, id) => ask('GET', `/storage/v1/render/image/authenticated/attachments/${file(id)}?width=20`)),
  filed('sign', (ask, id) => ask('POST', `/storage/v1/object/sign/attachments/${file(id)}`, { expiresIn: 60 })),
  filed('sign an upload', (ask, id) => ask('POST', `/storage/v1/object/upload/sign/attachments/${file(id)}`, {})),
  filed('list', (ask, id) => ask('POST', '/storage/v1/object/list/attachments', { prefix: `${id('project_id')}/` })),
  filed('zip', (ask, id) => ask('GET', `/storage/v1/zip/attachments/${id('project_id')}`)),
  filed('remove', (ask, id) => ask('DELETE', '/storage/v1/object/attachments', { prefixes: [file(id)] })),
  ...['move', 'copy'].map((action) =>
    filed(action, (ask, id) =>
      ask('POST', `/storage/v1/object/${action}`, {
        bucketId: 'attachments',
        sourceKey: file(id),
        destinationKey: `${file(id)}2`,
      }),
    ),
  ),
];

const said = (id: Ids) => ({ topic: `project:${id('project_id')}`, event: 'x', payload: {}, private: true });
const other = (what: string, send: Question['send']): Question => ({ part: 'other doors', what, send });
const atOtherDoors: readonly Question[] = [
  other('feeds', (ask, id) => ask('GET', `/ical/${id('feed_id')}.ics`)),
  other('imports', (ask, id) => ask('GET', `/api/imports/${id('id')}`)),
  other('the admin API', (ask, id) => ask('GET', `/api/admin/projects/${id('project_id')}`)),
  other('accounts', (ask, id) => ask('GET', `/auth/v1/admin/users/${id('user_id')}`)),
  other('broadcasts', (ask, id) => ask('POST', '/realtime/v1/api/broadcast', { messages: [said(id)] })),
];
