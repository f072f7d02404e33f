// Responses in their details: scalars, HEAD, Content-Location, repeated names, embeds of nothing, timeouts.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { expectReply, startApi } from './api.ts';

const api = forSuite(startApi);

describe('answers', () => {
  test('a scalar as CSV and as a single object', async () => {
    expectReply(await api.get('/rpc/add_them?a=1&b=2', { accept: 'text/csv' }), { text: 'pgrst_scalar\n3' });
    expectReply(await api.get('/rpc/add_them?a=1&b=2', { accept: 'application/vnd.pgrst.object+json' }), {
      json: 3,
    });
    expectReply(await api.get('/rpc/ship_names?limit=1', { accept: 'text/csv' }), {
      text: 'pgrst_scalar\nAlbatross',
    });
  });

  test('HEAD says nothing of a length it does not know', async () => {
    for (const path of ['/sailors', '/rpc/add_them?a=1&b=2', '/'])
      expectReply(await api.ask('HEAD', path), {
        text: '',
        headers: { 'content-length': null, 'transfer-encoding': null },
      });
    expectReply(await api.ask('HEAD', '/nowhere'), { status: 404, text: '' });
  });

  test('the address of what was read, written one way', async () => {
    expectReply(await api.get('/ports?select=id,buoys(id)&order=id&id=eq.1'), {
      headers: { 'content-location': '/ports?id=eq.1&order=id&select=id%2Cbuoys%28id%29' },
    });
    expectReply(await api.get('/数?id=eq.1'), { status: 200 });
  });

  test('an aggregate cannot be filtered by', async () => {
    expectReply(await api.get('/ships?select=kind,count()&count=gt.1'), {
      status: 400,
      json: expect.objectContaining({ code: expect.stringMatching(/^42/) }),
    });
  });

  test('the same name twice is two keys', async () => {
    const reply = await api.get('/sailors?select=id,id&id=eq.1');
    expect(reply.text).toBe('[{"id":1,"id":1}]');
  });

  test('a nested limit of none and an embed of nothing', async () => {
    expectReply(await api.get('/ports?select=id,buoys(id)&buoys.limit=0&id=eq.1'), {
      json: [{ id: 1, buoys: [] }],
    });
    expectReply(await api.get('/ports?select=buoys()&id=eq.1'), { json: [{}] });
    expectReply(await api.get('/ports?select=id,buoys!inner()&order=id'), { json: [{ id: 1 }] });
  });

  test('a statement cut short by its timeout is 504', async () => {
    const slow = await startApi({ DB_ANON_TIMEOUT_MS: '200' });
    try {
      expectReply(await slow.post('/rpc/nap', { seconds: 5 }), {
        status: 504,
        json: { code: '57014', message: 'canceling statement due to statement timeout', details: null, hint: null },
      });
    } finally {
      await slow.stop();
    }
  });
});
