// The small print: what hardly anybody asks for and everybody relies on once.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectReply, type Harbour, openHarbour } from './harbour.ts';

let harbour: Harbour;
beforeAll(async () => {
  harbour = await openHarbour();
});
afterAll(() => harbour?.stop());

describe('tokens', () => {
  test('one that has expired', async () => {
    const expired = await harbour.app.house.sessions.sign({ role: 'authenticated' }, -3600);
    expectReply(await harbour.get('/sailors', { as: expired }), {
      status: 401,
      json: { code: 'PGRST303', message: 'JWT expired', details: null, hint: null },
      headers: { 'www-authenticate': 'Bearer error="invalid_token", error_description="JWT expired"' },
    });
  });

  test('one whose role is not there', async () => {
    expectReply(await harbour.get('/sailors', { as: await harbour.token({ role: 'nobody_like_that' }) }), {
      status: 401,
      json: { code: '22023', message: 'role "nobody_like_that" does not exist', details: null, hint: null },
    });
  });

  test('one whose role nobody granted', async () => {
    const reply = await harbour.get('/sailors', { as: await harbour.token({ role: 'postgres' }) });
    expect(reply.status).toBeOneOf([401, 403]);
    expect(reply.json).toMatchObject({ code: expect.stringMatching(/^(42501|22023)$/) });
  });

  test('one without a role is anonymous', async () => {
    const token = await harbour.app.house.sessions.sign({ sub: 'x' }, 600);
    const reply = await harbour.get('/rpc/describe_request', { as: token });
    if (reply.status === 200) expect(reply.json).toMatchObject({ role: 'anon' });
    else expect(reply.status).toBe(401);
  });
});

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
    const reply = await harbour.get(path.includes('/papers') || path.endsWith('&') ? path : `${path}${separator}`);
    expectReply(reply, { status, json });
  });

  test('an empty step', async () => {
    expectReply(await harbour.get('//sailors'), { status: 404, json: expect.objectContaining({ code: 'PGRST125' }) });
  });
});

describe('bodies', () => {
  const keep = 'return=representation, tx=rollback';

  test('a charset beside the type', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expectReply(await harbour.post('/drawer?select=id', '{"id": 98}', { headers, prefer: keep }), {
      status: 201,
      json: [{ id: 98 }],
    });
  });

  test('no type at all is JSON', async () => {
    expectReply(await harbour.ask('POST', '/drawer?select=id', { body: '{"id": 98}', prefer: keep }), {
      status: 201,
      json: [{ id: 98 }],
    });
  });

  test('a list of arguments calls with the first', async () => {
    expectReply(
      await harbour.post('/rpc/add_them', [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ]),
      { json: 3 },
    );
  });

  test('columns named twice, columns out of order', async () => {
    expectReply(await harbour.post('/drawer?columns=id,id', { id: 97 }, { prefer: keep }), {
      status: 201,
      json: [{ id: 97, note: 'none' }],
    });
    expectReply(await harbour.post('/drawer?columns=note,id&select=note,id', { id: 97, note: 'x' }, { prefer: keep }), {
      status: 201,
      json: [{ note: 'x', id: 97 }],
    });
  });

  test('letters beyond ASCII, and zeros within', async () => {
    expectReply(await harbour.post('/drawer?select=note', { id: 96, note: 'Smørrebrød 🚢 \u202e' }, { prefer: keep }), {
      status: 201,
      json: [{ note: 'Smørrebrød 🚢 \u202e' }],
    });
    expectReply(
      await harbour.post('/drawer', '{"id": 96, "note": "a\\u0000b"}', {
        headers: { 'content-type': 'application/json' },
        prefer: keep,
      }),
      {
        status: 400,
        json: expect.objectContaining({ code: '22P05' }),
      },
    );
  });

  test('an upsert keeps what it does not name', async () => {
    expectReply(
      await harbour.post('/crates?select=id,label,weight', [{ id: 1, label: 'again' }], {
        prefer: `resolution=merge-duplicates, ${keep}`,
      }),
      {
        json: [{ id: 1, label: 'again', weight: 10 }],
      },
    );
  });

  test('what is returned may be ordered by what is not', async () => {
    const rows = [
      { id: 91, note: 'b' },
      { id: 92, note: 'a' },
    ];
    expectReply(await harbour.post('/drawer?select=id&order=note', rows, { prefer: keep }), {
      status: 201,
      json: [{ id: 92 }, { id: 91 }],
    });
    const change = (path: string, body: unknown) => harbour.ask('PATCH', path, { body, prefer: keep });
    expectReply(await change('/papers?select=id&order=doc->n.desc.nullslast,id&id=lt.3', { body: 'x' }), {
      json: [{ id: 2 }, { id: 1 }],
    });
    expectReply(await change('/ships?select=id&order=label.desc&id=lt.3', { tonnage: 1 }), {
      json: [{ id: 2 }, { id: 1 }],
    });
    expectReply(await change('/buoys?select=id&order=port_id.nullsfirst,id', { colour: 'x' }), {
      json: [{ id: 3 }, { id: 1 }, { id: 2 }],
    });
    expectReply(await harbour.ask('DELETE', '/pairs?select=b&order=note.desc', { prefer: keep }), {
      json: [{ b: 2 }, { b: 1 }],
    });
  });

  test('an identity that is always generated takes no value', async () => {
    expectReply(await harbour.post('/stamped?select=body,seen', { body: 'four' }, { prefer: keep }), {
      status: 201,
      json: [{ body: 'four', seen: 4 }],
    });
    expectReply(await harbour.ask('PATCH', '/stamped?id=gt.0', { body: { seen: 1 } }), {
      status: 400,
      json: expect.objectContaining({ code: '428C9' }),
    });
  });
});

