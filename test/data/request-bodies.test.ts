// Request bodies: charsets, lists of arguments, columns in any order, letters beyond ASCII, generated identities.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { expectReply, startApi } from './api.ts';

const api = forSuite(startApi);

describe('bodies', () => {
  const keep = 'return=representation, tx=rollback';

  test('a charset beside the type', async () => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expectReply(await api.post('/drawer?select=id', '{"id": 98}', { headers, prefer: keep }), {
      status: 201,
      json: [{ id: 98 }],
    });
  });

  test('no type at all is JSON', async () => {
    expectReply(await api.ask('POST', '/drawer?select=id', { body: '{"id": 98}', prefer: keep }), {
      status: 201,
      json: [{ id: 98 }],
    });
  });

  test('a list of arguments calls with the first', async () => {
    expectReply(
      await api.post('/rpc/add_them', [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ]),
      { json: 3 },
    );
  });

  test('columns named twice, columns out of order', async () => {
    expectReply(await api.post('/drawer?columns=id,id', { id: 97 }, { prefer: keep }), {
      status: 201,
      json: [{ id: 97, note: 'none' }],
    });
    expectReply(await api.post('/drawer?columns=note,id&select=note,id', { id: 97, note: 'x' }, { prefer: keep }), {
      status: 201,
      json: [{ note: 'x', id: 97 }],
    });
  });

  test('letters beyond ASCII, and zeros within', async () => {
    expectReply(await api.post('/drawer?select=note', { id: 96, note: 'Smørrebrød 🚢 \u202e' }, { prefer: keep }), {
      status: 201,
      json: [{ note: 'Smørrebrød 🚢 \u202e' }],
    });
    expectReply(
      await api.post('/drawer', '{"id": 96, "note": "a\\u0000b"}', {
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
      await api.post('/crates?select=id,label,weight', [{ id: 1, label: 'again' }], {
        prefer: `resolution=merge-duplicates, ${keep}`,
      }),
      {
        json: [{ id: 1, label: 'again', weight: 10 }],
      },
    );
  });

  test('returned rows may be ordered by columns that are not returned', async () => {
    const rows = [
      { id: 91, note: 'b' },
      { id: 92, note: 'a' },
    ];
    expectReply(await api.post('/drawer?select=id&order=note', rows, { prefer: keep }), {
      status: 201,
      json: [{ id: 92 }, { id: 91 }],
    });
    const change = (path: string, body: unknown) => api.ask('PATCH', path, { body, prefer: keep });
    expectReply(await change('/papers?select=id&order=doc->n.desc.nullslast,id&id=lt.3', { body: 'x' }), {
      json: [{ id: 2 }, { id: 1 }],
    });
    expectReply(await change('/ships?select=id&order=label.desc&id=lt.3', { tonnage: 1 }), {
      json: [{ id: 2 }, { id: 1 }],
    });
    expectReply(await change('/buoys?select=id&order=port_id.nullsfirst,id', { colour: 'x' }), {
      json: [{ id: 3 }, { id: 1 }, { id: 2 }],
    });
    expectReply(await api.ask('DELETE', '/pairs?select=b&order=note.desc', { prefer: keep }), {
      json: [{ b: 2 }, { b: 1 }],
    });
  });

  test('an identity that is always generated takes no value', async () => {
    expectReply(await api.post('/stamped?select=body,seen', { body: 'four' }, { prefer: keep }), {
      status: 201,
      json: [{ body: 'four', seen: 4 }],
    });
    expectReply(await api.ask('PATCH', '/stamped?id=gt.0', { body: { seen: 1 } }), {
      status: 400,
      json: expect.objectContaining({ code: '428C9' }),
    });
  });
});
