// Policies that narrow what others give, on every table, and those of public links, which give: without one of these, or with all rows in one of those,
// some cell of the matrix is red.

// It changes the environment as it is loaded, which otherwise is when the first picture is asked for.
import 'sharp';
import { beforeAll, expect, test, vi } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { bareTask, one } from '../sql/board.ts';
import { matrix } from '../sql/matrix-cells.ts';
import { dueAt, type Who } from './callers.ts';
import { type Ground, makeGround } from './callers-and-board.ts';
import type { Note } from './cells.ts';
import { askTopicsAs } from './channels.ts';
import { askFilesAs } from './files.ts';
import { askFiles, askProgram, askTopics, dueInTopics, type Program, programs, tokensOf } from './programs.ts';
import { askAs, askInvitationsToTasks, verbs } from './rows.ts';

interface Policy {
  readonly table: string;
  readonly name: string;
  readonly words: string;
}

const app = forSuite(() => startApp({ settings: { DATA_TX_OVERRIDE: 'true' } }));
let ground: Ground;
let tokens: ReadonlyMap<string, string>;
beforeAll(async () => {
  ground = await makeGround(app);
  tokens = await tokensOf(app, ground);
  await markOutside(ground);
});

async function policies(condition: string): Promise<readonly Policy[]> {
  return app.sql<Policy & Record<string, unknown>>(
    `select polrelid::regclass::text as table, polname as name, concat_ws(' ', format('create policy %I on %s as', polname, polrelid::regclass),
       case when polpermissive then 'permissive' else 'restrictive' end, 'for',
       case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end, 'to',
       (select string_agg(r::regrole::text, ', ') from unnest(polroles) r),
       'using (' || pg_get_expr(polqual, polrelid) || ')', 'with check (' || pg_get_expr(polwithcheck, polrelid) || ')') as words
     from pg_policy where ${condition} order by 1, 2`,
  );
}

const strict: readonly Program[] = programs.filter(({ projects, scope }) =>
  ['write elsewhere', 'read all'].includes(`${scope} ${projects}`),
);
const narrowedCallers: readonly Who[] = ['unnamed member', 'guest', 'public link to another project', 'reading key'];

async function* ofRows(table: string): AsyncGenerator<string> {
  for (const who of narrowedCallers)
    for (const verb of verbs)
      if ((await askAs(ground, who, verb, table)) !== dueAt(who, verb, table)) yield `${verb} as ${who}`;
  for (const program of strict)
    for (const verb of program.projects === 'elsewhere' ? (['select'] as const) : verbs) {
      const token = tokens.get(program.name) as string;
      const { due, came } = await askProgram(app, ground.board, { program, token, table, verb });
      if (due !== came) yield `${verb} as ${program.name}`;
    }
  if ((await readByAgent(table)) > 0) yield 'words from outside as an agent without a session';
  if (table === 'project_invitations') yield* red((note) => askInvitationsToTasks(ground, note));
}

/** What an agent does not see outside of a session; `%` stands for its board's first task. */
const outside: Readonly<Record<string, string>> = {
  ...{ tasks: "id = '%'", task_comments: "task_id = '%'", task_checklist_items: "task_id = '%'" },
  ...{ task_attachments: "task_id = '%'", task_field_values: "task_id = '%'", task_activity: "task_id = '%'" },
  notifications: "task_id = '%'",
  ...{ templates: "name = 'From outside'", agent_proposals: "summary = 'From outside'" },
  // Guests alone.
  profiles:
    'id in (select user_id from private.people_in_sight) and id not in (select user_id from private.my_colleagues)',
  // Of a task whose own words are the team's.
  'storage.objects': "name like '%%/outside.txt'",
};

async function markOutside({ board }: Ground): Promise<void> {
  const [task, other] = board.tasks;
  const { client } = board.people.owner;
  const path = `${board.project}/${other}/outside.txt`;
  await one(client.storage.from('attachments').upload(path, Buffer.from('Notes')));
  const file = { task_id: other, name: 'outside.txt', object_path: path };
  const [{ id: attachment } = { id: '' }] = await one(client.from('task_attachments').insert(file).select('id'));
  await app.sql('insert into private.outside_words (row_id, is_own) values ($1, true)', [attachment]);
  await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
    board.project,
    board.agent,
  ]);
  await app.sql(
    `insert into private.outside_words (row_id, is_own) select $1::uuid, true
     union select c.id, true from public.task_comments c where c.task_id = $1
     union select i.id, true from public.task_checklist_items i where i.task_id = $1
     union select a.id, true from public.task_attachments a where a.task_id = $1`,
    [task],
  );
  await app.sql(
    `with template as (
       insert into public.templates (project_id, kind, name, body, created_by) values ($1, 'task', 'From outside', $2, $3) returning id
     ), proposal as (
       insert into public.agent_proposals (project_id, session_id, user_id, summary, call, difference)
       values ($1, $4, $3, 'From outside', '{}', '[]') returning id
     ) insert into private.outside_words (row_id, is_own) select id, true from template union all select id, true from proposal`,
    [board.project, JSON.stringify(bareTask), board.people.owner.id, board.session],
  );
  await app.sql(
    `insert into public.notifications (user_id, kind, project_id, task_id) values ($1, 'mentioned', $2, $3)`,
    [board.agent, board.project, task],
  );
}

