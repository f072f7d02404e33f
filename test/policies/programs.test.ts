// Keys and apps at the doors: each program gets what is due to its person, as far as its token leaves it.

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
  beside,
  dueInTopics,
  dueTo,
  type Program,
  programs,
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

test.each(beside)('rows: $name', async (program) => {
  const wrong: string[] = [];
  for (const table of Object.keys(matrix))
    for (const verb of verbs) {
      const { due, came } = await askProgram(app, board, { program, token: tokenOf(program), table, verb });
      if (due !== came) wrong.push(`${verb} ${table}: due ${due}, came ${came}`);
    }
  expect(wrong).toEqual([]);
});

test.each(beside)('procedures: $name', async (program) => {
  expect(await askProcedures(ground, { program, token: tokenOf(program) })).toEqual([]);
});

test.each(beside)('files: $name', async (program) => {
  expect(await askFiles(ground, { program, token: tokenOf(program) })).toEqual([]);
});

test.each(beside)('private channels: $name', async (program) => {
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
