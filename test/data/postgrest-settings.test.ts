// Settings of the data door that PostgREST has as well, and what an operator switches on for spreadsheets.

import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { answerUnforeseen } from '../../server/data/answer-error.ts';
import { startApp, type TestApp } from '../helpers/app.ts';

let app: TestApp | null = null;
afterEach(async () => {
  await app?.close();
  app = null;
});

async function open(settings: Record<string, string>, prepare = ''): Promise<TestApp> {
  app = await startApp({ settings, prepare });
  return app;
}

const jsonOf = async (response: Response): Promise<unknown> => response.json();

test('errors may keep details and hints to themselves', async () => {
  const { request } = await open({ DATA_ERROR_VERBOSITY: 'minimal' });
  expect(await jsonOf(await request('/rest/v1/taks'))).toEqual({
    code: 'PGRST205',
    message: "Could not find the table 'public.taks' in the schema cache",
  });
});

test('details of an unforeseen error are kept back, too', () => {
  const bodyOf = (verbose: boolean): unknown =>
    JSON.parse(String(answerUnforeseen(new Error('boom'), 'r-1', verbose).response.body));
  expect(bodyOf(true)).toMatchObject({ code: 'KB500', hint: 'Look for request r-1 in the log.' });
  expect(bodyOf(false)).toEqual({ code: 'KB500', message: 'Something went wrong on our side' });
});

test('names of targets behind an alias can be turned off', async () => {
  const { request } = await open({ DATA_LEGACY_TARGET_NAMES: 'false' });
  const path = '/rest/v1/tasks?select=id,place:workflow_columns(id)';
  expect((await request(`${path}&place.limit=1`)).status).toBe(200);
  const refused = await request(`${path}&workflow_columns.limit=1`);
  expect([refused.status, await jsonOf(refused)]).toEqual([
    400,
    {
      code: 'PGRST108',
      message: "'workflow_columns' is not an embedded resource in this request",
      details: 'Target names are not allowed in filters if they have an alias',
      hint: "Change 'workflow_columns' to 'place' in filters, orders or limits.",
    },
  ]);
});

test('SQL reads the settings of the app', async () => {
  const { request } = await open(
    { DATA_APP_SETTINGS: 'region=eu-west, plan_url=https://example.com/?a=b' },
    `create function public.read_settings() returns json language sql stable as
       $$ select json_build_array(current_setting('app.settings.region'), current_setting('app.settings.plan_url')) $$;
     grant execute on function public.read_settings() to anon`,
  );
  expect(await jsonOf(await request('/rest/v1/rpc/read_settings'))).toEqual(['eu-west', 'https://example.com/?a=b']);
});

test('a function answers at the root', async () => {
  const { request } = await open(
    { DATA_ROOT_FUNCTION: 'public.root_document' },
    `create function public.root_document() returns json language sql stable as $$ select '{"hello":"root"}'::json $$;
     grant execute on function public.root_document() to anon`,
  );
  expect(await jsonOf(await request('/rest/v1/'))).toEqual({ hello: 'root' });
});

test('the root document says that requests carry a token, where that is wanted', async () => {
  const { request } = await open({ DATA_OPENAPI_SECURITY: 'true' });
  expect(await jsonOf(await request('/rest/v1/'))).toMatchObject({
    securityDefinitions: { JWT: { type: 'apiKey', in: 'header', name: 'Authorization' } },
    security: [{ JWT: [] }],
  });
});

test('only the origins that are named may read answers', async () => {
  const { request } = await open({ CORS_ORIGINS: 'https://app.example.com' });
  const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET', origin: '' } };
  for (const path of ['/rest/v1/tasks', '/auth/v1/settings'])
    for (const [origin, allowed] of [
      ['https://app.example.com', 'https://app.example.com'],
      ['https://evil.example.com', null],
    ] as const) {
      const answer = await request(path, { headers: { origin } });
      expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, allowed]);
      expect(answer.headers.get('vary')).toContain('Origin');
      const asked = await request(path, { ...preflight, headers: { ...preflight.headers, origin } });
      expect([path, asked.headers.get('access-control-allow-origin')]).toEqual([path, allowed]);
    }
});

test('an answer with a server error leaves a line in the log', async () => {
  const lines: string[] = [];
  const sink = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) });
  app = await startApp({
    log: pino({ level: 'info' }, sink),
    prepare: `create function public.fail() returns void language plpgsql stable as $$ begin raise exception using errcode = 'XX000'; end $$;
      grant execute on function public.fail() to anon`,
  });
  const answer = await app.request('/rest/v1/rpc/fail');
  await answer.text();
  expect(answer.status).toBe(500);
  await expect
    .poll(() => lines.map((line) => JSON.parse(line)))
    .toContainEqual(
      expect.objectContaining({
        level: 40,
        status: 500,
        method: 'GET',
        route: '/rest/v1/*',
        reqId: answer.headers.get('x-request-id'),
      }),
    );
});

test('formulas in CSV answers are made text, where that is wanted', async () => {
  const cells = `create table public.cells (id int primary key, what text);
    insert into public.cells values (1, '=cmd|''/C calc''!A0'), (2, '-12.5'), (3, '@sum(a1, "b")'), (4, 'a,=b'), (5, '+1'), (6, null);
    grant select on public.cells to anon`;
  const plain = await open({}, cells);
  const csv = { headers: { accept: 'text/csv' } };
  expect(await (await plain.request('/rest/v1/cells?id=eq.1', csv)).text()).toContain(`1,"=cmd`);
  await plain.close();
  const { request } = await open({ DATA_CSV_GUARD: 'true' }, cells);
  const answer = await request('/rest/v1/cells?order=id', csv);
  const text = await answer.text();
  expect(text.split('\n')).toEqual([
    'id,what',
    `1,"'=cmd|'/C calc'!A0"`,
    '2,-12.5',
    `3,"'@sum(a1, ""b"")"`,
    '4,"a,=b"',
    '5,+1',
    '6,',
  ]);
  expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(text));
});

test('an API key alone is enough where DATA_KEY_ALONE says so, as header or in the address', async () => {
  const { url, anonKey } = await open({ DATA_KEY_ALONE: 'true' });
  const alone = await fetch(`${url}/rest/v1/tasks?select=id`, { headers: { apikey: anonKey } });
  expect([alone.status, await alone.json()]).toEqual([200, []]);
  const inAddress = await fetch(`${url}/rest/v1/tasks?select=id&apikey=${anonKey}&limit=1`);
  expect([inAddress.status, await inAddress.json()]).toEqual([200, []]);
  expect((await fetch(`${url}/rest/v1/tasks?select=id`)).status).toBe(401);
  expect((await fetch(`${url}/rest/v1/tasks?select=id&apikey=wrong`)).status).toBe(401);
});
