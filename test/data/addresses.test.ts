// Addresses and headers as other clients write them: repeated, spaced, quoted, in any case.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { expectReply, startApi } from './api.ts';

const api = forSuite(startApi);

describe('addresses', () => {
  test.each([
    ['/sailors/?id=eq.1', 200, [{ id: 1, name: 'Sven' }]],
    ['/sailors?select=id&select=name&id=eq.1', 200, [{ id: 1 }]],
    ['/sailors?id=eq.1&', 200, [{ id: 1, name: 'Sven' }]],
    ['/sailors?name=eq.Sven&name=neq.Ulf&select=id', 200, [{ id: 1 }]],
    ['/pages?limit=abc&id=lt.3', 200, [{ id: 1 }, { id: 2 }]],
    ['/pages?offset=-5&id=lt.3', 200, [{ id: 1 }, { id: 2 }]],
    ['/papers?body=eq.A+fat+rat+ran&select=id', 200, [{ id: 2 }]],
    ['/papers?body=eq.A%20fat%20rat%20ran&select=id', 200, [{ id: 2 }]],
    [
      '/sailors?id',
      200,
      [
        { id: 1, name: 'Sven' },
        { id: 2, name: 'Tove' },
        { id: 3, name: 'Ulf' },
      ],
    ],
  ])('GET %s', async (path, status, json) => {
    const separator = path.includes('?') && !path.includes('/rpc/') ? '&order=id' : '';
    const reply = await api.get(path.includes('/papers') || path.endsWith('&') ? path : `${path}${separator}`);
    expectReply(reply, { status, json });
  });

  test('an empty step', async () => {
    expectReply(await api.get('//sailors'), { status: 404, json: expect.objectContaining({ code: 'PGRST125' }) });
  });
});

describe('the manners of other clients', () => {
  const keep = 'return=representation,tx=rollback';

  test('preferences without spaces, quoted columns, a type on everything', async () => {
    const rows = [{ id: 98, note: 'x' }];
    expectReply(
      await api.post('/drawer?columns="id","note"', rows, {
        prefer: `${keep},resolution=merge-duplicates,count=exact`,
      }),
      {
        status: 201,
        json: rows,
        headers: {
          'preference-applied': 'resolution=merge-duplicates, return=representation, count=exact, tx=rollback',
          'content-range': '*/1',
        },
      },
    );
    expectReply(await api.get('/sailors?select=id&id=eq.1', { headers: { 'content-type': 'application/json' } }), {
      json: [{ id: 1 }],
    });
  });

  test('a body where none is needed', async () => {
    expectReply(await api.ask('DELETE', '/drawer?id=eq.1', { body: {}, prefer: keep }), {
      json: [{ id: 1, note: 'pens' }],
    });
    expectReply(await api.ask('GET', '/sailors?id=eq.1&select=id', { body: {} }), { json: [{ id: 1 }] });
    expectReply(await api.ask('GET', '/rpc/add_them?a=1&b=2', { body: {} }), { json: 3 });
  });

  test('names with spaces around them', async () => {
    expectReply(await api.get('/ships?select=id, home:ports!home_port_id( name )&id=eq.1'), {
      json: [{ id: 1, home: { name: 'Aalborg' } }],
    });
  });

  test('header names in any case', async () => {
    expectReply(await api.get('/sailors?select=id&id=eq.1', { headers: { ACCEPT: 'text/csv' } }), {
      text: 'id\n1',
    });
  });

  test('many preferences over many headers', async () => {
    const response = await fetch(`${api.url}/rest/v1/pages?limit=1`, {
      headers: [
        ['apikey', api.anonKey],
        ['authorization', `Bearer ${api.anonKey}`],
        ['prefer', 'count=exact'],
        ['prefer', 'handling=strict'],
      ],
    });
    expect([
      response.status,
      response.headers.get('content-range'),
      response.headers.get('preference-applied'),
    ]).toEqual([206, '0-0/15', 'count=exact, handling=strict']);
  });
});
