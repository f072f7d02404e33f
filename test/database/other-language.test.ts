// A Postgres that reports its errors in another language: whatever the server concludes from an error, it concludes from
// its SQLSTATE, or from the constraint or routine that Postgres names beside it.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migrate } from '../../server/database/migrate.ts';
import { runScript } from '../../server/database/wire/run-script.ts';
import { parseTarget } from '../../server/database/wire/target.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { havePostgres, startOwnPostgres } from './debian.ts';

describe.skipIf(!havePostgres)('a Postgres that speaks German', () => {
  const app = forSuite(async () => {
    const server = await startOwnPostgres();
    await runScript(parseTarget(server.adminUrl), [
      "create role app login createrole password 'secret'",
      'create database app owner app',
      "alter database app set lc_messages = 'C.UTF-8'",
    ]);
    const url = server.url('app', 'secret', 'app');
    await migrate({ url, directory: join(process.cwd(), 'sql') });
    return startApp({
      database: { url, directUrl: url, drop: () => server.remove() },
      prepare: `create table notes (id integer primary key, text text);
        insert into notes select n, repeat('x', 1000) from generate_series(1, 6000) n;
        create function set_zone() returns void language sql as $$ select set_config('timezone', 'nowhere', true) $$;
        grant all on notes to service_role;`,
    });
  });

  const patch = (query: string, headers: Record<string, string>): Promise<Response> =>
    app.request(`/rest/v1/notes?${query}`, {
      method: 'PATCH',
      body: '{"text":"y"}',
      headers: {
        ...headers,
        apikey: app.serviceKey,
        authorization: `Bearer ${app.serviceKey}`,
        'content-type': 'application/json',
      },
    });

  test('does speak German', async () => {
    await expect(app.sql("select 'x'::integer")).rejects.toThrow('ungültige Eingabesyntax');
  });

  test('one object was asked for, and there are two', async () => {
    const answer = await patch('id=lt.3', {
      accept: 'application/vnd.pgrst.object+json',
      prefer: 'return=representation',
    });
    expect(answer.status).toBe(406);
    expect(await answer.json()).toMatchObject({ code: 'PGRST116', details: 'The result contains 2 rows' });
  });

  test('more rows would change than may', async () => {
    const answer = await patch('id=lt.4', { prefer: 'handling=strict, max-affected=2' });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'PGRST124', details: 'The query affects 3 rows' });
  });

  test('refused changes have left every row, and a long answer arrives whole', async () => {
    const answer = await app.request('/rest/v1/notes?id=gt.0', {
      method: 'DELETE',
      headers: {
        apikey: app.serviceKey,
        authorization: `Bearer ${app.serviceKey}`,
        prefer: 'return=representation',
      },
    });
    expect(answer.status).toBe(200);
    const rows = (await answer.json()) as { text: string }[];
    expect(rows).toHaveLength(6000);
    expect(rows.every(({ text }) => text.length === 1000)).toBe(true);
  });

  test('a value that looks like our error text is not taken for our error', async () => {
    const answer = await app.request('/rest/v1/notes?id=eq.kanbase:singular:3', { token: app.serviceKey });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: '22P02' });
  });

  const as = (token: string, path: string, method = 'GET', body?: unknown): Promise<Response> =>
    app.request(path, {
      method,
      token,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });

  test('a token whose role is not there', async () => {
    const token = await app.services.sessions.sign({ role: 'nobody_like_that' }, 600);
    const answer = await as(token, '/rest/v1/notes');
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: '22023', message: expect.stringContaining('existiert nicht') });
  });

  test('an invalid value inside a function is not taken for a fault of the token', async () => {
    const answer = await as(app.serviceKey, '/rest/v1/rpc/set_zone', 'POST', {});
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: '22023', message: expect.stringContaining('ungültiger Wert') });
  });

  test('one key twice in an upsert', async () => {
    const answer = await app.request('/rest/v1/notes', {
      method: 'POST',
      token: app.serviceKey,
      body: '[{"id":1,"text":"a"},{"id":1,"text":"b"}]',
      headers: { 'content-type': 'application/json', prefer: 'resolution=merge-duplicates' },
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: '21000' });
  });

  test('a bucket that a policy refuses, one that is not there, and one that is not empty', async () => {
    const { token } = await app.createUser();
    const refused = await as(token, '/storage/v1/bucket', 'POST', { name: 'mine' });
    expect(await refused.json()).toMatchObject({
      statusCode: '403',
      message: 'new row violates row-level security policy',
    });
    const put = (bucket: string): Promise<Response> =>
      app.request(`/storage/v1/object/${bucket}/a.txt`, {
        method: 'POST',
        token: app.serviceKey,
        body: 'a',
        headers: { 'content-type': 'text/plain' },
      });
    expect(await (await put('nowhere')).json()).toMatchObject({ code: 'NoSuchBucket' });
    expect((await as(app.serviceKey, '/storage/v1/bucket', 'POST', { name: 'full' })).status).toBe(200);
    expect((await put('full')).status).toBe(200);
    const full = await as(app.serviceKey, '/storage/v1/bucket/full', 'DELETE');
    expect(await full.json()).toMatchObject({ statusCode: '409', code: 'BucketNotEmpty' });
  });

  test('an address and a number that someone has already', async () => {
    const make = async (account: object): Promise<unknown> =>
      (await as(app.serviceKey, '/auth/v1/admin/users', 'POST', { password: 'twelve letters', ...account })).json();
    await make({ email: 'one@example.com', phone: '491701234567' });
    expect(await make({ email: 'two@example.com', phone: '491701234567' })).toMatchObject({ code: 'phone_exists' });
    expect(await make({ email: 'one@example.com' })).toMatchObject({ code: 'email_exists' });
  });
});
