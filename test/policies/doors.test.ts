// Everybody at the doors that no other test asks for every role: procedures, counts, embeds, filters and upserts, files, feeds and private topics. What is due to
// each stands beside the questions; `npm run bench -- --policies` asks the same, and the rest, of a server of its own.

// It changes the environment as it is loaded, which otherwise is when the first picture is asked for.
import 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { type Ground, giveRolesByGroups, isMember, makeGround } from './callers-and-board.ts';
import type { Cell } from './cells.ts';
import { askTopics } from './channels.ts';
import { askFeeds } from './doors.ts';
import { askFiles } from './files.ts';
import { askProcedures } from './procedures.ts';
import { askCounts, askEmbeds, askFilters, askUpserts } from './rows.ts';

const app = forSuite(() => startApp({ settings: { DATA_TX_OVERRIDE: 'true' } }));
const doors = { askProcedures, askCounts, askEmbeds, askFilters, askUpserts, askFiles, askFeeds, askTopics };

/** There are groups, and who is in a project by one leaves the group. */
const cameByGroups: Readonly<Record<string, string>> = { project_groups: '200', leave_project: '409 KB020' };

describe.each([
  ['their own', async () => makeGround(app)],
  ['groups', async () => giveRolesByGroups(await makeGround(app))],
] as const)('everybody, with roles of %s', (given, make) => {
  let ground: Ground;
  beforeAll(async () => {
    ground = await make();
  });

  test.each(Object.entries(doors))('gets what is due to them: %s', async (_name, askDoor) => {
    const cells: Cell[] = [];
    await askDoor(ground, (cell) => cells.push(cell));
    expect(cells.length).toBeGreaterThan(20);
    const differing = cells.filter(({ due, came }) => due !== came);
    const byGroups = ({ what, who, came }: Cell): boolean => isMember(who) && cameByGroups[what] === came;
    expect(differing.filter((cell) => given === 'their own' || !byGroups(cell))).toEqual([]);
  });
});
