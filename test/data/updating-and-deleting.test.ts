// PATCH and DELETE: what they change and return, how many rows at most, policies, and transactions that are rolled back.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { expectReply, MINE, startApi, THEIRS } from './api.ts';

const api = forSuite(startApi);

describe('PATCH', () => {
  test('answers 204', async () => {
    expectReply(await api.write('PATCH', '/drawer?id=eq.1', { note: 'x' }, ''), {
      status: 204,
      text: '',
      headers: { 'content-type': null, 'content-range': '0-0/*', 'content-length': null },
    });
    expectReply(await api.write('PATCH', '/drawer?id=eq.1', { note: 'x' }, 'return=minimal'), {
      status: 204,
      headers: { 'preference-applied': 'return=minimal, tx=rollback' },
    });
  });

  test('representation and counts', async () => {
    expectReply(await api.write('PATCH', '/drawer?id=eq.1', { note: 'x' }), {
      json: [{ id: 1, note: 'x' }],
      headers: { 'content-range': '0-0/*' },
    });
    expectReply(await api.write('PATCH', '/drawer?id=gt.0', { note: 'x' }, 'return=minimal, count=exact'), {
      status: 204,
      headers: { 'content-range': '0-1/2' },
    });
    expectReply(await api.write('PATCH', '/drawer?id=eq.99', { note: 'x' }), {
      json: [],
      headers: { 'content-range': '*/*' },
    });
    expectReply(await api.write('PATCH', '/drawer?id=eq.99', { note: 'x' }, 'count=exact'), {
      status: 204,
      headers: { 'content-range': '*/0' },
    });
  });

  test('select, embeds, renames, order', async () => {
    expectReply(await api.write('PATCH', '/buoys?id=eq.1&select=id,ports(name)', { port_id: 3 }), {
      json: [{ id: 1, ports: { name: 'Cadiz' } }],
    });
    expectReply(await api.write('PATCH', '/drawer?id=gt.0&select=key:id&order=id.desc', { note: 'x' }), {
      json: [{ key: 2 }, { key: 1 }],
    });
  });

  test('filters of every kind', async () => {
    expectReply(await api.write('PATCH', '/papers?doc->>s=eq.text&select=id', { body: 'x' }), { json: [{ id: 1 }] });
    expectReply(await api.write('PATCH', '/drawer?or=(id.eq.1,note.eq.pins)&select=id&order=id', { note: 'x' }), {
      json: [{ id: 1 }, { id: 2 }],
    });
    expectReply(await api.write('PATCH', '/drawer?select=id&note=eq.pens', { note: 'changed' }), { json: [{ id: 1 }] });
  });

  test('an empty body changes nothing', async () => {
    expectReply(await api.write('PATCH', '/drawer?id=eq.1', {}), { json: [], headers: { 'content-range': '*/*' } });
    expectReply(await api.write('PATCH', '/drawer?id=eq.1', {}, ''), { status: 204 });
    expectReply(await api.write('PATCH', '/drawer?id=eq.1', []), { json: [] });
  });

  test('columns= takes only those, missing=default resets', async () => {
    expectReply(await api.write('PATCH', '/drawer?id=eq.1&columns=note', { note: 'x', id: 55 }), {
      json: [{ id: 1, note: 'x' }],
    });
    expectReply(
      await api.write('PATCH', '/drawer?id=eq.1&columns=note', {}, 'return=representation, missing=default'),
      {
        json: [{ id: 1, note: 'none' }],
      },
    );
    expectReply(await api.write('PATCH', '/drawer?id=eq.1&columns=note', {}), { json: [{ id: 1, note: null }] });
  });

  test('a column nobody has', async () => {
    expectReply(await api.write('PATCH', '/drawer?id=eq.1', { nope: 1 }), {
      status: 400,
      json: expect.objectContaining({ code: 'PGRST204' }),
    });
  });

  test('a single object or nothing at all', async () => {
    expectReply(
      await api.write('PATCH', '/drawer?id=gt.0', { note: 'x' }, 'return=representation', {
        accept: 'application/vnd.pgrst.object+json',
      }),
      {
        status: 406,
        json: expect.objectContaining({ code: 'PGRST116', details: 'The result contains 2 rows' }),
      },
    );
    const reply = await api.ask('PATCH', '/drawer?id=gt.0', {
      body: { note: 'lost' },
      prefer: 'return=minimal',
      accept: 'application/vnd.pgrst.object+json',
    });
    expect(reply.status).toBe(406);
    expectReply(await api.get('/drawer?note=eq.lost'), { json: [] });
  });
});

