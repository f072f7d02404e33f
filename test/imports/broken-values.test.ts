// Odd values, the same for every product: marks and emoji, huge texts, people without an account, days in several formats, broken rows. None of them
// stops an import, and nothing is lost: each value is in its field, in the description, or reported.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fitToLimits } from '../../server/imports/fit-to-limits.ts';
import type { Task } from '../../server/imports/neutral.ts';
import { keepNames } from '../../server/imports/people.ts';
import { readFile } from '../../server/imports/products.ts';

const sample = (name: string): Buffer => readFileSync(join(import.meta.dirname, 'samples', name));

const marked = '**Bold**, `code` and a list:\n\n- ⚓ one\n- [two](https://example.test/2)';
const huge = `${'🚢'.repeat(55_000)} the end`;
const emoji = 'Wörk 🧑‍🚀 "quoted", <b>not</b> HTML; 日本語';

async function read(bytes: Buffer, product: string) {
  const found = await readFile(bytes, { fileName: 'odd', from: product });
  const { project, problems } = fitToLimits(keepNames(found.read, new Map()));
  return { tasks: project.tasks, problems, kinds: problems.map(({ kind }) => kind) };
}

/** All that is said of a task: nothing may be lost of what is too long. */
const words = ({ title, description, comments }: Task): string =>
  [title, description, ...comments.map(({ body }) => body)].join('');

describe.each([
  [
    'jira',
    'jira.csv',
    { key: 'Issue key', title: 'Summary', text: 'Description', who: 'Assignee', due: 'Due Date', more: {} },
  ],
  [
    'linear',
    'linear.csv',
    { key: 'ID', title: 'Title', text: 'Description', who: 'Assignee', due: 'Due Date', more: {} },
  ],
  ['asana', 'asana.csv', { key: 'Task ID', title: 'Name', text: 'Notes', who: 'Assignee', due: 'Due Date', more: {} }],
  [
    'gitlab',
    'gitlab.csv',
    { key: 'Issue ID', title: 'Title', text: 'Description', who: 'Assignee', due: 'Due Date', more: {} },
  ],
  [
    'plane',
    'plane.csv',
    { key: 'Identifier', title: 'Name', text: 'Description', who: 'Assignees', due: 'Target Date', more: {} },
  ],
  [
    'csv',
    'plain.csv',
    { key: 'Nr', title: 'Titel', text: 'Beschreibung', who: 'Zuständig', due: 'Fällig am', more: {} },
  ],
  [
    'todoist',
    'todoist.csv',
    {
      key: '',
      title: 'CONTENT',
      text: 'DESCRIPTION',
      who: 'RESPONSIBLE',
      due: 'DATE',
      more: { TYPE: 'task', INDENT: '1' },
    },
  ],
] as const)('a table of %s', (product, file, names) => {
  const [line = ''] = sample(file).toString().replace('\ufeff', '').split(/\r?\n/, 1);
  const separator = line.includes(';') ? ';' : ',';
  const header = line.split(separator).map((name) => name.replaceAll('"', ''));
  // Some exports have it, some do not.
  if (product === 'plane') header.push('Description');
  const lower = header.map((name) => name.toLowerCase());
  const row = (cells: Readonly<Record<string, string>>): string => {
    const given: Readonly<Record<string, string>> = { ...names.more, ...cells };
    const values = header.map(() => '');
    for (const [name, value] of Object.entries(given))
      if (name !== '') values[lower.indexOf(name.toLowerCase())] = value;
    return values.map((value) => `"${value.replaceAll('"', '""')}"`).join(separator);
  };
  const file_ = (...rows: string[]): Buffer =>
    Buffer.from([header.map((name) => `"${name}"`).join(separator), ...rows].join('\n'));
  const key = (n: number) => ({ [names.key]: `ODD-${n}` });

  test('has the columns that are asked for here', () => {
    for (const name of [names.key, names.title, names.text, names.who, names.due])
      if (name !== '') expect(lower).toContain(name.toLowerCase());
  });

  test('marks, emoji and what is huge are kept whole, and people who are nobody by their name', async () => {
    const { tasks, kinds } = await read(
      file_(
        row({ ...key(1), [names.title]: emoji, [names.text]: marked, [names.who]: 'Gone Person' }),
        row({ ...key(2), [names.title]: 'l'.repeat(900), [names.text]: huge }),
      ),
      product,
    );
    expect(tasks.at(0)?.title).toBe(emoji);
    for (const part of marked.split('\n').filter(Boolean)) expect(tasks.at(0)?.description).toContain(part);
    expect(tasks.at(0)?.description).toContain('**Assigned to:** Gone Person');
    const second = tasks.at(1);
    if (second === undefined) throw new Error('the second row is missing');
    expect(second.title.length).toBeLessThanOrEqual(500);
    expect(words(second).includes('l'.repeat(900))).toBe(true);
    expect(words(second).match(/🚢/gu)).toHaveLength(55_000);
    expect(kinds).toEqual(expect.arrayContaining(['long_title', 'long_description', 'unknown_person']));
  });

  test('days are read as they may be written, and what is none is told with its line', async () => {
    const days = ['2026-12-24', '24.12.2026', 'Dec 24, 2026', '24/Dec/26 9:00 AM', '12/24/2026'];
    const { tasks, problems } = await read(
      file_(
        ...days.map((day, n) => row({ ...key(n), [names.title]: `Day ${n}`, [names.due]: day })),
        row({ ...key(9), [names.title]: 'No day', [names.due]: 'when the tide is out' }),
      ),
      product,
    );
    expect(tasks.slice(0, days.length).map(({ due }) => due)).toEqual(days.map(() => '2026-12-24'));
    expect(tasks.at(-1)?.due).toBeNull();
    expect(tasks.at(-1)?.description).toContain('when the tide is out');
    expect(problems).toContainEqual({ kind: 'not_a_date', line: days.length + 2, about: 'when the tide is out' });
  });

  test('a row that is broken, short or long stops none of the others', async () => {
    const good = row({ ...key(1), [names.title]: 'Before' });
    const after = row({ ...key(2), [names.title]: 'After' });
    const { tasks, problems } = await read(
      file_(good, 'x', `${after}${separator}"beyond the last column"`, ''),
      product,
    );
    expect(tasks.map(({ title }) => title)).toEqual(expect.arrayContaining(['Before', 'After']));
    if (product === 'todoist') return;
    expect(problems).toContainEqual({ kind: 'too_many_cells', line: 4, about: 'beyond the last column' });
    expect(tasks.find(({ title }) => title === 'After')?.description).toContain('beyond the last column');
  });
});

