// Push messages, as a push service and a browser receive them: encrypted for that browser alone, signed by the service, only while the
// session lasts, and never to a host that is not listed.

import { createVerify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isListed } from '../../../server/background/push/send-push.ts';
import { startPush } from '../../../server/background/push/start-push.ts';
import { textsIn } from '../../../server/texts/texts.ts';
import { startApp, type TestUser } from '../../helpers/app.ts';
import { forSuite } from '../../helpers/for-suite.ts';
import { person } from '../../helpers/person.ts';
import { addMember, addRow, addTask, makeProject, one } from '../../sql/board.ts';
import { makeBrowser, startPushService } from './push-service.ts';

const service = forSuite(startPushService);
const app = forSuite(() => startApp({ settings: { PUSH_SERVICES: service.host } }));
forSuite(() => startPush(app.services));
const bob = person(app, 'Bob Byron');

/** Somebody signed in, with a project in which Bob writes, and one task. */
async function begin(name: string) {
  const { id, email } = await app.createUser({ name });
  const [{ session } = { session: '' }] = await app.sql<{ session: string }>(
    'insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1) returning id as session',
    [id],
  );
  const token = await app.services.sessions.sign(
    { sub: id, role: 'authenticated', aud: 'authenticated', email, session_id: session },
    3600,
  );
  const person = { id, email, name, password: '', token, client: app.client({ token }) };
  const { project } = await makeProject(app, person, 'Harbour');
  await addMember(app, project, bob, 'editor');
  const task = await addTask(app, person, { project_id: project, title: 'Paint the crane' });
  const browser = makeBrowser();
  const subscribe = (path: string) =>
    one(
      person.client.rpc('save_push_subscription', {
        endpoint: `http://${service.host}${path}`,
        p256dh: browser.p256dh,
        auth: browser.auth,
      }),
    );
  return { person, session, project, task, browser, subscribe };
}

const subscriptions = (person: TestUser) =>
  app.sql('select id from public.push_subscriptions where user_id = $1', [person.id]);

const waiting = (person: TestUser) =>
  app.sql("select from private.notification_deliveries where way = 'push' and user_id = $1", [person.id]);
/** As if the minutes until the next attempt were over. */
const tryAgain = (person: TestUser) =>
  app.sql(
    `with due as (update private.notification_deliveries set due_at = now() where way = 'push' and user_id = $1 returning 1)
     select pg_notify('kanbase_push', '') from due`,
    [person.id],
  );
const heard = (at: string) => service.received.filter(({ path }) => path === at);

describe('a message', () => {
  it.each([
    ['de', 'Grete'],
    ['fr', 'Marie'],
  ])('comes in the language the account has chosen: %s', async (language, name) => {
    const { person, task, browser, subscribe } = await begin(name);
    await app.sql('update auth.users set raw_user_meta_data = raw_user_meta_data || $2 where id = $1', [
      person.id,
      JSON.stringify({ language }),
    ]);
    await subscribe(`/${language}`);
    await addRow(app, bob, 'task_comments', { task_id: task, body: `Hallo, @${name}?` });
    const { body } = await service.next(`/${language}`);
    expect(browser.open(body)).toMatchObject({
      body: textsIn(language)
        .t('push.mentioned', { who: 'Bob Byron', excerpt: `Hallo, @${name}?` })
        .replaceAll(/\s/g, ' '),
    });
  });

  it('reaches the browser encrypted for it and signed with the key it subscribed with', async () => {
    const { task, browser, subscribe, project } = await begin('Ada');
    await subscribe('/ada');
    await addRow(app, bob, 'task_comments', { task_id: task, body: 'Which **colour**, @Ada?' });
    const { headers, body } = await service.next('/ada');
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'normal' });
    expect(body.toString('latin1')).not.toContain('colour');
    expect(browser.open(body)).toEqual({
      title: expect.stringMatching(/^[A-Z]+-1 Paint the crane$/),
      body: textsIn('en').t('push.mentioned', { who: 'Bob Byron', excerpt: 'Which colour, @Ada?' }),
      url: `/app/inbox/${project}/1`,
      tag: task,
      unread: 1,
    });

    const [, jwt = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(headers.authorization ?? '') ?? [];
    const { data: known } = await bob.client.rpc('push_key');
    expect(key).toBe(known);
    const [head = '', claims = '', signature = ''] = jwt.split('.');
    const point = Buffer.from(key, 'base64url');
    const verify = createVerify('sha256').update(`${head}.${claims}`);
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    expect(
      verify.verify({ key: jwk, format: 'jwk', dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')),
    ).toBe(true);
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      aud: `http://${service.host}`,
      sub: expect.stringMatching(/^(https:|mailto:)/),
    });
  });

  it('is not sent for what somebody does not want pushed, nor about one’s own doing', async () => {
    const { person, task, subscribe } = await begin('Nora');
    await subscribe('/nora');
    await one(
      person.client.from('notification_settings').insert({ kind: 'commented', mail: 'off', push: false }).select(),
    );
    await addRow(app, person, 'task_comments', { task_id: task, body: 'Note to myself' });
    await addRow(app, bob, 'task_comments', { task_id: task, body: 'Hello' });
    expect(await waiting(person)).toEqual([]);
  });
});

