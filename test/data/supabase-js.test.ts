// The official client, unmodified, as an application would use it: the common paths and the less travelled ones.

import type { SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { MINE, startApi, THEIRS } from './api.ts';

let db: SupabaseClient;
let me: SupabaseClient;
const api = forSuite(startApi);
beforeAll(async () => {
  db = api.client();
  me = api.client(await api.token({ sub: MINE }));
});

describe('select', () => {
  test('rows, one row, maybe a row', async () => {
    expect(await db.from('sailors').select().order('id')).toMatchObject({
      data: [
        { id: 1, name: 'Sven' },
        { id: 2, name: 'Tove' },
        { id: 3, name: 'Ulf' },
      ],
      error: null,
      status: 200,
      statusText: 'OK',
      count: null,
    });
    expect((await db.from('sailors').select('name').eq('id', 2).single()).data).toEqual({ name: 'Tove' });
    expect((await db.from('sailors').select('name').eq('id', 99).maybeSingle()).data).toBeNull();
    expect(await db.from('sailors').select('name').single()).toMatchObject({
      data: null,
      status: 406,
      error: {
        code: 'PGRST116',
        details: 'The result contains 3 rows',
        message: 'Cannot coerce the result to a single JSON object',
      },
    });
    expect((await db.from('sailors').select('name').maybeSingle()).error).toMatchObject({ code: 'PGRST116' });
  });

  test('every filter method', async () => {
    const ships = () => db.from('ships').select('id').order('id');
    const idsOf = async (query: PromiseLike<{ data: { id: number }[] | null }>) =>
      (await query).data?.map(({ id }) => id);
    expect(await idsOf(ships().neq('id', 1))).toEqual([2, 3, 4, 5]);
    expect(await idsOf(ships().gt('id', 3))).toEqual([4, 5]);
    expect(await idsOf(ships().gte('id', 4))).toEqual([4, 5]);
    expect(await idsOf(ships().lt('id', 2))).toEqual([1]);
    expect(await idsOf(ships().lte('id', 2))).toEqual([1, 2]);
    expect(await idsOf(ships().like('name', '%o%'))).toEqual([1, 2, 3, 4]);
    expect(await idsOf(ships().likeAnyOf('name', ['A%', 'B%']))).toEqual([1, 2]);
    expect(await idsOf(ships().likeAllOf('name', ['%o%', '%t%']))).toEqual([1, 2, 3]);
    expect(await idsOf(ships().ilike('name', 'b%'))).toEqual([2]);
    expect(await idsOf(ships().ilikeAnyOf('name', ['a%', 'b%']))).toEqual([1, 2]);
    expect(await idsOf(ships().ilikeAllOf('name', ['%O%', '%T%']))).toEqual([1, 2, 3]);
    expect(await idsOf(ships().is('tows_id', null))).toEqual([1, 5]);
    expect(await idsOf(ships().in('name', ['Bonito', 'a,b', "o'clock"]))).toEqual([2]);
    expect(await idsOf(ships().notIn('id', [1, 2]))).toEqual([3, 4, 5]);
    expect(await idsOf(ships().not('id', 'in', '(1,2)'))).toEqual([3, 4, 5]);
    expect(await idsOf(ships().not('tows_id', 'is', null))).toEqual([2, 3, 4]);
    expect(await idsOf(ships().or('id.eq.1,and(kind.eq.tug,id.gt.3)'))).toEqual([1, 4]);
    expect(await idsOf(ships().match({ kind: 'tug', id: 3 }))).toEqual([3]);
    expect(await idsOf(ships().filter('name', 'eq', 'Bonito'))).toEqual([2]);
    expect(await idsOf(ships().range(1, 2))).toEqual([2, 3]);
    expect(await idsOf(ships().limit(1))).toEqual([1]);
    expect(await idsOf(ships().regexMatch('name', '^[AB]'))).toEqual([1, 2]);
    expect(await idsOf(ships().regexIMatch('name', '^[ab]'))).toEqual([1, 2]);
    expect(await idsOf(ships().isDistinct('tows_id', 1))).toEqual([1, 4, 5]);
  });

  test('arrays, ranges, json, text search', async () => {
    const idsOf = async (query: PromiseLike<{ data: { id: number }[] | null }>) =>
      (await query).data?.map(({ id }) => id);
    const ports = () => db.from('ports').select('id').order('id');
    const numbers = () => db.from('numbers').select('id').order('id');
    expect(await idsOf(ports().contains('tags', ['north']))).toEqual([1, 2]);
    expect(await idsOf(ports().containedBy('tags', ['north', 'small']))).toEqual([1, 2, 4]);
    expect(await idsOf(ports().overlaps('tags', ['old', 'small']))).toEqual([1, 3]);
    expect(await idsOf(ports().contains('facts', { cranes: 4 }))).toEqual([1]);
    expect(await idsOf(ports().eq('facts->pilot->>name', 'Liv'))).toEqual([2]);
    expect(await idsOf(numbers().contains('span', '[2,3]'))).toEqual([1]);
    expect(await idsOf(numbers().rangeLt('span', '[10,11)'))).toEqual([1]);
    expect(await idsOf(numbers().rangeGt('span', '[0,9]'))).toEqual([2]);
    expect(await idsOf(numbers().rangeGte('span', '[5,9]'))).toEqual([2]);
    expect(await idsOf(numbers().rangeLte('span', '[5,9]'))).toEqual([1]);
    expect(await idsOf(numbers().rangeAdjacent('span', '[10,12)'))).toEqual([1]);
    expect(await idsOf(numbers().overlaps('span', '[9,11)'))).toEqual([1, 2]);
    const papers = () => db.from('papers').select('id').order('id');
    expect(await idsOf(papers().textSearch('search', 'fat'))).toEqual([1, 2]);
    expect(await idsOf(papers().textSearch('search', 'The fat cats', { type: 'plain', config: 'english' }))).toEqual([
      1,
    ]);
    expect(await idsOf(papers().textSearch('search', 'fat cats', { type: 'phrase', config: 'english' }))).toEqual([1]);
    expect(await idsOf(papers().textSearch('search', 'fat -rat', { type: 'websearch', config: 'english' }))).toEqual([
      1,
    ]);
  });

  test('embeds with their own filters, order and limit', async () => {
    const { data } = await db
      .from('ports')
      .select('name, marks:buoys(id, colour), ships!home_port_id!inner(id, captains(name))')
      .eq('marks.colour', 'red')
      .order('id', { referencedTable: 'ships', ascending: false })
      .limit(1, { referencedTable: 'ships' })
      .order('name');
    expect(data).toEqual([
      { name: 'Aalborg', marks: [{ id: 1, colour: 'red' }], ships: [{ id: 2, captains: { name: 'Bob' } }] },
      { name: 'Bergen', marks: [], ships: [{ id: 5, captains: null }] },
    ]);
    const either = await db
      .from('ports')
      .select('id, buoys!inner(id)')
      .or('id.eq.2,colour.eq.red', { referencedTable: 'buoys' });
    expect(either.data).toEqual([{ id: 1, buoys: [{ id: 1 }, { id: 2 }] }]);
    const ordered = await db
      .from('buoys')
      .select('id, ports(name)')
      .order('ports(name)', { ascending: false, nullsFirst: true })
      .order('id');
    expect(ordered.data?.map(({ id }) => id)).toEqual([3, 1, 2]);
  });

  test('counts, with rows and without', async () => {
    expect(await db.from('pages').select('*', { count: 'exact' }).range(0, 2)).toMatchObject({
      count: 15,
      status: 206,
    });
    expect(await db.from('pages').select('*', { count: 'exact', head: true })).toMatchObject({
      count: 15,
      data: null,
      status: 200,
    });
    expect(await db.from('pages').select('*', { count: 'planned', head: true })).toMatchObject({ count: 15 });
    expect(await db.from('pages').select('*', { count: 'estimated', head: true })).toMatchObject({ count: 15 });
    expect(await db.from('pages').select().range(100, 110)).toMatchObject({ data: [], error: null });
    expect(await db.from('pages').select('*', { count: 'exact' }).range(100, 110)).toMatchObject({
      error: { code: 'PGRST103' },
      status: 416,
    });
  });

  test('CSV, plans, stripped nulls, GeoJSON asked in vain', async () => {
    expect((await db.from('sailors').select().lt('id', 3).order('id').csv()).data).toBe('id,name\n1,Sven\n2,Tove');
    expect((await db.from('sailors').select().explain()).data).toMatch(/Scan|Aggregate/);
    expect((await db.from('sailors').select().explain({ format: 'json', analyze: true })).data).toMatchObject([
      { Plan: expect.anything() },
    ]);
    expect((await db.from('ships').select('id,tows_id').eq('id', 1).stripNulls()).data).toEqual([{ id: 1 }]);
    expect((await db.from('ports').select().geojson()).error).not.toBeNull();
  });

  test('another schema', async () => {
    expect((await db.schema('annex').from('ports').select('note')).data).toEqual([{ note: 'annex' }]);
    expect((await db.schema('annex').rpc('where_am_i')).data).toBe('annex');
    expect(await db.schema('hold').from('secrets').select()).toMatchObject({
      status: 406,
      error: {
        code: 'PGRST106',
        message: 'Invalid schema: hold',
        hint: 'Only the following schemas are exposed: harbour, annex',
      },
    });
  });

  test('a request that is taken back', async () => {
    const stop = new AbortController();
    stop.abort();
    expect((await db.from('sailors').select().abortSignal(stop.signal)).error?.message).toMatch(/abort/i);
    expect((await db.from('sailors').select('id').eq('id', 1)).data).toEqual([{ id: 1 }]);
  });

  test('throwOnError throws', async () => {
    await expect(db.from('nowhere').select().throwOnError()).rejects.toMatchObject({ code: 'PGRST205' });
  });
});

describe('writing', () => {
  test('insert, update, upsert, delete', async () => {
    expect(await db.from('drawer').insert({ id: 101, note: 'a' })).toMatchObject({
      status: 201,
      data: null,
      error: null,
      statusText: 'Created',
    });
    expect(
      (
        await db
          .from('drawer')
          .insert([{ id: 102 }, { id: 103, note: 'c' }])
          .select('id, note')
          .order('id')
      ).data,
    ).toEqual([
      { id: 102, note: null },
      { id: 103, note: 'c' },
    ]);
    expect(
      (
        await db
          .from('drawer')
          .insert([{ id: 104 }, { id: 105, note: 'e' }], { defaultToNull: false })
          .select()
          .order('id')
      ).data,
    ).toEqual([
      { id: 104, note: 'none' },
      { id: 105, note: 'e' },
    ]);
    expect(await db.from('drawer').insert({ id: 106 }, { count: 'exact' })).toMatchObject({ count: 1, status: 201 });
    expect((await db.from('drawer').update({ note: 'z' }).eq('id', 101).select().single()).data).toEqual({
      id: 101,
      note: 'z',
    });
    expect(await db.from('drawer').update({ note: 'z' }, { count: 'exact' }).gt('id', 101)).toMatchObject({
      count: 5,
      status: 204,
    });
    expect((await db.from('drawer').upsert({ id: 101, note: 'up' }).select().single()).data).toEqual({
      id: 101,
      note: 'up',
    });
    expect(
      (await db.from('drawer').upsert({ id: 101, note: 'lost' }, { ignoreDuplicates: true }).select()).data,
    ).toEqual([]);
    expect(
      (await db.from('crates').upsert({ code: 'c1', label: 'once more' }, { onConflict: 'code' }).select('id, label'))
        .data,
    ).toEqual([{ id: 1, label: 'once more' }]);
    expect(
      (
        await db
          .from('drawer')
          .upsert([{ id: 101, note: 'x' }, { id: 107 }], { defaultToNull: false })
          .select('note')
          .order('id')
      ).data,
    ).toHaveLength(2);
    expect(await db.from('drawer').delete({ count: 'exact' }).gt('id', 100)).toMatchObject({ count: 7, status: 204 });
    expect((await db.from('drawer').delete().eq('id', 99).select()).data).toEqual([]);
  });

  test('refusals', async () => {
    expect(await db.from('drawer').insert({ id: 1 })).toMatchObject({ status: 409, error: { code: '23505' } });
    expect(await db.from('drawer').insert({ nope: 1 })).toMatchObject({ status: 400, error: { code: 'PGRST204' } });
    expect(await db.from('drawer').update({ note: 'x' }).gt('id', 0).maxAffected(1)).toMatchObject({
      status: 400,
      error: { code: 'PGRST124' },
    });
    expect(await db.from('ledger').select()).toMatchObject({ status: 401, error: { code: '42501' } });
    expect(await me.from('ledger').select()).toMatchObject({ status: 403, error: { code: '42501' } });
  });

  test('taken back with rollback()', async () => {
    expect((await db.from('drawer').insert({ id: 120 }).select().rollback()).data).toEqual([{ id: 120, note: 'none' }]);
    expect((await db.from('drawer').select().eq('id', 120)).data).toEqual([]);
  });

  test('under policies', async () => {
    expect((await me.from('letters').select('id').order('id')).data).toEqual([{ id: 1 }, { id: 3 }]);
    const sent = await me.from('letters').insert({ body: 'hello' }).select('id, owner').single();
    expect(sent.data).toMatchObject({ owner: MINE });
    expect(await me.from('letters').insert({ owner: THEIRS, body: 'forged' })).toMatchObject({
      status: 403,
      error: { code: '42501' },
    });
    expect(
      (
        await me
          .from('letters')
          .delete()
          .eq('id', (sent.data as { id: number }).id)
          .select('body')
      ).data,
    ).toEqual([{ body: 'hello' }]);
  });
});

describe('procedures', () => {
  test('results of every shape', async () => {
    expect((await db.rpc('add_them', { a: 1, b: 2 })).data).toBe(3);
    expect((await db.rpc('ship_names')).data).toHaveLength(5);
    expect((await db.rpc('all_ships').select('id').eq('kind', 'tug').order('id')).data).toEqual([{ id: 3 }, { id: 4 }]);
    expect((await db.rpc('all_ships', {}, { count: 'exact' }).limit(2)).count).toBe(5);
    expect((await db.rpc('one_ship', { id: 1 }).select('name, captains(name)').single()).data).toEqual({
      name: 'Albatross',
      captains: { name: 'Ada' },
    });
    expect(await db.rpc('nothing')).toMatchObject({ status: 204, data: null, error: null });
    expect((await db.rpc('sum_array', { xs: [1, 2, 3] })).data).toBe(6);
    expect((await db.rpc('total', { numbers: [1, 2] })).data).toBe(3);
  });

  test('by GET and HEAD', async () => {
    expect((await db.rpc('add_them', { a: 1, b: 2 }, { get: true })).data).toBe(3);
    expect((await db.rpc('sum_array', { xs: [1, 2, 3] }, { get: true })).data).toBe(6);
    expect(await db.rpc('all_ships', {}, { head: true, count: 'exact' })).toMatchObject({ count: 5, data: null });
    expect(await db.rpc('rename_ship', { id: 1, name: 'x' }, { get: true })).toMatchObject({
      status: 405,
      error: { code: '25006' },
    });
  });

  test('refusals', async () => {
    expect(await db.rpc('greet', { nam: 'x' })).toMatchObject({
      status: 404,
      error: { code: 'PGRST202', hint: 'Perhaps you meant to call the function harbour.greet(name)' },
    });
    expect(await db.rpc('refuse', { code: 'PT402', words: 'Pay first' })).toMatchObject({
      status: 402,
      error: { code: 'PT402', message: 'Pay first' },
    });
    expect(await db.rpc('age_crates', { by: 1 }).maxAffected(1)).toMatchObject({
      status: 400,
      error: { code: 'PGRST124' },
    });
  });
});
