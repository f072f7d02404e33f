// Server-Timing on every way a response is made: read at once, put aside, tried again.

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

describe('Server-Timing', () => {
  const stages = /jwt;dur=[\d.]+, parse;dur=[\d.]+, plan;dur=[\d.]+, transaction;dur=[\d.]+, response;dur=[\d.]+$/;

  test('on a long read', async () => {
    expect((await api.get('/parts')).headers['server-timing']).toMatch(stages);
  });

  test('on a write whose answer is put aside', async () => {
    const note = 'n'.repeat(2_000_000);
    const body = [101, 102, 103].map((id) => ({ id, note }));
    const { status, headers } = await api.post('/steps', body, { prefer: 'return=representation' });
    expect(status).toBe(201);
    expect(headers['server-timing']).toMatch(stages);
  });

  test('on a request that is tried again after the database has changed', async () => {
    await api.sql(`create table harbour.new_ones (id int primary key); grant select on harbour.new_ones to anon`);
    const { status, headers } = await api.get('/new_ones');
    expect(status).toBe(200);
    expect(headers['server-timing']).toMatch(/^jwt;dur=[\d.]+, parse/);
    expect(headers['server-timing']).toMatch(stages);
  });
});
