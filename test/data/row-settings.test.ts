// Settings of the data door that change what may be read: most rows, aggregates, a search path.

import { describe, expect, test } from 'vitest';
import { expectReply, startApi } from './api.ts';

describe('other settings', () => {
  test('max rows cap reads, not writes, and the headers show it', async () => {
    const capped = await startApi({ DATA_MAX_ROWS: '3' });
    try {
      const rows = await capped.get('/pages?select=id&order=id');
      expectReply(rows, { json: [{ id: 1 }, { id: 2 }, { id: 3 }], headers: { 'content-range': '0-2/*' } });
      expectReply(await capped.get('/pages?limit=10'), { headers: { 'content-range': '0-2/*' } });
      expectReply(await capped.get('/pages?limit=2'), { headers: { 'content-range': '0-1/*' } });
      expectReply(await capped.get('/pages', { prefer: 'count=exact' }), {
        status: 206,
        headers: { 'content-range': '0-2/15' },
      });
      expectReply(await capped.get('/pages', { prefer: 'count=estimated' }), {
        status: 206,
        headers: { 'content-range': '0-2/15' },
      });
      expectReply(await capped.get('/rpc/get_pages?lo=1&hi=9'), { headers: { 'content-range': '0-2/*' } });
      const embedded = await capped.get('/offices?select=id,children:offices!parent_id(id)&id=eq.1');
      expect(embedded.json).toHaveLength(1);
      const written = await capped.ask('PATCH', '/pages?id=gt.0', {
        body: { id: 1 },
        prefer: 'return=representation, tx=rollback',
      });
      expect(written.status).toBe(409);
      const all = await capped.ask('DELETE', '/pages?id=gt.0', { prefer: 'return=representation, tx=rollback' });
      expect(all.json).toHaveLength(15);
    } finally {
      await capped.stop();
    }
  });

  test('aggregates are off unless turned on', async () => {
    const plain = await startApi({ DATA_AGGREGATES: 'false' });
    try {
      for (const path of [
        '/cargo?select=kilos.sum()',
        '/cargo?select=count()',
        '/ships?select=id,cargo(kilos.sum())',
        '/cargo?select=...ships(id.max())',
      ])
        expectReply(await plain.get(path), {
          status: 400,
          json: { code: 'PGRST123', message: 'Use of aggregate functions is not allowed', details: null, hint: null },
        });
    } finally {
      await plain.stop();
    }
  });

  test('an extra search path', async () => {
    const wide = await startApi({ DATA_EXTRA_SEARCH_PATH: 'public,annex' });
    try {
      const reply = await wide.get('/rpc/describe_request');
      expect((reply.json as { search_path: string }).search_path.replaceAll(/[" ]/g, '')).toBe('harbour,public,annex');
    } finally {
      await wide.stop();
    }
  });
});
