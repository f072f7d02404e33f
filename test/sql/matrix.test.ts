// Rights matrix: every role, every table, every verb, through the door. The list of tables comes from the catalog, so a new table without
// rows in `matrix-cells.ts` fails. Each request is rolled back, so all of them meet the same board.

import { beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { type Board, makeBoard, type Role } from './board.ts';
import { askCell, due, matrix, type Verb } from './matrix-cells.ts';

let board: Board;
const app = forSuite(() => startApp({ settings: { DATA_TX_OVERRIDE: 'true' } }));
beforeAll(async () => {
  board = await makeBoard(app);
});

const roles: readonly Role[] = ['owner', 'editor', 'viewer', 'guest', 'outsider', 'anonymous'];
const verbs: readonly Verb[] = ['select', 'insert', 'update', 'delete'];
const every = verbs.flatMap((verb) => roles.map((role) => ({ verb, role })));

it('covers every table that is served', async () => {
  const tables = await app.sql<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p', 'v', 'm', 'f') and relnamespace = 'public'::regnamespace order by 1`,
  );
  expect(tables.map((table) => table.name)).toEqual(Object.keys(matrix).sort());
});

describe.each(Object.entries(matrix))('%s', (table, cells) => {
  it.each(every)('$verb as $role', async ({ verb, role }) => {
    const token = role === 'anonymous' ? {} : { token: board.people[role].token };
    expect(await askCell(app, board, { verb, table, role, ...token })).toEqual(due(cells, verb, role));
  });
});
