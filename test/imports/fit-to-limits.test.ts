// Files at the edge of the limits: the longest chains of subtasks, texts cut in the middle of a character, texts that look like an escape and are
// none.

import { expect, test } from 'vitest';
import { fitToLimits } from '../../server/imports/fit-to-limits.ts';
import { keepNames } from '../../server/imports/people.ts';
import { readFile } from '../../server/imports/products.ts';

async function read(text: string, fileName: string) {
  const found = await readFile(Buffer.from(text), { fileName });
  return fitToLimits(keepNames(found.read, new Map()));
}

test('a chain of very many tasks is put in order, whichever way it is told', async () => {
  const many = 120_000;
  const titles = Array.from({ length: many }, (_, n) => n);
  const down = await read(['ID,Title,Parent', ...titles.map((n) => `t${n},Task ${n},t${n + 1}`)].join('\n'), 'a.csv');
  expect(down.project.tasks).toHaveLength(many);
  expect([...down.project.tasks].filter(({ parent }) => parent === null)).toHaveLength(many / 8);
  // As many as a cell may name.
  const named = 3000;
  const after = titles.slice(1, named + 1).map((n) => `t${n}`);
  const waiting = await read(
    ['ID,Title,Blocked by', `t0,Last,"${after.join(',')}"`, ...titles.slice(1).map((n) => `t${n},Task ${n},t0`)].join(
      '\n',
    ),
    'b.csv',
  );
  expect(waiting.project.tasks.at(0)?.waitsFor).toHaveLength(named);
  expect(waiting.problems.every(({ kind }) => kind === 'circle')).toBe(true);
  expect(waiting.problems).toHaveLength(named);
});

test('no character is cut in half, wherever a text is too long', async () => {
  // Whichever place it is cut at, one of the two has half a character there.
  const ships = [`${'🚢'.repeat(400)}`, `a${'🚢'.repeat(400)}`];
  const rows = ships.flatMap((words, at) => [
    `${words},${words},,nobody ${words},${words},${words},,${words}`,
    `${words},again,,,,,,`,
    `o${at},,${words},${words},,,,`,
    `p${at},Plain,,,,,nobody ${words},`,
  ]);
  const table = [
    'ID,Title,Description,Parent,Due,Estimate,Blocked by,Labels',
    ...rows.map((row) => `${row},${ships[0]},${ships[1]}`),
  ];
  const { project, problems } = await read(table.join('\n'), 'ships.csv');
  expect(new Set(problems.map(({ kind }) => kind))).toEqual(
    new Set([
      'cut_cell',
      'too_many_cells',
      'twice',
      'no_title',
      'long_title',
      'unknown_parent',
      'unknown_predecessor',
      'not_a_date',
      'not_an_estimate',
    ]),
  );
  for (const { kind, about } of problems) expect(about.isWellFormed(), kind).toBe(true);
  for (const { origin, title } of project.tasks) expect([origin, title].every((one) => one.isWellFormed())).toBe(true);
});

test('a table is read in pieces, and none of them ends within a character', async () => {
  const words = '🚢'.repeat(300_000);
  for (const before of ['', 'a']) {
    const { project } = await read(`Title,Description\nShips,${before}${words}`, 'ships.csv');
    const [task] = project.tasks;
    expect([task?.description, ...(task?.comments ?? []).map(({ body }) => body)].join('')).toBe(`${before}${words}`);
  }
});

test('a NUL of JSON is left out, words that look like one are not, and half characters stop nothing', async () => {
  const board = (name: string): string =>
    `{"id":"b","name":"B","lists":[{"id":"l","name":"L"}],"cards":[{"id":"c","idList":"l","name":"${name}"}],"checklists":[],"labels":[],"actions":[]}`;
  const titleOf = async (name: string) => (await read(board(name), 'board.json')).project.tasks.at(0)?.title;
  expect(await titleOf('A\\u0000B')).toBe('AB');
  expect(await titleOf('A\\\\u0000B')).toBe('A\\u0000B');
  expect(await titleOf('\\\\\\u0000\\u0000\\\\\\\\u0000')).toBe('\\\\\\u0000');
  expect(await titleOf('Half \\ud83d')).toBe('Half \ufffd');
});

test('a row without a title is called by its key, or Untitled where it has none', async () => {
  const { project } = await read('ID,Title,Status\n17,,To do\n,,Doing', 'ships.csv');
  expect(project.tasks.map(({ title }) => title)).toEqual(['csv 17', 'Untitled']);
});
