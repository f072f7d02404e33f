// Sessions of revision 2025-11-25: subscriptions told on a stream of their own, on whichever node; bounded, and ended with their client, key or token.

import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../server/config/read-config.ts';
import { holderOf, makeSessionId } from '../../server/mcp/sessions/session-ids.ts';
import { openServices } from '../../server/open-services.ts';
import { startApp, type TestApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { addMember, makeProject, one } from '../sql/board.ts';
import { connectAgent } from './agent.ts';

const app = forSuite(() => startApp());
const ada = person(app, 'Ada');
const bea = person(app, 'Bea');

async function board(name: string) {
  const { project } = await makeProject(app, ada, name);
  const [{ key }] = (await one(ada.client.from('projects').select('key').eq('id', project))) as [{ key: string }];
  const [task] = (await one(ada.client.from('tasks').insert({ project_id: project, title: 'Draft' }).select('id'))) as {
    id: string;
  }[];
  const rename = (title: string) =>
    one(
      ada.client
        .from('tasks')
        .update({ title })
        .eq('id', task?.id ?? '')
        .select(),
    );
  return { project, key, uri: `kanbase://task/${key}-1`, rename };
}
const keyFor = async (): Promise<{ id: string; token: string }> =>
  (await one(ada.client.rpc('create_api_key', { name: 'Agent', scope: 'read' }))) as { id: string; token: string };

type Door = Pick<TestApp, 'url'>;
type Answer = {
  readonly status: number;
  readonly session: string | null;
  readonly body: ReturnType<typeof JSON.parse>;
};

async function send(door: Door, token: string, message: unknown, session?: string, method = 'POST'): Promise<Answer> {
  const answer = await fetch(`${door.url}/mcp`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    },
    ...(method === 'POST' ? { body: JSON.stringify({ jsonrpc: '2.0', ...(message as object) }) } : {}),
  });
  const text = await answer.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return {
    status: answer.status,
    session: answer.headers.get('mcp-session-id'),
    body: data === '' ? null : JSON.parse(data),
  };
}
async function begin(token: string, door: Door = app): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'agent', version: '1' } };
  const { session } = await send(door, token, { id: 0, method: 'initialize', params });
  return session ?? '';
}
const subscribe = (token: string, session: string, uri: string, door: Door = app): Promise<Answer> =>
  send(door, token, { id: 1, method: 'resources/subscribe', params: { uri } }, session);
const unsubscribe = (token: string, session: string, uri: string): Promise<Answer> =>
  send(app, token, { id: 1, method: 'resources/unsubscribe', params: { uri } }, session);

/** What it tells, as it comes. */
async function openStream(token: string, session: string, door: Door = app) {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const answer = await fetch(`${door.url}/mcp`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'mcp-session-id': session },
    signal: gone.signal,
  });
  const stream = {
    ...{ status: answer.status, told: [] as string[], isOpen: answer.ok, leave: () => gone.abort() },
    /** Once more than before: the making of what it is about may be heard of late, too. */
    async tellsOf(uri: string, change: () => Promise<unknown>): Promise<void> {
      const timesTold = () => stream.told.filter((one) => one === uri).length;
      const before = timesTold();
      await change();
      await expect.poll(timesTold).toBeGreaterThan(before);
    },
  };
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(part, { stream: true });
      stream.told = [...text.matchAll(/"uri":"([^"]+)"/g)].map(([, uri = '']) => uri);
    }
  };
  read()
    .catch(() => undefined)
    .finally(() => {
      stream.isOpen = false;
    });
  return stream;
}

async function otherNode(): Promise<Door> {
  const { config } = readConfig({
    env: {
      DATA_DIR: app.dataDir,
      DATABASE_URL: app.databaseUrl,
      DATABASE_DIRECT_URL: app.ownerUrl,
      DB_POOL_SIZE: '4',
      JWT_SECRET: app.services.config.server.jwtSecret ?? '',
    },
  });
  const addresses = { url: app.databaseUrl, directUrl: app.ownerUrl };
  const node = await openServices(config, addresses, pino({ level: 'silent' }));
  onTestFinished(() => node.close());
  return { url: await node.app.listen({ port: 0, host: '127.0.0.1' }) };
}

