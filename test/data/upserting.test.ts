// Upserts on one key or another, and PUT, which inserts or replaces one row.

import { describe, expect, test } from 'vitest';
import { forSuite } from '../helpers/for-suite.ts';
import { expectReply, startApi } from './api.ts';

const api = forSuite(startApi);

describe('upserts', () => {
  test('merge', async () => {
    expectReply(
      await api.write(
        'POST',
        '/drawer',
        [
          { id: 1, note: 'new' },
          { id: 9, note: 'added' },
        ],
        'return=representation, resolution=merge-duplicates',
      ),
      {
        status: 201,
        json: [
          { id: 1, note: 'new' },
          { id: 9, note: 'added' },
        ],
        headers: { 'preference-applied': 'resolution=merge-duplicates, return=representation, tx=rollback' },
      },
    );
  });

  test('merge that only updates answers 200', async () => {
    expectReply(
      await api.write(
        'POST',
        '/drawer',
        [{ id: 1, note: 'new' }],
        'return=representation, resolution=merge-duplicates',
      ),
      {
        status: 200,
        json: [{ id: 1, note: 'new' }],
      },
    );
    expectReply(await api.write('POST', '/drawer', [{ id: 1, note: 'new' }], 'resolution=merge-duplicates'), {
      status: 200,
      text: '',
    });
  });

  test('ignore leaves what was there', async () => {
    expectReply(
      await api.write(
        'POST',
        '/drawer',
        [
          { id: 1, note: 'new' },
          { id: 9, note: 'added' },
        ],
        'return=representation, resolution=ignore-duplicates',
      ),
      {
        status: 201,
        json: [{ id: 9, note: 'added' }],
      },
    );
    expectReply(
      await api.write(
        'POST',
        '/drawer',
        [{ id: 1, note: 'new' }],
        'return=representation, resolution=ignore-duplicates',
      ),
      { status: 201, json: [] },
    );
  });

  test('on another unique key', async () => {
    expectReply(
      await api.write(
        'POST',
        '/crates?on_conflict=code&select=id,label,code',
        [{ code: 'c2', label: 'two again' }],
        'return=representation, resolution=merge-duplicates',
      ),
      { status: 200, json: [{ id: 2, label: 'two again', code: 'c2' }] },
    );
  });

  test('on a composite key', async () => {
    expectReply(
      await api.write(
        'POST',
        '/pairs',
        [
          { a: 1, b: 2, note: 'x' },
          { a: 7, b: 7, note: 'y' },
        ],
        'return=representation, resolution=merge-duplicates',
      ),
      {
        status: 201,
        json: [
          { a: 1, b: 2, note: 'x' },
          { a: 7, b: 7, note: 'y' },
        ],
      },
    );
    expectReply(
      await api.write(
        'POST',
        '/pairs?on_conflict=a,b',
        [{ a: 1, b: 2, note: 'x' }],
        'return=representation, resolution=merge-duplicates',
      ),
      {
        status: 200,
        json: [{ a: 1, b: 2, note: 'x' }],
      },
    );
  });

  test('on columns without a unique key', async () => {
    expectReply(
      await api.write('POST', '/drawer?on_conflict=note', { id: 9, note: 'x' }, 'resolution=merge-duplicates'),
      {
        status: 400,
        json: expect.objectContaining({ code: '42P10' }),
      },
    );
  });

  test('only the key in the body: nothing to merge', async () => {
    expectReply(
      await api.write('POST', '/drawer', [{ id: 1 }, { id: 9 }], 'return=representation, resolution=merge-duplicates'),
      {
        status: 201,
        json: expect.arrayContaining([{ id: 9, note: 'none' }]),
      },
    );
  });

  test('a table without a key inserts, and does not echo the resolution', async () => {
    expectReply(
      await api.write(
        'POST',
        '/tallies',
        { what: 'ropes', n: 9 },
        'return=representation, resolution=merge-duplicates',
      ),
      {
        status: 201,
        json: [{ what: 'ropes', n: 9 }],
        headers: { 'preference-applied': 'return=representation, tx=rollback' },
      },
    );
  });

  test('the same row twice in one body', async () => {
    expectReply(
      await api.write(
        'POST',
        '/drawer',
        [
          { id: 1, note: 'a' },
          { id: 1, note: 'b' },
        ],
        'resolution=merge-duplicates',
      ),
      {
        status: 400,
        json: expect.objectContaining({ code: '21000' }),
      },
    );
  });
});

describe('PUT', () => {
  test('inserts or replaces one row', async () => {
    expectReply(await api.write('PUT', '/drawer?id=eq.9', { id: 9, note: 'new' }), {
      status: 201,
      json: [{ id: 9, note: 'new' }],
    });
    expectReply(await api.write('PUT', '/drawer?id=eq.1', { id: 1, note: 'new' }), {
      status: 200,
      json: [{ id: 1, note: 'new' }],
    });
    expectReply(await api.write('PUT', '/drawer?id=eq.1', [{ id: 1, note: 'new' }], ''), {
      status: 204,
      text: '',
      headers: { 'content-type': null, 'content-length': null },
    });
    expectReply(await api.write('PUT', '/pairs?a=eq.1&b=eq.1', { a: 1, b: 1, note: 'z' }), {
      status: 200,
      json: [{ a: 1, b: 1, note: 'z' }],
    });
    expectReply(
      await api.write('PUT', '/drawer?id=eq.1', { id: 1, note: 'one' }, 'return=representation', {
        accept: 'application/vnd.pgrst.object+json',
      }),
      {
        json: { id: 1, note: 'one' },
      },
    );
  });

  test.each([
    [
      '/drawer',
      { id: 1 },
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ],
    [
      '/drawer?note=eq.x',
      { id: 1 },
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ],
    [
      '/drawer?id=gt.1',
      { id: 1 },
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ],
    [
      '/drawer?id=not.eq.1',
      { id: 1 },
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ],
    [
      '/drawer?id=eq.1&note=eq.x',
      { id: 1 },
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ],
    [
      '/drawer?id=eq.1&and=(id.eq.1)',
      { id: 1 },
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ],
    [
      '/tallies?what=eq.x',
      { what: 'x' },
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ],
    [
      '/pairs?a=eq.1',
      { a: 1, b: 1 },
      405,
      'PGRST105',
      "Filters must include all and only primary key columns with 'eq' operators",
    ],
    [
      '/drawer?id=eq.1&limit=1',
      { id: 1 },
      400,
      'PGRST114',
      'limit/offset querystring parameters are not allowed for PUT',
    ],
    [
      '/drawer?id=eq.1&offset=1',
      { id: 1 },
      400,
      'PGRST114',
      'limit/offset querystring parameters are not allowed for PUT',
    ],
    [
      '/drawer?id=eq.1',
      { id: 2, note: 'x' },
      400,
      'PGRST115',
      'Payload values do not match URL in primary key column(s)',
    ],
  ])('PUT %s %j is %i %s', async (path, body, status, code, message) => {
    expectReply(await api.write('PUT', path, body), { status, json: { code, message, details: null, hint: null } });
  });
});
