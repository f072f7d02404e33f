// Tests that people keep nothing of what a group alone gave them, however they leave it: signed addresses, calendar feeds, exports under way and
// push messages of a project; addresses, exports, claims and notifications of restricted tasks. Live channels: test/realtime/left-groups.test.ts.

import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { beforeAll, expect, test } from 'vitest';
// Sets a variable of the environment when it is loaded: before this file is looked at.
import 'sharp';
import { startPush } from '../../server/background/push/start-push.ts';
import { startExports } from '../../server/exports/start-exports.ts';
import { type FilesForExports, openForExports } from '../../server/files/open-for-exports.ts';
import { makeBrowser, startPushService } from '../background/push/push-service.ts';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { person } from '../helpers/person.ts';
import { provider } from '../scim/provider.ts';
import { addMember, addRow, makeGroup, makeProject, one } from '../sql/board.ts';
import {
  allWays,
  type Member,
  makeAll,
  makeClosedBucket,
  makeMember,
  openOnes,
  waysApart,
} from './access-without-session.ts';

const service = forSuite(startPushService);
const app = forSuite(() => startApp({ settings: { RATE_LIMITS: 'false', PUSH_SERVICES: service.host } }));
forSuite(() => startPush(app.services));
/** Exports wait here before they are stored, once a test holds them. */
const gate: { arrived(): void; opened: Promise<void> } = { arrived: () => undefined, opened: Promise.resolve() };
const exports = forSuite(async () => startExports(app.services, gated(await openForExports(app.services.config))));
const entra = provider(app, 'Entra');
const [owner, stayer] = [person(app, 'Olga Owner'), person(app, 'Stella Stays')];
let project: string;

beforeAll(async () => {
  ({ project } = await makeProject(app, owner, 'Harbour'));
  await addMember(app, project, stayer, 'editor');
  await makeClosedBucket(app);
});

function gated(files: FilesForExports): FilesForExports {
  return {
    ...files,
    async put(version, bytes) {
      gate.arrived();
      await gate.opened;
      return files.put(version, bytes);
    },
  };
}

/** The exports that begin from here on; resolves once one of them is being written. */
async function holdExports(begin: () => Promise<unknown>): Promise<() => void> {
  let release = (): void => undefined;
  gate.opened = new Promise((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    gate.arrived = resolve;
  });
  await begin();
  await arrived;
  return release;
}

/** Brings a group into the project as an editor, as an owner does who sees it. */
const bring = (group: string) =>
  app.sql("insert into public.project_members (project_id, group_id, role) values ($1, $2, 'editor')", [
    project,
    group,
  ]);

async function groupByHand({ id: user_id }: TestUser): Promise<string> {
  const group_id = await makeGroup(app, owner);
  await one(owner.client.from('group_members').insert({ group_id, user_id }).select());
  await bring(group_id);
  return group_id;
}

async function groupByScim({ id, email }: TestUser): Promise<string> {
  expect((await entra.addUser(email)).id).toBe(id);
  const group = await entra.addGroup(`Crew of ${email}`, [id]);
  await bring(group.id);
  return group.id;
}

interface Departure {
  readonly join: (who: TestUser) => Promise<string>;
  readonly leave: (group: string, user_id: string) => Promise<unknown>;
}