describe('DELETE', () => {
  test('answers 204', async () => {
    expectReply(await api.write('DELETE', '/drawer?id=eq.1', undefined, ''), {
      status: 204,
      text: '',
      headers: { 'content-type': null, 'content-range': '*/*' },
    });
    expectReply(await api.write('DELETE', '/drawer?id=eq.99', undefined, ''), { status: 204 });
    expectReply(await api.write('DELETE', '/drawer?id=gt.0', undefined, 'count=exact'), {
      status: 204,
      headers: { 'content-range': '*/2' },
    });
  });

  test('representation, select, embeds', async () => {
    expectReply(await api.write('DELETE', '/drawer?id=eq.1', undefined), {
      json: [{ id: 1, note: 'pens' }],
      headers: { 'content-range': '*/*' },
    });
    expectReply(await api.write('DELETE', '/buoys?id=eq.1&select=id,ports(name)', undefined), {
      json: [{ id: 1, ports: { name: 'Aalborg' } }],
    });
    expectReply(await api.write('DELETE', '/drawer?id=gt.0&select=note&order=id.desc', undefined), {
      json: [{ note: 'pins' }, { note: 'pens' }],
    });
    expectReply(await api.write('DELETE', '/drawer?id=eq.99', undefined), { json: [] });
  });

  test('a view', async () => {
    expectReply(await api.write('DELETE', '/crate_labels?id=eq.1', undefined), { json: [{ id: 1, label: 'one' }] });
  });
});

describe('max-affected', () => {
  test('counts only when handling is strict', async () => {
    expectReply(await api.write('PATCH', '/drawer?id=gt.0', { note: 'x' }, 'handling=strict, max-affected=1'), {
      status: 400,
      json: {
        code: 'PGRST124',
        message: 'Query result exceeds max-affected preference constraint',
        details: 'The query affects 2 rows',
        hint: null,
      },
    });
    expectReply(await api.write('DELETE', '/drawer?id=gt.0', undefined, 'handling=strict, max-affected=1'), {
      status: 400,
      json: expect.objectContaining({ code: 'PGRST124' }),
    });
    expectReply(await api.write('PATCH', '/drawer?id=gt.0', { note: 'x' }, 'handling=strict, max-affected=2'), {
      status: 204,
      headers: { 'preference-applied': 'tx=rollback, handling=strict, max-affected=2' },
    });
    expectReply(await api.write('PATCH', '/drawer?id=gt.0', { note: 'x' }, 'handling=lenient, max-affected=1'), {
      status: 204,
      headers: { 'preference-applied': 'tx=rollback, handling=lenient' },
    });
    expectReply(await api.write('DELETE', '/drawer?id=gt.0', undefined, 'max-affected=1'), { status: 204 });
  });

  test('and changes nothing when it is exceeded', async () => {
    const reply = await api.ask('DELETE', '/pairs?a=eq.1', { prefer: 'handling=strict, max-affected=1' });
    expect(reply.status).toBe(400);
    expectReply(await api.get('/pairs?a=eq.1&select=b&order=b'), { json: [{ b: 1 }, { b: 2 }] });
  });

  test('procedures', async () => {
    expectReply(await api.write('POST', '/rpc/age_crates', { by: 1 }, 'handling=strict, max-affected=2'), {
      status: 400,
      json: {
        code: 'PGRST124',
        message: 'Query result exceeds max-affected preference constraint',
        details: 'The query affects 3 rows',
        hint: null,
      },
    });
    expectReply(await api.write('POST', '/rpc/age_crates', { by: 1 }, 'handling=strict, max-affected=3'), {
      status: 200,
    });
    expectReply(await api.write('POST', '/rpc/add_them', { a: 1, b: 2 }, 'handling=strict, max-affected=3'), {
      status: 400,
      json: {
        code: 'PGRST128',
        message: 'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
        details: null,
        hint: null,
      },
    });
  });
});

