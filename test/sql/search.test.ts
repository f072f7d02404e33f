// Search for tasks by words, through the API.

import { beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addMember, addRow, addTask, makeProject } from './board.ts';

let owner: TestUser;
let colleague: TestUser;
let project: string;
const app = forSuite(startApp);
beforeAll(async () => {
  owner = await app.createUser({ name: 'Olga' });
  colleague = await app.createUser({ name: 'Colin' });
  ({ project } = await makeProject(app, owner, 'Garden'));
  await app.sql(`update public.projects set key = 'WEB' where id = $1`, [project]);
  await addMember(app, project, colleague, 'viewer');
});

const task = (title: string, description = '') => addTask(app, owner, { project_id: project, title, description });

async function find(query: string, options: Record<string, unknown> = {}, person = owner): Promise<string[]> {
  const { data, error } = await person.client.rpc('search_tasks', { query, ...options });
  expect(error).toBeNull();
  return (data as { title: string }[]).map((row) => row.title);
}

describe('search_tasks', () => {
  it('finds word beginnings in title, description and comments, the title first', async () => {
    await task('Plant tulips');
    await task('Buy soil', 'enough for the Tulips and the roses');
    const commented = await task('Water everything');
    await addRow(app, owner, 'task_comments', { task_id: commented, body: 'tulip bulbs rot when wet' });
    expect(await find('TULIP')).toEqual(['Plant tulips', 'Buy soil', 'Water everything']);
    expect(await find('tul')).toHaveLength(3);
    expect(await find('tulips ros')).toEqual(['Buy soil']);
    expect(await find('ulips')).toEqual([]);
    expect(await find('tul', { max_rows: 1 })).toEqual(['Plant tulips']);
    expect(await find('tul', {}, colleague)).toHaveLength(3);
  });

  it('finds WEB-12, #12 and 12 outright, whatever the key is called by now', async () => {
    const id = await task('Find me by number');
    const [row] = await app.sql<{ number: number }>('select number from public.tasks where id = $1', [id]);
    for (const query of [`WEB-${row?.number}`, `web-${row?.number}`, ` #${row?.number} `, `${row?.number}`])
      expect((await find(query))[0]).toBe('Find me by number');
    expect(await find(`OTHER-${row?.number}`)).toEqual([]);
    await owner.client.from('projects').update({ key: 'NEW' }).eq('id', project);
    expect((await find(`NEW-${row?.number}`))[0]).toBe('Find me by number');
    await owner.client.from('projects').update({ key: 'WEB' }).eq('id', project);
    expect(await find(`find ${row?.number}`)).toEqual(['Find me by number']);
  });

  it('names a task once, before those that have the number as a word, and only of projects of that key', async () => {
    const other = await makeProject(app, owner, 'Attic');
    await app.sql(`update public.projects set key = 'ATT' where id = $1`, [other.project]);
    for (const title of ['First of the attic', 'Second, and 1 as a word'])
      await addTask(app, owner, { project_id: other.project, title });
    const inAttic = { project_id: other.project };
    expect(await find('1', inAttic)).toEqual(['First of the attic', 'Second, and 1 as a word']);
    expect(await find('1', { ...inAttic, max_rows: 1 })).toEqual(['First of the attic']);
    expect(await find('ATT-1')).toEqual(['First of the attic']);
    expect(await find('ATT-1', { project_id: project })).toEqual([]);
    expect(await find('ATT-1', {}, colleague)).toEqual([]);
    expect(await find('#1')).toContain('First of the attic');
    expect(await find('#1', {}, colleague)).not.toContain('First of the attic');
  });

  it('follows every edit', async () => {
    const id = await task('Prune hedge');
    const comment = await addRow(app, owner, 'task_comments', { task_id: id, body: 'wheelbarrow' });
    expect(await find('wheelbarrow')).toEqual(['Prune hedge']);
    await owner.client.from('task_comments').update({ body: 'bucket' }).eq('id', comment);
    expect(await find('wheelbarrow')).toEqual([]);
    expect(await find('bucket')).toEqual(['Prune hedge']);
    await owner.client.from('tasks').update({ title: 'Prune ivy' }).eq('id', id);
    expect(await find('hedge')).toEqual([]);
    expect(await find('ivy bucket')).toEqual(['Prune ivy']);
    await owner.client.from('task_comments').delete().eq('id', comment);
    expect(await find('bucket')).toEqual([]);
    await owner.client.from('tasks').delete().eq('id', id);
    expect(await find('ivy')).toEqual([]);
  });

  it('stays in the given project, and in the caller’s otherwise', async () => {
    const other = await makeProject(app, owner, 'Kitchen');
    await addTask(app, owner, { project_id: other.project, title: 'Peel turnips' });
    await task('Sow turnips');
    expect((await find('turnip')).sort()).toEqual(['Peel turnips', 'Sow turnips']);
    expect(await find('turnip', { project_id: other.project })).toEqual(['Peel turnips']);
    expect(await find('turnip', {}, colleague)).toEqual(['Sow turnips']);
  });

  it('takes any text for words', async () => {
    await task(`O'Brien's \\ path:"C:\\temp" & !(x | y) <-> :* 50% naïve 日本語`);
    for (const query of [
      `o'brien`,
      'C:\\temp',
      '"temp"',
      '& | ! ( ) : * <->',
      'naï',
      '日本',
      "'",
      '\\',
      ' ',
      '-',
      '%',
      '\u0001',
      'a\u0001:b',
    ])
      expect(Array.isArray(await find(query))).toBe(true);
    expect(await find(`O'Brien`)).toHaveLength(1);
    expect(await find('naïv')).toHaveLength(1);
    expect(await find('')).toEqual([]);
    expect(await find('x'.repeat(5000))).toEqual([]);
  });

  it('lets no text be too long to save', async () => {
    const long = Array.from({ length: 14_000 }, (_, n) => `w${n}`).join(' ');
    const id = await task('Long', long);
    for (let n = 0; n < 3; n++)
      await addRow(app, owner, 'task_comments', { task_id: id, body: `${'ü'.repeat(3000)} ${long.slice(0, 40_000)}` });
    expect(await find('w5000')).toEqual(['Long']);
  });
});