test('the official client hears of what it subscribed to, and no longer once it has unsubscribed', async () => {
  const { client, close } = await connectAgent(app, ada.token, '2025-11-25');
  const [first, second] = [await board('First'), await board('Second')];
  const changed: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void changed.push(params.uri));
  await client.subscribeResource({ uri: first.uri });
  await client.subscribeResource({ uri: second.uri });
  await expect
    .poll(async () => {
      await first.rename(`Draft ${changed.length}`);
      await second.rename(`Draft ${changed.length}`);
      return new Set(changed);
    })
    .toEqual(new Set([first.uri, second.uri]));
  await client.unsubscribeResource({ uri: first.uri });
  changed.length = 0;
  await first.rename('Unheard');
  await second.rename('Heard');
  await expect.poll(() => changed).toContain(second.uri);
  expect(changed).not.toContain(first.uri);
  await close();
});

describe('a subscription', () => {
  test('is told of at once when it is new to the stream, or the stream to it', async () => {
    const { uri, rename } = await board('At once');
    const session = await begin(ada.token);
    expect((await subscribe(ada.token, session, uri)).body.result).toEqual({});
    const stream = await openStream(ada.token, session);
    await expect.poll(() => stream.told).toContain(uri);
    const other = await board('Later');
    await subscribe(ada.token, session, other.uri);
    await other.rename('Changed');
    await expect.poll(() => stream.told).toContain(other.uri);
    await stream.tellsOf(uri, () => rename('Changed, too'));
  });

  test('is made at one node and told at another, which a second stream takes over', async () => {
    const other = await otherNode();
    const { uri, rename } = await board('Nodes');
    const session = await begin(ada.token, other);
    const here = await openStream(ada.token, session);
    await subscribe(ada.token, session, uri, other);
    await expect.poll(() => here.told).toContain(uri);
    await here.tellsOf(uri, () => rename('Changed'));
    const there = await openStream(ada.token, session, other);
    await expect.poll(() => here.isOpen).toBe(false);
    await expect.poll(() => there.told).toContain(uri);
    expect((await send(app, ada.token, null, session, 'DELETE')).status).toBe(204);
    await expect.poll(() => there.isOpen).toBe(false);
    expect((await subscribe(ada.token, session, uri, other)).status).toBe(404);
  });

  test('is of what the caller sees', async () => {
    const { project, uri } = await board('Unseen');
    const session = await begin(bea.token);
    expect((await subscribe(bea.token, session, uri)).body.error.code).toBe(-32_602);
    await addMember(app, project, bea, 'viewer');
    expect((await subscribe(bea.token, session, uri)).body.result).toEqual({});
    const stream = await openStream(bea.token, session);
    await expect.poll(() => stream.told).toEqual([uri]);
    await one(ada.client.from('project_members').delete().eq('user_id', bea.id).eq('project_id', project).select());
    const { uri: seen, project: shared, rename } = await board('Seen');
    await addMember(app, shared, bea, 'viewer');
    await subscribe(bea.token, session, seen);
    await one(ada.client.from('tasks').update({ title: 'Hidden' }).eq('project_id', project).select());
    await rename('Shown');
    await expect.poll(() => stream.told).toContain(seen);
    expect(stream.told.filter((one) => one === uri)).toEqual([uri]);
  });

  test('has bounds: twenty of a session, ten sessions of a person', async () => {
    const { project, key } = await board('Bounds');
    const rows = Array.from({ length: 20 }, (_, at) => ({ project_id: project, title: `Task ${at}` }));
    await one(ada.client.from('tasks').insert(rows).select());
    const uris = Array.from({ length: 21 }, (_, at) => `kanbase://task/${key}-${at + 1}`);
    const { token } = await keyFor();
    const session = await begin(token);
    for (const uri of uris.slice(0, 20)) expect((await subscribe(token, session, uri)).body.result).toEqual({});
    expect((await subscribe(token, session, uris[20] ?? '')).body.error).toMatchObject({ data: { code: 'KB886' } });
    await unsubscribe(token, session, uris[0] ?? '');
    expect((await subscribe(token, session, uris[20] ?? '')).body.result).toEqual({});
    const carl = await app.createUser({ name: 'Carl' });
    await addMember(app, project, carl, 'viewer');
    const sessions = await Promise.all(Array.from({ length: 11 }, () => begin(carl.token)));
    for (const one of sessions.slice(0, 10)) await subscribe(carl.token, one, uris[0] ?? '');
    expect((await subscribe(carl.token, sessions[10] ?? '', uris[0] ?? '')).body.error.data.code).toBe('KB886');
    await send(app, carl.token, null, sessions[0], 'DELETE');
    expect((await subscribe(carl.token, sessions[10] ?? '', uris[0] ?? '')).body.result).toEqual({});
  });
});

