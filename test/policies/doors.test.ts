// Everybody at every door, over one ground: what is due to each follows from the rules of the callers (callers.ts) and of the door, beside its questions.
// `npm run bench -- --policies` asks the same, and the rest, of a server of its own.

// It changes the environment as it is loaded, which otherwise is when the first picture is asked for.
import 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { matrix } from '../sql/matrix-cells.ts';
import { type Ground, makeGround } from './callers-and-board.ts';
import type { Cell } from './cells.ts';
import { askLiveRows, askTopics } from './channels.ts';
import { askAgents, askFeeds } from './doors.ts';
import { askExplained } from './explained.ts';
import { askFiles } from './files.ts';
import { askProcedures } from './procedures.ts';
import { askCounts, askEmbeds, askFilters, askInvitationsToTasks, askMatrix, askUpserts } from './rows.ts';

const app = forSuite(() => startApp({ settings: { DATA_TX_OVERRIDE: 'true', DB_POOL_SIZE: '8' } }));
let ground: Ground;
beforeAll(async () => {
  ground = await makeGround(app);
});

test('the matrix covers every table that is served', async () => {
  const tables = await app.sql<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p', 'v', 'm', 'f') and relnamespace = 'public'::regnamespace order by 1`,
  );
  expect(tables.map((table) => table.name)).toEqual(Object.keys(matrix).sort());
});

const rows = { askMatrix, askCounts, askEmbeds, askFilters, askInvitationsToTasks, askUpserts };
/** The last ends the project. */
const doors = { ...rows, askProcedures, askExplained, askFiles, askFeeds, askAgents, askTopics, askLiveRows };

test.each(Object.entries(doors))('everybody gets what is due to them: %s', async (_name, askDoor) => {
  const cells: Cell[] = [];
  await askDoor(ground, (cell) => cells.push(cell));
  expect(cells.length).toBeGreaterThan(20);
  expect(cells.filter(({ due, came }) => due !== came)).toEqual([]);
});
