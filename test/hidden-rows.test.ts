// Strangers, signed in and not, at every API that takes an id: a row of another project is answered exactly like a missing one, headers included,
// none of its words is in any answer, and none of its changes arrives live.

import { beforeAll, describe, expect, test } from 'vitest';
import type { OpenApi } from '../server/http/open-api.ts';
import { startApp } from './helpers/app.ts';
import { forSuite } from './helpers/for-suite.ts';
import { listen, makeMarks, publishedTables, rewriteRows } from './policies/live.ts';
import { asking, askTwice, type Part, pathOf, questions, theirWords, withRelated } from './policies/questions.ts';
import { type Board, makeBoard, type Role } from './sql/board.ts';
import { matrix } from './sql/matrix-cells.ts';

let board: Board;
let document: OpenApi;
const app = forSuite(startApp);
beforeAll(async () => {
  board = await makeBoard(app);
  const { error } = await board.people.editor.client.storage
    .from('attachments')
    .upload(pathOf(board), new Blob(['On it']));
  expect(error).toBeNull();
  document = (await (await app.request('/openapi.json')).json()) as OpenApi;
});

describe.each(['an outsider', 'the public key alone'])('%s', (who) => {
  const ask: ReturnType<typeof asking> = (...asked) =>
    asking(app, who === 'an outsider' ? board.people.outsider.token : undefined)(...asked);

  test.each<[Part, number]>([
    ['procedures', 20],
    ['filters, counts and single rows', 150],
    ['changes and removals', 100],
    ['files', 14],
    ['other doors', 4],
  ])('is told the same of theirs and of nobody’s: %s', async (part, least) => {
    const asked = questions(document).filter((question) => question.part === part);
    expect(asked.length).toBeGreaterThan(least);
    for (const question of asked) {
      const { told, untold } = await askTwice(ask, board, question);
      expect(`${question.what}: ${told}`).toBe(`${question.what}: ${untold}`);
      expect(told).not.toMatch(theirWords);
    }
  });

  test('is shown no word of theirs, with all that is related', async () => {
    for (const path of withRelated(document)) expect(await ask('GET', path)).not.toMatch(theirWords);
  });

  test('finds nothing, and figures tell nothing', async () => {
    const found = who === 'an outsider' ? /^200 .* \[\]$/ : /^401 /;
    for (const query of ['page', 'Draft', 'On it'])
      expect(await ask('POST', '/rest/v1/rpc/search_tasks', { query })).toMatch(found);
    expect(await ask('POST', '/rest/v1/rpc/dashboard_metrics', {})).not.toMatch(theirWords);
  });
});

test('hear of no change in any table, while members hear of what they see', async () => {
  // Deliveries are many, and read where somebody looks at them.
  const published = Object.keys(matrix).filter((name) => name !== 'webhook_deliveries');
  expect(await publishedTables(app)).toEqual(published.sort());
  await makeMarks(app);
  const { owner, editor, viewer, outsider } = board.people;
  const clients = {
    owner: owner.client,
    editor: editor.client,
    viewer: viewer.client,
    outsider: outsider.client,
    anonymous: app.client(),
  };
  const listeners = await listen(app, clients);
  const seenBy = (role: Role): string[] =>
    published
      .filter((table) => matrix[table]?.sees.includes(role))
      .map((table) => `UPDATE ${table}`)
      .sort();
  const roles = Object.keys(clients) as Role[];
  expect(await listeners.during(() => rewriteRows(app, board))).toEqual(
    Object.fromEntries(roles.map((role) => [role, seenBy(role)])),
  );
  expect([seenBy('viewer').length > 15, seenBy('outsider'), seenBy('anonymous')]).toEqual([true, [], []]);

  const ended = await listeners.during(async () => {
    await app.sql('delete from public.projects where id = $1', [board.project]);
  });
  expect(ended.viewer).toContain('DELETE tasks');
  expect([ended.outsider, ended.anonymous]).toEqual([[], []]);
  await listeners.close();
});