describe('a session', () => {
  test('is of whom it was begun by, and gives nobody rights', async () => {
    const session = await begin(ada.token);
    for (const [token, id] of [
      [bea.token, session],
      [(await keyFor()).token, session],
      [ada.token, `${session.slice(0, -2)}AA`],
      [ada.token, 'made up'],
    ] as const) {
      const refused = await send(app, token, { id: 1, method: 'tools/list' }, id);
      expect(refused).toMatchObject({ status: 404, body: { error: { data: { code: 'KB887' } } } });
    }
    expect((await send(app, 'nonsense', { id: 1, method: 'tools/list' }, session)).status).toBe(401);
  });

  test('ends with its key: its stream closes', async () => {
    const { uri } = await board('Revoked');
    const { id, token } = await keyFor();
    const session = await begin(token);
    const idle = await openStream(token, await begin(token));
    await subscribe(token, session, uri);
    const stream = await openStream(token, session);
    await expect.poll(() => stream.told).toEqual([uri]);
    await one(ada.client.rpc('revoke_api_key', { key_id: id }));
    await expect.poll(() => stream.isOpen || idle.isOpen).toBe(false);
    expect((await openStream(token, session)).status).toBe(401);
  });

  test('has streams that end with their token, and goes on with the next one', async () => {
    const { uri } = await board('Expired');
    const claims = { sub: ada.id, role: 'authenticated', aud: 'authenticated' };
    /** For longer where a busy machine had not opened them before the token ended. */
    async function openFor(seconds: number): Promise<{ session: string; streams: { isOpen: boolean }[] }> {
      const token = await app.services.sessions.sign(claims, 3600, Math.floor(Date.now() / 1000) + seconds);
      const session = await begin(token);
      await subscribe(token, session, uri);
      const streams = [await openStream(token, await begin(token)), await openStream(token, session)];
      return streams.every(({ status }) => status === 200) ? { session, streams } : openFor(2 * seconds);
    }
    const { session, streams } = await openFor(3);
    await expect.poll(() => streams.some(({ isOpen }) => isOpen)).toBe(false);
    const next = await openStream(ada.token, session);
    await expect.poll(() => next.told).toEqual([uri]);
  });

  test('that is older than a day is not taken up again where it is not known, as after a restart', async () => {
    const { sessions } = app.services;
    const idOf = async (begunAt: number) =>
      makeSessionId(sessions.deriveKey('mcp sessions'), holderOf(await sessions.verify(ada.token)), begunAt);
    const day = 24 * 60 * 60_000;
    const [old, younger] = [await idOf(Date.now() - day - 60_000), await idOf(Date.now() - day + 60_000)];
    const refused = await send(app, ada.token, { id: 1, method: 'tools/list' }, old);
    expect(refused).toMatchObject({ status: 404, body: { error: { data: { code: 'KB887' } } } });
    expect((await send(app, ada.token, { id: 1, method: 'tools/list' }, younger)).status).toBe(200);
  });

  test('that its client ends leaves the work that was opened for it', async () => {
    const { project, key } = await board('Left');
    const session = await begin(ada.token);
    const params = { name: 'comment', arguments: { task: `${key}-1`, body: 'Begun' } };
    const written = await send(app, ada.token, { id: 1, method: 'tools/call', params }, session);
    expect(written.body.result.isError).not.toBe(true);
    const states = () => one(ada.client.from('agent_sessions').select('state').eq('project_id', project));
    expect(await states()).toEqual([{ state: 'active' }]);
    expect((await send(app, ada.token, null, session, 'DELETE')).status).toBe(204);
    expect(await states()).toEqual([{ state: 'complete' }]);
  });

  test('works without one, as before', async () => {
    expect((await send(app, ada.token, { id: 1, method: 'tools/list' })).body.result.tools).toHaveLength(12);
    for (const method of ['GET', 'DELETE'])
      expect((await send(app, ada.token, null, undefined, method)).status).toBe(405);
  });
});
