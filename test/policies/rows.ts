// Rows at the data door: the matrix of the tables, for everybody, and the same rows counted, embedded, filtered, put in order and upserted.

import { randomUUID } from 'node:crypto';
import type { TestApp } from '../helpers/app.ts';
import type { Board } from '../sql/board.ts';
import { askCell, matrix, type Verb } from '../sql/matrix-cells.ts';
import { callers, cellsOf, dueAt, everybody, isMember, isOpenToLinks, may, sees, show, type Who } from './callers.ts';
import { each, type Ground, groundOf, type Server } from './callers-and-board.ts';
import { asTrial, ended, inShort, type Note } from './cells.ts';

export const verbs: readonly Verb[] = ['select', 'insert', 'update', 'delete'];

export async function askRows(ground: Ground, note: Note): Promise<void> {
  await askMatrix(ground, note);
  await askCounts(ground, note);
  await askEmbeds(ground, note);
  await askFilters(ground, note);
  await askInvitationsToTasks(ground, note);
  await askUpserts(ground, note);
}

/** A cell of the matrix, as this caller. */
export async function askAs(ground: Ground, who: Who, verb: Verb, table: string): Promise<string> {
  const { app, board, tokenOf } = groundOf(ground, who);
  const { insert } = cellsOf(who, table);
  const asked = { verb, table, role: callers[who].role, insert };
  return show(await askCell(app, board, { ...asked, ...tokened(tokenOf(who)) }));
}

export async function askMatrix(ground: Ground, note: Note): Promise<void> {
  for (const table of Object.keys(matrix))
    for (const verb of verbs)
      await each(
        async (who) => {
          const came = await askAs(ground, who, verb, table);
          note({ door: `rows: ${verb}`, who, what: `${verb} ${table}`, due: dueAt(who, verb, table), came });
        },
        // Changes hold the row until they are put back.
        (who) => verb !== 'select' && dueAt(who, verb, table).endsWith('1 rows'),
      );
}

/** Without a row in the answer: its head has the number. */
export async function askCounts(ground: Ground, note: Note): Promise<void> {
  for (const [table, { row }] of Object.entries(matrix))
    await each(async (who) => {
      const { app, board, tokenOf } = groundOf(ground, who);
      const answer = await app.request(`/rest/v1/${table}?${row(board)}`, {
        method: 'HEAD',
        ...tokened(tokenOf(who)),
        headers: { prefer: 'count=exact' },
      });
      const number = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1];
      const { hasEnded } = callers[who];
      const due = hasEnded ? '401' : isClosedTo(who, [table]) ? '403' : `200, ${sees(who, table) ? 1 : 0}`;
      const came = number === undefined ? String(answer.status) : `${answer.status}, ${number}`;
      note({ door: 'rows: counts', who, what: `count ${table}`, due, came });
    });
}

const isClosedTo = (who: Who, tables: readonly string[]): boolean =>
  callers[who].link !== undefined && !tables.every(isOpenToLinks);
/** Rows, or nothing, or a refusal, as the rights on these tables say. */
const dueOf = (who: Who, tables: readonly string[], isSeen: boolean): string => {
  if (callers[who].hasEnded === true) return ended;
  return isClosedTo(who, tables) ? '403 42501' : isSeen ? '200' : '200, nothing';
};

export interface Embeds {
  readonly table: string;
  readonly embedded: readonly (readonly [table: string, words: string])[];
}

/** Both ways along every key to another table that points at a project, a task or a person: the row with all it points at, and these with all their rows. */
export async function readEmbeds(app: Pick<Server, 'sql'>): Promise<readonly Embeds[]> {
  const keys = await app.sql<{ table: string; points_at: string; key: string }>(
    `select f.relname as points_at, t.relname as table, c.conname as key
     from pg_constraint c join pg_class f on f.oid = c.confrelid join pg_class t on t.oid = c.conrelid
     where c.contype = 'f' and c.conrelid <> c.confrelid and c.connamespace = 'public'::regnamespace and f.relname in ('projects', 'tasks', 'profiles') order by 1, 3`,
  );
  const all = Object.keys(matrix).flatMap((table) => [
    {
      table,
      embedded: keys
        .filter((one) => one.table === table)
        .map(({ points_at, key }) => [points_at, `${points_at}!${key}(id)`]),
    },
    {
      table,
      embedded: keys
        .filter((one) => one.points_at === table)
        .map((one) => [one.table, `${one.table}!${one.key}(created_at)`]),
    },
  ]) as readonly Embeds[];
  return all.filter((one) => one.embedded.length > 0);
}

export function pathOfEmbeds({ table, embedded }: Embeds, board: Board): string {
  const filter = matrix[table]?.row(board).replace('&select=id', '');
  return `/rest/v1/${table}?select=created_at${embedded.map(([, words], place) => `,k${place}:${words}`).join('')}&${filter}`;
}

export async function askEmbeds(ground: Ground, note: Note): Promise<void> {
  const { app } = ground;
  for (const { table, embedded } of await readEmbeds(app))
    await each(async (who) => {
      const { board, tokenOf } = groundOf(ground, who);
      // Links are asked for what is open to them, and refused elsewhere.
      const open = embedded.filter(([name]) => callers[who].link === undefined || isOpenToLinks(name));
      const what = `${table} with ${open.map(([, words]) => words).join()}`;
      const path = pathOfEmbeds({ table, embedded: open }, board);
      const came = await inShort(await app.request(path, tokened(tokenOf(who))));
      note({ door: 'rows: embeds', who, what, due: dueOf(who, [table], sees(who, table)), came });
    });
}

