// Server-Timing on every kind of response: direct, spooled, retried.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { startWorkshop } from './api.ts';

const api = forSuite(startWorkshop);

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
