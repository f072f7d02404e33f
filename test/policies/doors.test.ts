// Everybody at the doors that no other test asks for every role: procedures, counts, embeds, filters and upserts, files, feeds and private topics. What is due to
// each stands beside the questions; `npm run bench -- --policies` asks the same, and the rest, of a server of its own.

// It changes the environment as it is loaded, which otherwise is when the first picture is asked for.
import 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { type Ground, makeGround } from './callers-and-board.ts';
import type { Cell } from './cells.ts';
import { askTopics } from './channels.ts';
import { askFeeds } from './doors.ts';
import { askFiles } from './files.ts';
import { askProcedures } from './procedures.ts';
import { askCounts, askEmbeds, askFilters, askUpserts } from './rows.ts';

let ground: Ground;
const app = forSuite(() => startApp({ settings: { DATA_TX_OVERRIDE: 'true' } }));
beforeAll(async () => {
  ground = await makeGround(app);
});

test.each(
  Object.entries({ askProcedures, askCounts, askEmbeds, askFilters, askUpserts, askFiles, askFeeds, askTopics }),
)('everybody gets what is due to them: %s', async (_name, askDoor) => {
  const cells: Cell[] = [];
  await askDoor(ground, (cell) => cells.push(cell));
  expect(cells.length).toBeGreaterThan(20);
  expect(cells.filter(({ due, came }) => due !== came)).toEqual([]);
});