describe('a browser', () => {
  it('with unusable keys is forgotten, and the others are notified once; only the newest 20 are kept', async () => {
    const { person, task, subscribe } = await begin('Mia');
    await subscribe('/mia');
    const broken = { endpoint: `http://${service.host}/broken`, p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) };
    await one(person.client.rpc('save_push_subscription', broken));
    expect(await subscriptions(person)).toHaveLength(2);
    await addRow(app, bob, 'task_comments', { task_id: task, body: 'Hello' });
    await service.next('/mia');
    await expect.poll(() => subscriptions(person), { timeout: 60_000 }).toHaveLength(1);
    expect(heard('/mia')).toHaveLength(1);
    expect(await waiting(person)).toEqual([]);

    for (let n = 0; n < 21; n++) await subscribe(`/mia/${n}`);
    const kept = await app.sql<{ endpoint: string }>(
      'select endpoint from public.push_subscriptions where user_id = $1 order by updated_at',
      [person.id],
    );
    expect(kept).toHaveLength(20);
    expect([kept[0]?.endpoint, kept.at(-1)?.endpoint]).toEqual([
      expect.stringMatching(/mia\/1$/),
      expect.stringMatching(/mia\/20$/),
    ]);
  });

  it('that the push service knows no more is forgotten', async () => {
    const { person, task, subscribe } = await begin('Gone');
    await subscribe('/gone?status=410');
    await subscribe('/unknown?status=404');
    await addRow(app, bob, 'task_comments', { task_id: task, body: 'Hello' });
    await expect.poll(() => subscriptions(person), { timeout: 60_000 }).toEqual([]);
    expect(service.received.filter(({ path }) => /gone|unknown/.test(path))).toHaveLength(2);
  });

  it('is tried again when its push service is at fault, and kept', async () => {
    const { person, task, subscribe } = await begin('Later');
    await subscribe('/later?status=503');
    await addRow(app, bob, 'task_comments', { task_id: task, body: 'Hello' });
    await service.next('/later?status=503');
    await expect
      .poll(
        () =>
          app.sql(
            "select attempts, due_at > now() as later from private.notification_deliveries where way = 'push' and user_id = $1",
            [person.id],
          ),
        { timeout: 60_000 },
      )
      .toEqual([{ attempts: 1, later: true }]);
    expect(await subscriptions(person)).toHaveLength(1);
  });

  it('that has a message hears it no more when it is tried again at another one', async () => {
    const { person, task, subscribe } = await begin('Both');
    const [has, lacks] = ['/has', '/lacks?first=503'] as const;
    await subscribe(has);
    await subscribe(lacks);
    await addRow(app, bob, 'task_comments', { task_id: task, body: 'Hello' });
    await Promise.all([service.next(has), service.next(lacks)]);
    await tryAgain(person);
    await expect.poll(() => waiting(person), { timeout: 60_000 }).toEqual([]);
    expect(heard(has)).toHaveLength(1);
    expect(heard(lacks)).toHaveLength(2);
  });

  it('that has a message is noted while another one still keeps its push service waiting', async () => {
    const { person: quick, project, task, subscribe } = await begin('Quick');
    await subscribe('/quick');
    const { person: slow, subscribe: subscribeSlow } = await begin('Slow');
    // Before there is a browser that would be told of it.
    await addMember(app, project, slow, 'editor');
    await subscribeSlow('/held');
    // Both are taken at once.
    await addRow(app, bob, 'task_comments', { task_id: task, body: 'Hello @Quick and @Slow' });
    await Promise.all([service.next('/quick'), service.next('/held')]);
    await expect.poll(() => waiting(quick)).toEqual([]);
    expect(await waiting(slow)).toHaveLength(1);
    service.release();
    await expect.poll(() => waiting(slow)).toEqual([]);
    expect(heard('/held')).toHaveLength(1);
  });

  it('that has a message hears it no more where that could not be written down at once', async () => {
    const { person, task, subscribe } = await begin('Unwritten');
    await subscribe('/unwritten');
    await app.sql(`
      create sequence private.refusals;
      create function private.refuse_note() returns trigger language plpgsql security definer as $$
      begin
        perform nextval('private.refusals');
        raise exception 'no room to write';
      end $$;
      create trigger refuse_note before delete on private.notification_deliveries for each row
        when (old.user_id = '${person.id}') execute function private.refuse_note()`);
    await addRow(app, bob, 'task_comments', { task_id: task, body: 'Hello' });
    await expect
      .poll(() => app.sql('select is_called from private.refusals'), { timeout: 60_000 })
      .toEqual([{ is_called: true }]);
    await app.sql('drop function private.refuse_note() cascade; drop sequence private.refusals');
    await tryAgain(person);
    await expect.poll(() => waiting(person), { timeout: 60_000 }).toEqual([]);
    expect(heard('/unwritten')).toHaveLength(1);
  });

  it('hears nothing more once its session has ended', async () => {
    const { person, session, subscribe } = await begin('Ended');
    await subscribe('/ended');
    expect(await subscriptions(person)).toHaveLength(1);
    await one(
      person.client.rpc('end_my_session', { session_id: session }).then((answer) => ({ ...answer, data: true })),
    );
    expect(await subscriptions(person)).toEqual([]);
  });

  it('is its person’s: nobody selects its address or keys, nobody else turns it off, and it takes a session', async () => {
    const { person, subscribe } = await begin('Own');
    await subscribe('/own');
    const rows = await one(person.client.from('push_subscriptions').select('id, user_id'));
    expect(rows).toHaveLength(1);
    for (const column of ['endpoint', 'p256dh', 'auth', '*'])
      expect((await person.client.from('push_subscriptions').select(column)).error?.code).toBe('42501');
    expect((await bob.client.from('push_subscriptions').select('id')).data).toEqual([]);
    await bob.client.rpc('drop_push_subscription', { endpoint: `http://${service.host}/own` });
    expect(await subscriptions(person)).toHaveLength(1);
    const { p256dh, auth } = makeBrowser();
    expect(
      (await bob.client.rpc('save_push_subscription', { endpoint: `http://${service.host}/bob`, p256dh, auth })).error,
    ).toMatchObject({ code: '42501', message: expect.stringContaining('session') });
    await person.client.rpc('drop_push_subscription', { endpoint: `http://${service.host}/own` });
    expect(await subscriptions(person)).toEqual([]);
  });
});

it('the keys are made once and shared by all nodes, the private one unreadable in the database', async () => {
  const before = await app.sql<{ public_key: string; sealed_private_key: string }>('select * from private.push_keys');
  const nodes = await Promise.all([startPush(app.services), startPush(app.services)]);
  await Promise.all(nodes.map((node) => node.stop()));
  expect(await app.sql('select * from private.push_keys')).toEqual(before);
  expect(before[0]?.sealed_private_key.length).toBeGreaterThan(80);
});

it.each([
  ['https://fcm.googleapis.com/fcm/send/x', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/x', true],
  ['http://fcm.googleapis.com/x', false],
  ['https://fcm.googleapis.com.evil.test/x', false],
  ['https://evilfcm.googleapis.com@127.0.0.1/x', false],
  ['https://127.0.0.1/x', false],
  ['http://169.254.169.254/latest', false],
  ['no address', false],
])('%s is a push service: %s', (endpoint, listed) => {
  expect(isListed(endpoint, ['fcm.googleapis.com', 'push.services.mozilla.com'])).toBe(listed);
});
