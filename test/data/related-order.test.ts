// Ordering by what an embedded resource shows, and relationships of a table to itself.

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Api, startApi } from './api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ DATA_SERVER_TIMING: 'true', DATA_MAX_ROWS: '0' });
  await api.sql(`
    create table harbour.makers (id int primary key, label text);
    create table harbour.steps (id int primary key, maker_id int references harbour.makers, note text);
    create table harbour.parts (id int primary key, step_id int references harbour.steps);
    insert into harbour.makers values (1, 'b'), (2, 'a');
    insert into harbour.steps values (1, 1, 'x'), (2, 2, 'y'), (3, 1, 'z');
    insert into harbour.parts values (1, 1), (2, 2), (3, 3);
    grant select, insert, update on harbour.makers, harbour.steps, harbour.parts to anon;
    notify pgrst, 'reload schema'`);
  await vi.waitFor(async () => expect((await api.get('/parts?limit=1')).json).toHaveLength(1), 60_000);
});
afterAll(() => api?.stop());

describe('ordering by an embedded resource', () => {
  test.each([
    ['/parts?select=id,steps(maker:maker_id)&order=steps(maker).desc,id', [2, 1, 3]],
    ['/parts?select=id,steps(maker_id)&order=steps(note).desc', [3, 2, 1]],
    ['/parts?select=id,step:steps(*)&order=step(note).desc', [3, 2, 1]],
    ['/parts?select=id,steps(latest:note.max())&order=steps(latest).desc', [3, 2, 1]],
    ['/parts?select=id,steps(note.max())&order=steps(max).desc', [3, 2, 1]],
  ])('%s', async (path, ids) => {
    const { status, json } = await api.get(path);
    expect([status, (json as { id: number }[]).map(({ id }) => id)]).toEqual([200, ids]);
  });

  test('the error about a missing column has no name of ours', async () => {
    for (const path of [
      '/parts?select=id,steps(*)&order=steps(nothing)',
      '/parts?select=id,steps(id)&order=steps(nothing)',
    ]) {
      const { status, json } = await api.get(path);
      expect([status, (json as { code: string }).code]).toEqual([400, '42703']);
      expect((json as { message: string }).message).toBe('column steps_1.nothing does not exist');
    }
  });
});

describe('a relationship of a table to itself', () => {
  test('is hinted by its column, and not by the name of its key', async () => {
    expect((await api.get('/offices?select=name,below:offices!parent_id(name)')).status).toBe(200);
    const { status, json } = await api.get('/offices?select=name,below:offices!offices_parent_fkey(name)');
    expect([status, (json as { code: string }).code]).toEqual([400, 'PGRST200']);
  });
});
