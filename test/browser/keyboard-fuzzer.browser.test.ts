// Drawn keys end in the same rows and on the same screen, whether each waits for the one before, or all come at the speed of a fast person over a
// slow network or a slow processor. `SEED=… SEQUENCES=50 npm test -- test/browser/keyboard-fuzzer.browser.test.ts` plays as many from that seed
// on, `KEYS='…'` the keys that a failure tells.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { isThorough, seed } from '../helpers/seed.ts';
import { drawSequence, randomFrom, readKeys, type Sequence, sayKeys } from './drawn-keys.ts';
import { type SampleProject, type Site, settleHarbour, startSite } from './pages.ts';
import { readScreen, rowsInTheEnd, typistAt } from './play-keys.ts';

const sequences = Number(process.env.SEQUENCES ?? (isThorough ? 4 : 1));

let site: Site;
let bobId: string;
let bobMail: string;

beforeAll(async () => {
  site = await startSite();
  ({ id: bobId, email: bobMail } = await site.app.createUser({ name: 'Bob Byron' }));
}, 120_000);
afterAll(() => site?.close());

interface Speed {
  readonly fast: boolean;
  readonly latency: number;
  readonly slowdown: number;
}

const slowly: Speed = { fast: false, latency: 0, slowdown: 1 };
const speeds: Readonly<Record<string, Speed>> = {
  'at once': { fast: true, latency: 0, slowdown: 1 },
  '150 ms away': { fast: true, latency: 150, slowdown: 1 },
  '400 ms away': { fast: true, latency: 400, slowdown: 1 },
  'a slow processor': { fast: true, latency: 0, slowdown: 20 },
};

const places: Readonly<Record<Sequence['start'], readonly [path: (projectId: string) => string, first: string]>> = {
  board: [(id) => `/app/projects/${id}/board`, '[data-task-id]'],
  list: [(id) => `/app/projects/${id}/list?group=none`, '[data-row-link]'],
  inbox: [() => '/app/inbox', '[data-entry] [data-way]'],
  'my-tasks': [() => '/app/my-tasks', '[data-task-id]'],
};

async function settle(): Promise<SampleProject> {
  const sample = await settleHarbour(site, ['Paint the crane', 'Count the ships', 'Sweep the quay', 'Order rope']);
  await sample.join(bobMail, 'editor');
  await sample.rows(
    "insert into task_labels (project_id, name, color) values ($1, 'Urgent', '#cc4a3d'), ($1, 'Idea', '#3d7acc')",
  );
  await sample.rows(
    `insert into task_assignees (project_id, task_id, user_id)
     select t.project_id, t.id, t.created_by from tasks t where t.project_id = $1 and t.number < 3`,
  );
  for (const number of [1, 2, 3])
    await site.app.sql(
      `insert into task_comments (project_id, task_id, author_id, body)
       select project_id, id, $2, 'Which?' from tasks where project_id = $1 and number = $3`,
      [sample.projectId, bobId, number],
    );
  return sample;
}

async function readRows(sample: SampleProject): Promise<Record<string, unknown>> {
  const rows: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(rowsInTheEnd)) rows[name] = await sample.rows(text);
  return rows;
}

/** Plays it on a project of its own; `see` is given a look at the end. */
async function play(
  sequence: Sequence,
  { fast, latency, slowdown }: Speed,
  see: (look: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const sample = await settle();
  const { page, troubles } = sample.ada;
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  const typist = typistAt(page, cdp);
  const [path, first] = places[sequence.start];
  await page.goto(path(sample.projectId));
  await page.locator(first).first().focus();
  if (!fast) await typist.settled();
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await (fast ? typist.playFast(sequence) : typist.playSlowly(sequence));
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await see(async () => ({ ...(await page.evaluate(readScreen)), ...(await readRows(sample)) }));
  expect(troubles).toEqual([]);
  await sample.ada.close();
}

async function readReference(sequence: Sequence): Promise<unknown> {
  let last: unknown;
  await play(sequence, slowly, async (look) => {
    last = await look();
  });
  return last;
}

/** Sequences that once ended otherwise. */
const found = [
  'inbox: j r “peel” Control+Enter e',
  'inbox: j Enter r “peel” Control+Enter Escape e',
  'list: ArrowDown e “rope” Enter c “exhume” Enter Enter p “crit” Enter',
];
const { KEYS } = process.env;
const given = KEYS === undefined ? found : [KEYS];
const cases = [
  ...given.map((keys) => ({ from: seed, sequence: readKeys(keys, randomFrom(seed)) })),
  ...Array.from({ length: KEYS === undefined ? sequences : 0 }, (_, index) => ({
    from: seed + index,
    sequence: drawSequence(randomFrom(seed + index), 6),
  })),
].map((one) => ({ ...one, keys: sayKeys(one.sequence) }));

test.each(cases)(
  'keys of seed $from, case %#, end alike at each speed',
  { timeout: 240_000 },
  async ({ sequence, keys }) => {
    const reference = await readReference(sequence);
    const results = await Promise.allSettled(
      Object.entries(speeds).map(([name, speed]) =>
        play(sequence, speed, (look) =>
          expect.poll(look, { timeout: 30_000, message: `${name}, ${keys}` }).toEqual(reference),
        ),
      ),
    );
    const failed = results.filter((one) => one.status === 'rejected').map((one) => one.reason as Error);
    if (failed.length > 0) throw new AggregateError(failed, failed.map(({ message }) => message).join('\n'));
  },
);
