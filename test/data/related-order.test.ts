// Ordering by what an embedded resource shows, and relationships of a table to itself.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { startWorkshop } from './api.ts';

const api = forSuite(startWorkshop);

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