async function readByAgent(table: string): Promise<number> {
  const { board } = ground;
  const condition = outside[table]?.replace(/(?<!%)%(?!%)/, board.tasks[0]).replaceAll('%%', '%');
  if (condition === undefined) return 0;
  const claims = JSON.stringify({ sub: board.agent, role: 'authenticated', scope: 'read' });
  const text = `select from ${table.includes('.') ? table : `public.${table}`} where ${condition}`;
  return (await app.database.objectsAs({ role: 'program', claims }, { text, values: [] })).length;
}

async function* red(ask: (note: Note) => Promise<void>): AsyncGenerator<string> {
  const found: string[] = [];
  await ask(({ due, came, what, who }) => {
    if (due !== came) found.push(`${what} as ${who}`);
  });
  yield* found;
}

async function* ofFiles(): AsyncGenerator<string> {
  if ((await readByAgent('storage.objects')) > 0) yield 'a file from outside as an agent without a session';
  for (const who of narrowedCallers) yield* red((note) => askFilesAs(ground, who, note));
  for (const program of strict) yield* await askFiles(ground, { program, token: tokens.get(program.name) as string });
}

async function* ofTopics(): AsyncGenerator<string> {
  for (const who of narrowedCallers) yield* red((note) => askTopicsAs(ground, who, note));
  for (const program of strict) {
    const came = await askTopics(ground, { program, token: tokens.get(program.name) as string });
    if (JSON.stringify(came) !== JSON.stringify(dueInTopics(program))) yield `topics as ${program.name}`;
  }
}

/** Figures, which no door serves as rows: read as the caller whom a procedure runs as. */
async function* ofFigures(table: string): AsyncGenerator<string> {
  const { board, second, closed, idOf } = ground;
  const sub = board.people.editor.id;
  const narrow = { sub, role: 'authenticated', scope: 'read', projects: [second] };
  const rowsAs = async (role: string, claims: object, project: string): Promise<number> =>
    (
      await app.database.objectsAs(
        { role, claims: JSON.stringify(claims) },
        { text: `select from private.${table} where project_id = $1`, values: [project] },
      )
    ).length;
  if ((await rowsAs('program', narrow, board.project)) > 0) yield 'a program elsewhere';
  const unnamed = { sub: idOf('unnamed member'), role: 'authenticated' };
  // Of the tasks there, the restricted ones alone wait.
  if (table === 'task_waits' && (await rowsAs('authenticated', unnamed, closed.board.project)) > 0)
    yield 'an unnamed member';
}

function cellsFor(table: string): AsyncGenerator<string> {
  const name = table.replace('private.', '');
  if (matrix[table] !== undefined) return ofRows(table);
  if (table === 'storage.objects') return ofFiles();
  return table === 'realtime.messages' ? ofTopics() : ofFigures(name);
}

async function firstRed(cells: AsyncGenerator<string>): Promise<string | undefined> {
  for await (const cell of cells) return cell;
  return undefined;
}

/** Who asks for topics is answered by policies that the server has read before, and hears of changes a moment later. */
const isHeardLater = (table: string): boolean => table === 'realtime.messages';

async function redAtLast(table: string, isDue: boolean): Promise<string | undefined> {
  if (!isHeardLater(table)) return firstRed(cellsFor(table));
  let found: string | undefined;
  const ask = async (): Promise<void> => {
    found = await firstRed(cellsFor(table));
    if ((found !== undefined) !== isDue) throw new Error(`${table}: ${found ?? 'nothing red'}`);
  };
  await vi.waitFor(ask, { timeout: 20_000 }).catch(() => undefined);
  return found;
}

async function redWithout({ table, name, words }: Policy, instead?: string): Promise<string | undefined> {
  await app.sql(`drop policy ${name} on ${table}`);
  if (instead !== undefined) await app.sql(instead);
  try {
    return await redAtLast(table, true);
  } finally {
    if (instead !== undefined) await app.sql(`drop policy ${name} on ${table}`);
    await app.sql(words);
    if (isHeardLater(table)) expect(await redAtLast(table, false)).toBeUndefined();
  }
}

test('no cell is red while they are there', async () => {
  for (const table of ['tasks', 'realtime.messages', 'private.task_waits'])
    expect(await firstRed(cellsFor(table)), table).toBeUndefined();
});

test('each policy that narrows a table is needed', async () => {
  const all = await policies('not polpermissive');
  expect(new Set(all.map(({ name }) => name))).toEqual(
    new Set([
      'program',
      'program_removes',
      'audience',
      'guests',
      'of_guests',
      'attachments_of_tasks',
      'seen_tasks',
      'outside',
    ]),
  );
  const unneeded: string[] = [];
  for (const policy of all)
    if ((await redWithout(policy)) === undefined) unneeded.push(`${policy.name} of ${policy.table}`);
  expect(unneeded).toEqual([]);
  // One for each table at least, and for what people share.
  expect(all.length).toBeGreaterThan(Object.keys(matrix).length + 20);
}, 240_000);

test('each policy of public links shows no more than the link', async () => {
  const all = await policies(`polname = 'read_shared'`);
  expect(all.length).toBeGreaterThan(13);
  const wide: string[] = [];
  for (const policy of all) {
    const instead = policy.words.replace(/using \(.*\)$/s, 'using (true)');
    if ((await redWithout(policy, instead)) === undefined) wide.push(`${policy.name} of ${policy.table}`);
  }
  expect(wide).toEqual([]);
});
