// Rows at the data door: the matrix of the tables, for everybody, and the same rows counted, embedded, filtered, put in order and upserted.

import { randomUUID } from 'node:crypto';
import { askCell, type Cells, due, matrix, type Verb } from '../sql/matrix-cells.ts';
import { everybody, type Ground, isMember, roleOf, type Who } from './callers-and-board.ts';
import { asTrial, ended, inShort, type Note } from './cells.ts';

const verbs: Readonly<Record<Verb, string>> = {
  select: 'rows: select',
  insert: 'rows: insert',
  update: 'rows: update',
  delete: 'rows: delete',
};

export async function askRows(ground: Ground, note: Note): Promise<void> {
  await askMatrix(ground, note);
  await askCounts(ground, note);
  await askEmbeds(ground, note);
  await askFilters(ground, note);
  await askUpserts(ground, note);
}

async function askMatrix({ app, board, tokenOf }: Ground, note: Note): Promise<void> {
  const show = ({ status, rows, code }: ReturnType<typeof due>): string =>
    rows === null ? `${status} ${code}` : `${status}, ${rows} rows`;
  for (const [table, cells] of Object.entries(matrix))
    for (const verb of Object.keys(verbs) as Verb[])
      for (const who of everybody) {
        const role = roleOf(who);
        const token = tokenOf(who);
        const came = await askCell(app, board, { verb, table, role, ...(token === undefined ? {} : { token }) });
        const wanted = who === 'signed out' ? ended : show(due(cells, verb, role));
        note({ door: verbs[verb], who, what: `${verb} ${table}`, due: wanted, came: show(came) });
      }
}

/** Without a row in the answer: its head has the number. */
export async function askCounts({ app, board, tokenOf }: Ground, note: Note): Promise<void> {
  for (const [table, { row, sees }] of Object.entries(matrix))
    for (const who of everybody) {
      const answer = await app.request(`/rest/v1/${table}?${row(board)}`, {
        method: 'HEAD',
        ...tokened(tokenOf(who)),
        headers: { prefer: 'count=exact' },
      });
      const number = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1];
      const counted = sees.includes(roleOf(who)) ? '1' : '0';
      note({
        door: 'rows: counts',
        who,
        what: `count ${table}`,
        due: who === 'signed out' ? '401' : `200, ${counted}`,
        came: number === undefined ? String(answer.status) : `${answer.status}, ${number}`,
      });
    }
}

/** Both ways along every key to another table that points at a project, a task or a person: the row with what it points at, and that with the row. */
export async function askEmbeds({ app, board, tokenOf }: Ground, note: Note): Promise<void> {
  const keys = await app.sql<{ table: string; points_at: string; key: string }>(
    `select c.conrelid::regclass::text as table, f.relname as points_at, c.conname as key
     from pg_constraint c join pg_class f on f.oid = c.confrelid
     where c.contype = 'f' and c.conrelid <> c.confrelid and c.connamespace = 'public'::regnamespace and f.relname in ('projects', 'tasks', 'profiles') order by 1, 3`,
  );
  for (const { table: name, points_at, key } of keys) {
    const table = name.replace('public.', '');
    const { row, sees } = matrix[table] as Cells;
    const above = matrix[points_at]?.row(board);
    const filter = row(board).replace('&select=id', '');
    for (const [what, path, isSeen] of [
      [
        `${table} with ${key}`,
        `${table}?select=${points_at}!${key}(id)&${filter}`,
        (who: Who) => sees.includes(roleOf(who)),
      ],
      [
        `${points_at} with ${key}`,
        `${points_at}?select=id,${table}!${key}(created_at)&${above}`,
        (who: Who) => matrix[points_at]?.sees.includes(roleOf(who)) === true,
      ],
    ] as const)
      for (const who of everybody) {
        const came = await inShort(await app.request(`/rest/v1/${path}`, tokened(tokenOf(who))));
        const wanted = isSeen(who) ? '200' : '200, nothing';
        note({ door: 'rows: embeds', who, what, due: who === 'signed out' ? ended : wanted, came });
      }
  }
}

/** Questions that would tell, by whether a row comes, what stands in rows of others. */
const filters = [
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

/** Theirs is a task of this project, and who works on it has a name. */
const toldToGuests = [
  'tasks?select=id,projects!inner(name)&projects.name=eq.Web site&order=projects(name)',
  'profiles?select=id&display_name=eq.Edda Editor',
];

export async function askFilters({ app, tokenOf }: Ground, note: Note): Promise<void> {
  for (const filter of filters)
    for (const who of everybody) {
      const came = await inShort(await app.request(`/rest/v1/${encodeURI(filter)}`, tokened(tokenOf(who))));
      const told = isMember(who) || (who === 'guest' && toldToGuests.includes(filter));
      const wanted = told ? '200' : '200, nothing';
      note({ door: 'rows: filters and order', who, what: filter, due: who === 'signed out' ? ended : wanted, came });
    }
}

/** Over a row that is there, by its id, and as a new one. */
export async function askUpserts({ app, board, tokenOf }: Ground, note: Note): Promise<void> {
  const rows: Readonly<Record<string, Record<string, unknown>>> = {
    tasks: { id: board.tasks[0], project_id: board.project, title: 'Over it' },
    workflow_columns: { id: board.columns.todo, project_id: board.project, name: 'Over it' },
    task_labels: { id: board.label, project_id: board.project, name: 'over it' },
    task_checklist_items: { id: board.item, project_id: board.project, task_id: board.tasks[0], title: 'Over it' },
    custom_fields: { id: board.field, project_id: board.project, name: 'Over it', kind: 'number' },
  };
  for (const [table, row] of Object.entries(rows))
    for (const [kind, body] of [
      ['over', row],
      ['new', { ...row, id: randomUUID() }],
    ] as const)
      for (const who of everybody) {
        const answer = await app.request(`/rest/v1/${table}?select=id`, {
          method: 'POST',
          ...tokened(tokenOf(who)),
          headers: { ...asTrial, prefer: `${asTrial.prefer}, resolution=merge-duplicates` },
          body: JSON.stringify(body),
        });
        const may = who === 'owner' || who === 'editor';
        const wanted = may ? (kind === 'new' ? '201' : '200') : who === 'anonymous' ? '401 42501' : '403 42501';
        const came = await inShort(answer);
        note({ door: 'rows: upsert', who, what: `${kind} ${table}`, due: who === 'signed out' ? ended : wanted, came });
      }
}

const tokened = (token: string | undefined): { token?: string } => (token === undefined ? {} : { token });