type Tree = Record<string, unknown>;
function json<T>(name: string): T {
  return JSON.parse(sample(name).toString());
}

describe.each([
  [
    'trello',
    () => {
      const board = json<{ cards: unknown[]; actions: unknown[]; checklists: unknown[] }>('trello.json');
      const [card] = board.cards as Tree[];
      return {
        whole: board,
        lists: [board.cards, board.actions, board.checklists],
        task: card,
        names: { title: 'name', text: 'desc', due: 'due' },
        who: { idMembers: ['nobody'] },
      };
    },
  ],
  [
    'github',
    () => {
      const issues = json<Tree[]>('github.json');
      return {
        whole: issues,
        lists: [issues, issues[0]?.comments as unknown[]],
        task: issues[0],
        names: { title: 'title', text: 'body', due: 'x' },
        who: { assignees: [{ login: 'nobody' }] },
      };
    },
  ],
  [
    'gitlab',
    () => {
      const issues = json<Tree[]>('gitlab.json');
      return {
        whole: issues,
        lists: [issues],
        task: issues[0],
        names: { title: 'title', text: 'description', due: 'due_date' },
        who: { assignees: [{ username: 'nobody' }] },
      };
    },
  ],
  [
    'vikunja',
    () => {
      const projects = json<Tree[]>('vikunja.json');
      const tasks = projects[1]?.tasks as Tree[];
      return {
        whole: projects,
        lists: [projects, tasks, tasks.at(0)?.comments as unknown[]],
        task: tasks.at(0),
        names: { title: 'title', text: 'description', due: 'due_date' },
        who: { assignees: [{ username: 'nobody' }] },
      };
    },
  ],
  [
    'planka',
    () => {
      const board = json<{ included: Record<string, unknown[]> }>('planka.json');
      const cards = board.included.cards as Tree[];
      const [card] = cards;
      board.included.cardMemberships?.push({ id: 'odd', cardId: card?.id, userId: 'nobody' });
      return {
        whole: board,
        lists: [cards, board.included.tasks ?? [], board.included.cardMemberships ?? []],
        task: card,
        names: { title: 'name', text: 'description', due: 'dueDate' },
        who: {},
      };
    },
  ],
] as const)('JSON of %s', (product, make) => {
  test('marks, emoji, what is huge, people who are nobody, and values that are none stop nothing and lose nothing', async () => {
    const { whole, lists, task, names, who } = make();
    if (task === undefined) throw new Error('the sample has no task');
    Object.assign(task, { [names.title]: `${emoji}${'l'.repeat(900)}`, [names.text]: `${marked}\n\n${huge}` }, who);
    for (const list of lists) (list as unknown[]).push(null, 7, 'words', [], {});
    const { tasks, kinds } = await read(Buffer.from(JSON.stringify(whole)), product);
    const odd = tasks.find(({ title }) => title.startsWith('Wörk'));
    if (odd === undefined) throw new Error('the task is missing');
    expect(odd.title.startsWith(emoji)).toBe(true);
    expect(words(odd).includes('l'.repeat(900))).toBe(true);
    expect(words(odd).match(/🚢/gu)).toHaveLength(55_000);
    for (const part of marked.split('\n')) expect(odd.description.includes(part)).toBe(true);
    expect(/\*\*Assigned to:\*\*[^\n]*nobody/.test(words(odd))).toBe(true);
    expect(kinds).toEqual(expect.arrayContaining(['long_title', 'long_description', 'unknown_person']));
  });
});
