// Keys and apps at the doors: each program gets what is due to its person, as far as its token leaves it; and a policy that narrows nothing is found.

// It changes the environment as it is loaded, which otherwise is when the first picture is asked for.
import 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { matrix, type Verb } from '../sql/matrix-cells.ts';
import { type Ground, makeGround } from './callers-and-board.ts';
import { listen, makeMarks, rewriteRows } from './live.ts';
import {
  askFiles,
  askProcedures,
  askProgram,
  askTopics,
  dueInTopics,
  dueTo,
  type Program,
  programs,
  sharedTables,
  tokenOfService,
  tokensOf,
} from './programs.ts';

const app = forSuite(() => startApp({ settings: { DATA_TX_OVERRIDE: 'true' } }));
let ground: Ground;
let board: Ground['board'];
let tokens: ReadonlyMap<string, string>;
beforeAll(async () => {
  ground = await makeGround(app);
  board = ground.board;
  tokens = await tokensOf(app, ground);
});

const verbs: readonly Verb[] = ['select', 'insert', 'update', 'delete'];
const tokenOf = ({ name }: Program): string => tokens.get(name) as string;

test.each(programs)('rows: $name', async (program) => {
  const wrong: string[] = [];
  for (const table of Object.keys(matrix))
    for (const verb of verbs) {
      const { due, came } = await askProgram(app, board, { program, token: tokenOf(program), table, verb });
      if (due !== came) wrong.push(`${verb} ${table}: due ${due}, came ${came}`);
    }
  expect(wrong).toEqual([]);
});

test.each(['read', 'comment', 'write'])(
  'rows and files: %s, of a service account with the role of the editor',
  async (scope) => {
    const { token } = await tokenOfService(app, board, scope);
    const program: Program = { name: 'service', person: 'editor', scope, projects: 'all' };
    const wrong: string[] = [];
    for (const table of sharedTables)
      for (const verb of verbs) {
        const { due, came } = await askProgram(app, board, { program, token, table, verb });
        if (due !== came) wrong.push(`${verb} ${table}: due ${due}, came ${came}`);
      }
    expect(wrong).toEqual([]);
    expect(await askFiles(ground, { program, token })).toEqual([]);
  },
);

test.each(programs)('procedures: $name', async (program) => {
  expect(await askProcedures(ground, { program, token: tokenOf(program) })).toEqual([]);
});

test.each(programs)('files: $name', async (program) => {
  expect(await askFiles(ground, { program, token: tokenOf(program) })).toEqual([]);
});

test.each(programs)('private channels: $name', async (program) => {
  expect(await askTopics(ground, { program, token: tokenOf(program) })).toEqual(dueInTopics(program));
});

test('live changes: each program hears of the rows that it sees', async () => {
  await makeMarks(app);
  const clients = Object.fromEntries(
    programs.map((program) => [program.name, app.client({ token: tokenOf(program) })]),
  );
  const listeners = await listen(app, clients);
  const heard = await listeners.during(() => rewriteRows(app, board));
  await listeners.close();
  const tables = Object.keys(matrix);
  for (const program of programs) {
    const due = tables.filter((table) => dueTo(program, table, 'select').rows === 1);
    expect(heard[program.name], program.name).toEqual(due.map((table) => `UPDATE ${table}`).sort());
  }
});

test('each policy that narrows a table is needed', async () => {
  const policies = await app.sql<{ name: string; using: string; check: string }>(
    `select c.relname as name, pg_get_expr(polqual, polrelid) as using, pg_get_expr(polwithcheck, polrelid) as check
     from pg_policy p join pg_class c on c.oid = p.polrelid
     where p.polname = 'program' and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  expect(policies.map(({ name }) => name)).toEqual(Object.keys(matrix).sort());
  for (const { name, using, check } of policies) {
    await app.sql(`drop policy program on public.${name}`);
    const red: string[] = [];
    for (const program of programs.filter(({ projects, scope }) => projects === 'elsewhere' || scope === 'read')) {
      const verb = program.projects === 'elsewhere' ? 'select' : 'update';
      const { due, came } = await askProgram(app, board, { program, token: tokenOf(program), table: name, verb });
      if (due !== came) red.push(program.name);
    }
    await app.sql(
      `create policy program on public.${name} as restrictive to program using (${using}) with check (${check})`,
    );
    expect(red, `without the policy of ${name}`).not.toEqual([]);
  }
});

/** What each program gets otherwise while a policy is away. */
async function redWithout(
  policy: string,
  table: string,
  ask: (program: Program) => Promise<boolean>,
): Promise<string[]> {
  const [kept] = await app.sql<{ words: string }>(
    `select format('create policy %I on %s as restrictive for %s to program using (%s)%s', polname, polrelid::regclass,
       case polcmd when 'd' then 'delete' else 'all' end, pg_get_expr(polqual, polrelid),
       ' with check (' || pg_get_expr(polwithcheck, polrelid) || ')') as words
     from pg_policy where polname = $1 and polrelid = $2::regclass`,
    [policy, table],
  );
  await app.sql(`drop policy ${policy} on ${table}`);
  const red: string[] = [];
  for (const program of programs.filter(({ projects, scope }) => projects === 'elsewhere' || scope === 'read'))
    if (await ask(program)) red.push(program.name);
  await app.sql(kept?.words ?? '');
  return red;
}

test('each policy that narrows files and channels is needed', async () => {
  const given = (program: Program) => ({ program, token: tokenOf(program) });
  const files = async (program: Program): Promise<boolean> => (await askFiles(ground, given(program))).length > 0;
  expect(await redWithout('program', 'storage.objects', files)).not.toEqual([]);
  expect(await redWithout('program_removes', 'storage.objects', files)).not.toEqual([]);
  const topics = async (program: Program): Promise<boolean> =>
    JSON.stringify(await askTopics(ground, given(program))) !== JSON.stringify(dueInTopics(program));
  expect(await redWithout('program', 'realtime.messages', topics)).not.toEqual([]);
});

test.each(['project_figures', 'column_flow', 'column_kinds', 'task_waits'])(
  'the policy that narrows %s is needed',
  async (table) => {
    const sees = async ({ person }: Program): Promise<boolean> => {
      const claims = { sub: board.people[person].id, role: 'authenticated', scope: 'read', projects: [ground.second] };
      const rows = await app.database.objectsAs(
        { role: 'program', claims: JSON.stringify(claims) },
        { text: `select from private.${table} where project_id = $1`, values: [board.project] },
      );
      return rows.length > 0;
    };
    expect(await sees(programs[0] as Program)).toBe(false);
    expect(await redWithout('program', `private.${table}`, sees)).not.toEqual([]);
  },
);

test('no table that people reach is left open to programs', async () => {
  const open = await app.sql<{ name: string }>(
    `select distinct p.polrelid::regclass::text as name from pg_policy p
     where 'authenticated'::regrole = any (p.polroles) and p.polpermissive
       and not exists (select from pg_policy o where o.polrelid = p.polrelid and o.polname = 'program' and not o.polpermissive) order by 1`,
  );
  // Imports: written by the server as the person, whose session alone may begin one.
  expect(open.map(({ name }) => name)).toEqual([
    'private.awaited_assignees',
    'private.import_changes',
    'private.import_jobs',
    'private.import_origins',
    'private.imports',
  ]);
});