describe('answers', () => {
  test('a scalar as CSV and as a single object', async () => {
    expectReply(await harbour.get('/rpc/add_them?a=1&b=2', { accept: 'text/csv' }), { text: 'pgrst_scalar\n3' });
    expectReply(await harbour.get('/rpc/add_them?a=1&b=2', { accept: 'application/vnd.pgrst.object+json' }), {
      json: 3,
    });
    expectReply(await harbour.get('/rpc/ship_names?limit=1', { accept: 'text/csv' }), {
      text: 'pgrst_scalar\nAlbatross',
    });
  });

  test('HEAD says nothing of a length it does not know', async () => {
    for (const path of ['/sailors', '/rpc/add_them?a=1&b=2', '/'])
      expectReply(await harbour.ask('HEAD', path), {
        text: '',
        headers: { 'content-length': null, 'transfer-encoding': null },
      });
    expectReply(await harbour.ask('HEAD', '/nowhere'), { status: 404, text: '' });
  });

  test('the address of what was read, written one way', async () => {
    expectReply(await harbour.get('/ports?select=id,buoys(id)&order=id&id=eq.1'), {
      headers: { 'content-location': '/ports?id=eq.1&order=id&select=id%2Cbuoys%28id%29' },
    });
    expectReply(await harbour.get('/数?id=eq.1'), { status: 200 });
  });

  test('an aggregate cannot be filtered by', async () => {
    expectReply(await harbour.get('/ships?select=kind,count()&count=gt.1'), {
      status: 400,
      json: expect.objectContaining({ code: expect.stringMatching(/^42/) }),
    });
  });

  test('the same name twice is two keys', async () => {
    const reply = await harbour.get('/sailors?select=id,id&id=eq.1');
    expect(reply.text).toBe('[{"id":1,"id":1}]');
  });

  test('a nested limit of none and an embed of nothing', async () => {
    expectReply(await harbour.get('/ports?select=id,buoys(id)&buoys.limit=0&id=eq.1'), {
      json: [{ id: 1, buoys: [] }],
    });
    expectReply(await harbour.get('/ports?select=buoys()&id=eq.1'), { json: [{}] });
    expectReply(await harbour.get('/ports?select=id,buoys!inner()&order=id'), { json: [{ id: 1 }] });
  });

  test('what a timeout cuts short', async () => {
    const slow = await openHarbour({ DB_ANON_TIMEOUT_MS: '200' });
    try {
      expectReply(await slow.post('/rpc/nap', { seconds: 5 }), {
        status: 500,
        json: { code: '57014', message: 'canceling statement due to statement timeout', details: null, hint: null },
      });
    } finally {
      await slow.stop();
    }
  });
});

describe('the manners of other clients', () => {
  const keep = 'return=representation,tx=rollback';

  test('preferences without spaces, quoted columns, a type on everything', async () => {
    const rows = [{ id: 98, note: 'x' }];
    expectReply(
      await harbour.post('/drawer?columns="id","note"', rows, {
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
    expectReply(await harbour.get('/sailors?select=id&id=eq.1', { headers: { 'content-type': 'application/json' } }), {
      json: [{ id: 1 }],
    });
  });

  test('a body where none is needed', async () => {
    expectReply(await harbour.ask('DELETE', '/drawer?id=eq.1', { body: {}, prefer: keep }), {
      json: [{ id: 1, note: 'pens' }],
    });
    expectReply(await harbour.ask('GET', '/sailors?id=eq.1&select=id', { body: {} }), { json: [{ id: 1 }] });
    expectReply(await harbour.ask('GET', '/rpc/add_them?a=1&b=2', { body: {} }), { json: 3 });
  });

  test('names with spaces around them', async () => {
    expectReply(await harbour.get('/ships?select=id, home:ports!home_port_id( name )&id=eq.1'), {
      json: [{ id: 1, home: { name: 'Aalborg' } }],
    });
  });

  test('header names in any case', async () => {
    expectReply(await harbour.get('/sailors?select=id&id=eq.1', { headers: { ACCEPT: 'text/csv' } }), {
      text: 'id\n1',
    });
  });

  test('many preferences over many headers', async () => {
    const response = await fetch(`${harbour.url}/rest/v1/pages?limit=1`, {
      headers: [
        ['apikey', harbour.anonKey],
        ['authorization', `Bearer ${harbour.anonKey}`],
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