/** To tasks of the project, for guests: told to owners, who invited them. */
export async function askInvitationsToTasks(ground: Ground, note: Note): Promise<void> {
  await each(async (who) => {
    const { app, board, tokenOf } = groundOf(ground, who);
    const path = `/rest/v1/project_invitations?select=id&project_id=eq.${board.project}&task_id=not.is.null`;
    const came = await inShort(await app.request(path, tokened(tokenOf(who))));
    const due = dueOf(who, ['project_invitations'], callers[who].role === 'owner');
    note({ door: 'rows: invitations to tasks', who, what: 'select', due, came });
  });
}

/** Questions that would tell, by whether a row comes, what stands in rows of others. */
export const filters = [
  'tasks?select=id&title=like.Draft*',
  'tasks?select=id&or=(title.eq.Draft the page,title.eq.Publish the page)',
  'tasks?select=id&title=fts.draft',
  'projects?select=id,tasks!inner(id)&tasks.title=like.Draft*',
  'projects?select=id,task_comments!inner(id)&task_comments.body=eq.On it',
  'tasks?select=id,projects!inner(name)&projects.name=eq.Web site&order=projects(name)',
  'tasks?select=id,task_labels!inner(name)&task_labels.name=eq.urgent',
  'profiles?select=id&display_name=eq.Edda Editor',
  'profiles?select=id,project_members!inner(role)&project_members.role=eq.viewer&display_name=like.Vito*',
  'task_comments?select=id&body=eq.On it&order=body.desc',
  'project_invitations?select=id&email=eq.new@example.test',
  'task_field_values?select=value&value=eq.5',
  'task_attachments?select=name&object_path=like.*notes.txt&order=name',
  'saved_views?select=name&name=eq.Ours',
];

export const tablesIn = (filter: string): readonly string[] => [
  filter.slice(0, filter.indexOf('?')),
  ...[...filter.matchAll(/(\w+)!inner/g)].map(([, name]) => name as string),
];

/** What these ask about in tasks that are shared with a guest of another task, or that an unnamed member sees. */
const ofAnyTask = [
  'tasks?select=id,projects!inner(name)&projects.name=eq.Web site&order=projects(name)',
  'profiles?select=id&display_name=eq.Edda Editor',
];

export async function askFilters(ground: Ground, note: Note): Promise<void> {
  for (const filter of filters) {
    const tables = tablesIn(filter);
    for (const who of everybody) {
      const { app, tokenOf } = groundOf(ground, who);
      const came = await inShort(await app.request(`/rest/v1/${encodeURI(filter)}`, tokened(tokenOf(who))));
      const isTold =
        tables.every((table) => sees(who, table)) ||
        (ofAnyTask.includes(filter) && (isMember(who) || callers[who].role === 'guest'));
      note({ door: 'rows: filters and order', who, what: filter, due: dueOf(who, tables, isTold), came });
    }
  }
}

interface Upsert {
  readonly table: string;
  readonly kind: 'over' | 'new';
  readonly body: Readonly<Record<string, unknown>>;
}

/** Over a row that is there, by its id, and as a new one. */
export function upsertsOf(board: Board): readonly Upsert[] {
  const rows = {
    tasks: { id: board.tasks[0], project_id: board.project, title: 'Over it' },
    workflow_columns: { id: board.columns.todo, project_id: board.project, name: 'Over it' },
    task_labels: { id: board.label, project_id: board.project, name: 'over it' },
    task_checklist_items: { id: board.item, project_id: board.project, task_id: board.tasks[0], title: 'Over it' },
    custom_fields: { id: board.field, project_id: board.project, name: 'Over it', kind: 'number' },
  };
  return Object.entries(rows).flatMap(([table, row]): Upsert[] => [
    { table, kind: 'over', body: row },
    { table, kind: 'new', body: { ...row, id: randomUUID() } },
  ]);
}

export const upsert = (
  request: TestApp['request'],
  { table, body }: Upsert,
  init: Readonly<Record<string, unknown>> = {},
): Promise<Response> =>
  request(`/rest/v1/${table}?select=id`, {
    method: 'POST',
    ...init,
    headers: { ...asTrial, prefer: `${asTrial.prefer}, resolution=merge-duplicates` },
    body: JSON.stringify(body),
  });

export async function askUpserts(ground: Ground, note: Note): Promise<void> {
  for (const who of everybody) {
    const { app, tokenOf } = ground;
    for (const one of upsertsOf(groundOf(ground, who).board)) {
      const { table, kind } = one;
      const isDue = may(who, kind === 'new' ? 'insert' : 'update', table);
      const done = kind === 'new' ? '201' : '200';
      const refused = who === 'anonymous' ? '401 42501' : refusalOf(who, table);
      const due = callers[who].hasEnded === true ? ended : isDue ? done : refused;
      const came = await inShort(await upsert(app.request, one, tokened(tokenOf(who))));
      note({ door: 'rows: upsert', who, what: `${kind} ${table}`, due, came });
    }
  }
}

/** Of a row whose project is right, and whose task is none to who is not named. */
const refusalOf = (who: Who, table: string): string =>
  callers[who].isUnnamed === true && table === 'task_checklist_items' ? '409 23503' : '403 42501';

const tokened = (token: string | undefined): { token?: string } => (token === undefined ? {} : { token });