describe('policies', () => {
  test('returned rows are subject to the policies, too', async () => {
    const me = await api.token({ sub: MINE });
    expectReply(await api.get('/letters?select=id&order=id', { as: me }), { json: [{ id: 1 }, { id: 3 }] });
    expectReply(await api.get('/letters?select=id&order=id'), { json: [{ id: 3 }] });
    expectReply(
      await api.write('POST', '/letters?select=owner,body', { body: 'hello' }, 'return=representation', { as: me }),
      {
        status: 201,
        json: [{ owner: MINE, body: 'hello' }],
      },
    );
    expectReply(await api.write('POST', '/letters', { owner: THEIRS, body: 'forged' }, '', { as: me }), {
      status: 403,
      json: {
        code: '42501',
        message: 'new row violates row-level security policy for table "letters"',
        details: null,
        hint: null,
      },
    });
    expectReply(await api.write('POST', '/letters', { owner: MINE, body: 'forged' }, ''), {
      status: 401,
      json: expect.objectContaining({ code: '42501' }),
    });
    expectReply(
      await api.write('DELETE', '/letters?id=gt.0&select=id', undefined, 'return=representation', { as: me }),
      {
        json: [{ id: 1 }],
      },
    );
    expectReply(await api.write('PATCH', '/letters?id=eq.3', { body: 'open: mine now' }, '', { as: me }), {
      status: 403,
    });
  });

  test('rights by column and by verb', async () => {
    expectReply(await api.get('/half_open?select=id,shown'), { json: [{ id: 1, shown: 'seen' }] });
    expectReply(await api.get('/half_open'), { status: 401, json: expect.objectContaining({ code: '42501' }) });
    expectReply(await api.write('POST', '/half_open?columns=id,shown', { id: 2, shown: 'x' }, 'return=minimal'), {
      status: 201,
    });
    expectReply(await api.write('POST', '/half_open?select=id', { id: 2, shown: 'x' }), {
      status: 201,
      json: [{ id: 2 }],
    });
    expectReply(await api.write('POST', '/dropbox', { id: 1, note: 'x' }, 'return=minimal'), { status: 201 });
    expectReply(await api.write('POST', '/dropbox', { id: 1, note: 'x' }), {
      status: 401,
      json: expect.objectContaining({ code: '42501' }),
    });
  });
});

describe('tx', () => {
  test('rollback leaves nothing behind, commit does', async () => {
    expectReply(await api.post('/drawer', { id: 80 }, { prefer: 'tx=rollback' }), {
      status: 201,
      headers: { 'preference-applied': 'tx=rollback' },
    });
    expectReply(await api.get('/drawer?id=eq.80'), { json: [] });
    expectReply(await api.post('/drawer', { id: 80 }, { prefer: 'tx=commit' }), {
      status: 201,
      headers: { 'preference-applied': 'tx=commit' },
    });
    expectReply(await api.get('/drawer?id=eq.80&select=id'), { json: [{ id: 80 }] });
    expectReply(await api.ask('DELETE', '/drawer?id=eq.80', {}), {
      status: 204,
      headers: { 'preference-applied': null },
    });
  });

  test('deferred constraints are still checked when rolled back', async () => {
    expectReply(await api.post('/ships', { id: 90, name: 'x', home_port_id: 99 }, { prefer: 'tx=rollback' }), {
      status: 409,
    });
  });

  test('is ignored where the setting is off', async () => {
    const plain = await startApi({ DATA_TX_OVERRIDE: 'false' });
    try {
      expectReply(await plain.post('/drawer', { id: 81 }, { prefer: 'tx=rollback' }), {
        status: 201,
        headers: { 'preference-applied': null },
      });
      expectReply(await plain.get('/drawer?id=eq.81&select=id'), { json: [{ id: 81 }] });
    } finally {
      await plain.stop();
    }
  });
});
