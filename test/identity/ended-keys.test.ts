// Ends of personal keys where a door remembers who came with one: open sockets, signed addresses, and a key beside the anon key.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { TopicRights } from '../../server/realtime/topics/authorize-topic.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { openRaw, type RawSocket, type Row } from '../realtime/subscribe.ts';
import { addTask, makeProject, one } from '../sql/board.ts';

const app = forSuite(() => startApp());
let ada: TestUser;
let web: string;
let task: string;

interface Key {
  readonly id: string;
  readonly token: string;
}
/** A person of their own, an editor of Ada's project, with a project and a key of all their projects. */
interface Holder {
  readonly user: TestUser;
  readonly own: string;
  readonly key: Key;
}

beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada' });
  web = (await makeProject(app, ada, 'Web site')).project;
  task = await addTask(app, ada, { project_id: web, title: 'Draft' });
});

async function holder(): Promise<Holder> {
  const user = await app.createUser({ name: 'Bea' });
  await app.sql(`insert into public.project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
    web,
    user.id,
  ]);
  const own = (await makeProject(app, user, 'Own')).project;
  const key = await one(user.client.rpc('create_api_key', { name: 'CI', scope: 'write' }));
  return { user, own, key };
}

const revoke = ({ user, key }: Holder): Promise<unknown> => one(user.client.rpc('revoke_api_key', { key_id: key.id }));
const narrow = ({ key }: Holder): Promise<unknown> =>
  app.asUser(ada.id, 'select public.remove_api_key_from_project($1, $2)', [key.id, web]);
const ban = ({ user }: Holder): Promise<unknown> =>
  app.sql(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [user.id]);
const expire = ({ key }: Holder): Promise<unknown> =>
  app.sql(`update public.api_keys set expires_at = now() - interval '1 second' where id = $1`, [key.id]);

describe('an open socket', () => {
  let count = 0;
  async function join(socket: RawSocket, project: string, payload: Row = {}): Promise<Row> {
    const ref = String(++count);
    socket.send(ref, ref, `realtime:project:${project}`, 'phx_join', { config: { private: true }, ...payload });
    return socket.reply(ref);
  }
  const isClosed = (socket: RawSocket, project: string): Promise<unknown> =>
    socket.frames.first(([, , topic, event]) => topic === `realtime:project:${project}` && event === 'phx_close');
  const gone = { status: 'error', response: { reason: expect.stringContaining('does not exist, has expired or was') } };

  test.each([
    ['is revoked', revoke],
    ['is of a person who is banned', ban],
    ['has expired', expire],
  ])('lets nobody join with its key again that %s', async (_what, end) => {
    const held = await holder();
    const socket = await openRaw(app, { apikey: held.key.token });
    expect(await join(socket, web)).toMatchObject({ status: 'ok' });
    await end(held);
    await isClosed(socket, web);
    expect(await join(socket, web)).toMatchObject(gone);
    expect(await join(socket, held.own)).toMatchObject(gone);
    expect(await join(socket, web, { access_token: held.key.token })).toMatchObject(gone);
    socket.close();
  });

  test('closes channels at the day of its key, and lets nobody join after it', async () => {
    const held = await holder();
    const socket = await openRaw(app, { apikey: held.key.token });
    expect(await join(socket, web)).toMatchObject({ status: 'ok' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 91 * 86_400_000 });
    try {
      await isClosed(socket, web);
      expect(await join(socket, web)).toMatchObject({
        status: 'error',
        response: { reason: expect.stringContaining('expired') },
      });
    } finally {
      vi.useRealTimers();
    }
    socket.close();
  });

  test('joins with what is left to a key that lost a project', async () => {
    const held = await holder();
    const socket = await openRaw(app, { apikey: held.key.token });
    expect(await join(socket, web)).toMatchObject({ status: 'ok' });
    await narrow(held);
    await isClosed(socket, web);
    expect(await join(socket, web)).toMatchObject({
      status: 'error',
      response: { reason: expect.stringContaining('You do not have permissions') },
    });
    expect(await join(socket, held.own)).toMatchObject({ status: 'ok' });
    socket.close();
  });

  test.each([
    ['ends', revoke],
    ['loses the project', narrow],
  ])('closes a channel whose key %s while it is joined', async (_what, end) => {
    const held = await holder();
    const socket = await openRaw(app, { apikey: held.key.token });
    const listen = TopicRights.prototype.listen;
    const asked = vi.spyOn(TopicRights.prototype, 'listen').mockImplementationOnce(async function (
      this: TopicRights,
      ...of
    ) {
      const rights = await listen.apply(this, of);
      const heard = new Promise<void>((resolve) => {
        app.services.sessions.onEnd((ids) => ids.has(held.key.id) && resolve());
      });
      await end(held);
      await heard;
      return rights;
    });
    try {
      expect(await join(socket, web)).toMatchObject({ status: 'ok' });
      await isClosed(socket, web);
    } finally {
      asked.mockRestore();
    }
    socket.close();
  });
});

describe('a signed address', () => {
  const put = (url: string): Promise<number> =>
    fetch(url, { method: 'PUT', body: 'bytes', headers: { 'content-type': 'text/plain' } }).then(
      ({ status }) => status,
    );
  const get = (url: string): Promise<number> => fetch(url).then(({ status }) => status);

  async function post(
    path: string,
    token: string,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<string> {
    const answer = await app.request(`/storage/v1/${path}`, { method: 'POST', token, body, headers });
    expect(answer.status).toBe(200);
    const { url, signedURL = url } = (await answer.json()) as { url?: string; signedURL?: string };
    return `${app.url}/storage/v1${signedURL}`;
  }
  /** What the addresses of a project are answered with: an upload, a folder, a download. */
  async function addresses(token: string, folder: string): Promise<() => Promise<number[]>> {
    const name = `attachments/${folder}/${randomUUID()}.txt`;
    await post(`object/${name}`, token, 'bytes', { 'content-type': 'text/plain' });
    const upload = await post(`object/upload/sign/attachments/${folder}/${randomUUID()}.txt`, token, '', {
      'x-upsert': 'true',
    });
    const zip = await post(`zip/attachments/${folder}`, token, '{"expiresIn":3600}');
    const file = await post(`object/sign/${name}`, token, '{"expiresIn":3600}');
    return async () => [await get(file), await get(zip), await put(upload)];
  }
  const open = [200, 200, 200];
  const closed = [400, 400, 400];

  test.each([
    ['is revoked', revoke],
    ['has expired', expire],
  ])('opens nothing once the key that made it %s', async (_what, end) => {
    const held = await holder();
    const answers = await addresses(held.key.token, `${web}/${task}`);
    const own = await addresses(held.user.token, `${web}/${task}`);
    expect(await answers()).toEqual(open);
    await end(held);
    expect(await answers()).toEqual(closed);
    expect(await own()).toEqual(open);
  });

  test('opens nothing of a project that its key has lost', async () => {
    const held = await holder();
    const mine = await addTask(app, held.user, { project_id: held.own, title: 'Mine' });
    const [lost, kept] = [
      await addresses(held.key.token, `${web}/${task}`),
      await addresses(held.key.token, `${held.own}/${mine}`),
    ];
    expect(await lost()).toEqual(open);
    await narrow(held);
    expect(await lost()).toEqual(closed);
    expect(await kept()).toEqual(open);
  });
});

test('a key of more than a hundred projects is revoked by the owner of one', async () => {
  const held = await holder();
  await app.asUser(
    held.user.id,
    `select count(public.create_project_with_defaults('P' || n)) from generate_series(1, 101) n`,
  );
  await narrow(held);
  const [row] = await app.sql('select project_ids, revoked_at is null as open from public.api_keys where id = $1', [
    held.key.id,
  ]);
  expect(row).toEqual({ project_ids: null, open: false });
});