const scim = async (answer: Promise<{ status: number }>) => expect((await answer).status).toBe(204);
const departures: Readonly<Record<string, Departure>> = {
  'taken out of the group by hand': {
    join: groupByHand,
    leave: (group_id, user_id) =>
      one(owner.client.from('group_members').delete().match({ group_id, user_id }).select().single()),
  },
  'the group deleted by hand': {
    join: groupByHand,
    leave: (group) => one(owner.client.from('groups').delete().eq('id', group).select().single()),
  },
  'the group taken out of the project': {
    join: groupByHand,
    leave: (group_id) =>
      one(owner.client.from('project_members').delete().match({ project_id: project, group_id }).select().single()),
  },
  'taken out of the group by SCIM': {
    join: groupByScim,
    leave: (group, id) => scim(entra.patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${id}"]` })),
  },
  'the group deleted by SCIM': {
    join: groupByScim,
    leave: (group) => scim(entra.send('DELETE', `/Groups/${group}`)),
  },
};

/** A browser of somebody with a session, at a push service that fails the first time. */
async function subscribe({ id }: TestUser): Promise<string> {
  const [{ session } = { session: '' }] = await app.sql<{ session: string }>(
    'insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1) returning id as session',
    [id],
  );
  const token = await app.services.sessions.sign(
    { sub: id, role: 'authenticated', aud: 'authenticated', session_id: session },
    600,
  );
  const path = `/${randomUUID()}?first=503`;
  const { p256dh, auth } = makeBrowser();
  await one(
    app.client({ token }).rpc('save_push_subscription', { endpoint: `http://${service.host}${path}`, p256dh, auth }),
  );
  return path;
}

const pushesTo = (path: string) => service.received.filter((one) => one.path === path);
const queuedFor = ({ id }: TestUser) =>
  app.sql("select from private.notification_deliveries where way = 'push' and user_id = $1", [id]);

/** A comment that names both, and the messages that failed before, as if their minutes were over. */
async function mention(who: readonly TestUser[], task_id: string): Promise<void> {
  const body = who.map(({ id, name }) => `@[${name}](${id})`).join(' ');
  await addRow(app, owner, 'task_comments', { task_id, body });
}
const tryAgain = () =>
  app.sql(
    `with due as (update private.notification_deliveries set due_at = now() where way = 'push' returning 1)
     select pg_notify('kanbase_push', '') from due`,
  );

const taskOf = ({ path }: Member): string => path.split('/')[1] ?? '';
const textAt = async (path: string): Promise<string> => (await app.request(path, { token: null })).text();

test.each(Object.keys(departures))('%s: nothing of the project is left', async (name) => {
  const { join, leave } = departures[name] as Departure;
  let group = '';
  const member = await makeMember(app, {
    ...{ project, exports },
    join: async (who) => {
      group = await join(who);
    },
  });
  const task_id = taskOf(member);
  await addRow(app, member, 'task_assignees', { task_id, user_id: member.id });
  const feed = await one(member.client.rpc('create_calendar_feed', { kind: 'mine' }));
  const made = await makeAll(app, member);
  expect(await openOnes(made)).toEqual(allWays);
  expect(await textAt(feed.path)).toContain('Paint the crane');
  const [leaving, staying] = [await subscribe(member), await subscribe(stayer)];
  await mention([member, stayer], task_id);
  for (const path of [leaving, staying]) await service.next(path);
  const release = await holdExports(() =>
    one(member.client.rpc('begin_export', { format: 'json', project_id: project })),
  );

  try {
    await leave(group, member.id);
    expect(await openOnes(made)).toEqual(waysApart);
    expect(await textAt(feed.path)).not.toContain('crane');
  } finally {
    release();
  }
  await exports.settle();
  expect(await one(member.client.rpc('my_exports'))).toEqual([]);
  expect(await one(member.client.storage.from('exports').list(member.id))).toEqual([]);
  expect(await queuedFor(member)).toEqual([]);
  await mention([member, stayer], task_id);
  expect(await queuedFor(member)).toEqual([]);
  await tryAgain();
  await expect.poll(() => pushesTo(staying).length, { timeout: 60_000 }).toBeGreaterThan(1);
  expect(pushesTo(leaving)).toHaveLength(1);
});

interface Loss {
  /** Lets a member of the project see the task that is to be restricted, and answers how that ends. */
  readonly gain: (task: Named, who: TestUser) => Promise<() => Promise<unknown>>;
}
interface Named {
  readonly project: string;
  readonly task: string;
}

const restrict = (task: string) =>
  one(owner.client.from('tasks').update({ is_restricted: true }).eq('id', task).select().single());
const groupOf = async (user_id: string): Promise<string> => {
  const group_id = await makeGroup(app, owner);
  await one(owner.client.from('group_members').insert({ group_id, user_id }).select());
  return group_id;
};
const leaveGroup = (group_id: string, user_id: string) =>
  one(owner.client.from('group_members').delete().match({ group_id, user_id }).select().single());

const losses: Readonly<Record<string, Loss>> = {
  'they leave the group that is named': {
    async gain({ project: project_id, task: task_id }, { id }) {
      const group_id = await groupOf(id);
      await one(owner.client.from('task_grants').insert({ project_id, task_id, group_id }).select());
      await restrict(task_id);
      return () => leaveGroup(group_id, id);
    },
  },
  'they are named no longer': {
    async gain({ project: project_id, task: task_id }, { id: user_id }) {
      await one(owner.client.from('task_grants').insert({ project_id, task_id, user_id }).select());
      await restrict(task_id);
      return () => one(owner.client.from('task_grants').delete().match({ task_id, user_id }).select().single());
    },
  },
  'they leave the group that made them an owner': {
    async gain({ project: project_id, task }, { id }) {
      const group_id = await groupOf(id);
      await one(owner.client.from('project_members').insert({ project_id, group_id, role: 'owner' }).select());
      await restrict(task);
      return () => leaveGroup(group_id, id);
    },
  },
  'it becomes a restricted one': {
    gain:
      async ({ task }) =>
      () =>
        restrict(task),
  },
};

const opensNow = async (address: string): Promise<boolean> => (await fetch(address)).ok;

test.each(Object.keys(losses))('a task that a member no longer sees, as %s: nothing of it is left', async (name) => {
  const { project: own } = await makeProject(app, owner, 'Dock');
  const task = await addRow(app, owner, 'tasks', { project_id: own, title: 'Salaries' });
  let lose: () => Promise<unknown> = async () => undefined;
  const member = await makeMember(app, {
    ...{ project: own, exports },
    async join(who) {
      await addMember(app, own, who, 'editor');
      lose = await (losses[name] as Loss).gain({ project: own, task }, who);
    },
  });
  // No row of task_attachments: it was uploaded, and nothing more.
  const bare = `${own}/${task}/bare.txt`;
  await one(owner.client.storage.from('attachments').upload(bare, new Blob(['sums'])));
  const link = async (bucket: string, path: string) =>
    (await one(member.client.storage.from(bucket).createSignedUrl(path, 600))).signedUrl;
  const links = [await link('attachments', bare), await link('exports', member.exported)];
  const ofOthers = await link('attachments', member.path);
  for (let tasks = 0; tasks < 2; tasks++) await one(member.client.rpc('claim_next_task', { project: own }));
  await mention([member], task);
  const claims = () => one(owner.client.from('task_claims').select('outcome').eq('task_id', task));
  const news = () => one(member.client.from('notifications').select('kind').eq('task_id', task));
  expect([await Promise.all(links.map(opensNow)), await claims(), await news()]).toEqual([
    [true, true],
    [{ outcome: null }],
    [{ kind: 'mentioned' }],
  ]);

  await lose();
  expect([await Promise.all(links.map(opensNow)), await claims(), await news()]).toEqual([
    [false, false],
    [{ outcome: 'released' }],
    [],
  ]);
  expect(await opensNow(ofOthers)).toBe(true);
});

test('a guest who leaves one of two groups keeps no export of the tasks of both', async () => {
  const { project: project_id } = await makeProject(app, owner, 'Dock');
  const guest = await app.createUser({ name: 'Gus Guest' });
  const groups = [await groupOf(guest.id), await groupOf(guest.id)] as const;
  const titles = ['Paint', 'Salaries'];
  for (const [at, group_id] of groups.entries()) {
    const task_id = await addRow(app, owner, 'tasks', { project_id, title: titles[at] });
    await one(owner.client.from('task_grants').insert({ project_id, task_id, group_id, level: 'see' }).select());
  }
  const exported = async (): Promise<string> => {
    await one(guest.client.rpc('begin_export', { format: 'csv' }));
    await exports.settle();
    const [made] = (await one(guest.client.rpc('my_exports'))) as { path: string }[];
    return (await one(guest.client.storage.from('exports').createSignedUrl(made?.path ?? '', 600))).signedUrl;
  };
  const both = await exported();
  expect(await (await fetch(both)).text()).toMatch(/Paint.*Salaries/s);
  await leaveGroup(groups[1], guest.id);
  expect(await opensNow(both)).toBe(false);
  const text = await (await fetch(await exported())).text();
  expect(text).toContain('Paint');
  expect(text).not.toContain('Salaries');
});

/** What the owner of the tables does in a transaction that ends with the test's say. */
async function inTransaction(work: (held: Client) => Promise<unknown>): Promise<() => Promise<void>> {
  const held = new Client(app.ownerUrl);
  await held.connect();
  await held.query('begin');
  await work(held);
  return async () => {
    await held.query('commit');
    await held.end();
  };
}

test('an export that waits while its person leaves begins when they have left', async () => {
  const leaver = await app.createUser({ name: 'Lea Leaver' });
  const group_id = await groupByHand(leaver);
  const release = await holdExports(() =>
    one(stayer.client.rpc('begin_export', { format: 'json', project_id: project })),
  );
  await one(leaver.client.rpc('begin_export', { format: 'json', project_id: project }));
  const commit = await inTransaction((held) =>
    held.query('delete from public.group_members where group_id = $1 and user_id = $2', [group_id, leaver.id]),
  );
  const listed = async () => (await one(leaver.client.rpc('my_exports'))) as { state: string; error: string | null }[];
  try {
    release();
    await exports.settle();
    expect(await listed()).toMatchObject([{ state: 'waiting' }]);
  } finally {
    await commit();
  }
  await expect.poll(listed, { timeout: 60_000 }).toMatchObject([{ state: 'failed', error: 'gone' }]);
});

test('a comment that names somebody, and is written while they leave, is sent to others alone', async () => {
  const leaver = await app.createUser({ name: 'Lea Leaver' });
  const group_id = await groupByHand(leaver);
  const task_id = await addRow(app, owner, 'tasks', { project_id: project, title: 'Paint the crane' });
  const [leaving, staying] = [await subscribe(leaver), await subscribe(stayer)];
  const commit = await inTransaction(async (held) => {
    await held.query("select set_config('request.jwt.claims', $1, true)", [
      JSON.stringify({ sub: owner.id, role: 'authenticated' }),
    ]);
    await held.query('set local role authenticated');
    const body = [leaver, stayer].map(({ id, name }) => `@[${name}](${id})`).join(' ');
    await held.query('insert into public.task_comments (task_id, body) values ($1, $2)', [task_id, body]);
  });
  try {
    await leaveGroup(group_id, leaver.id);
  } finally {
    await commit();
  }
  const triesOf = async ({ id }: TestUser) =>
    app.sql("select attempts from private.notification_deliveries where way = 'push' and user_id = $1", [id]);
  await service.next(staying);
  await expect.poll(() => triesOf(leaver), { timeout: 60_000 }).toEqual([{ attempts: 1 }]);
  expect(pushesTo(leaving)).toEqual([]);
  await app.sql("update private.notification_deliveries set due_at = now() where way = 'mail'");
  await app.sql('select private.compose_notification_mails()');
  const mails = await app.sql<{ email: string }>('select recipient as email from private.outbox');
  expect(mails.map(({ email }) => email)).toContain(stayer.email);
  expect(mails.map(({ email }) => email)).not.toContain(leaver.email);
});
