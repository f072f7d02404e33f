// Calendar feeds as calendar programs ask for them, read by two parsers of others: that of Thunderbird, and one that servers use.

import ICAL from 'ical.js';
import nodeIcal from 'node-ical';
import { beforeAll, expect, it } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addMember, addRow, addTask, makeProject } from '../sql/board.ts';

let ada: TestUser;
let bob: TestUser;
let project: string;

const words =
  'Buy; sell, hold \\ “wait” – für die Lotsen 🚢 und alle, die sonst noch an Deck stehen, wenn es dunkel wird';

const app = forSuite(startApp);
beforeAll(async () => {
  ada = await app.createUser({ name: 'Ada' });
  bob = await app.createUser({ name: 'Bob' });
  ({ project } = await makeProject(app, ada, 'Harbour'));
  await addMember(app, project, bob, 'editor');
  const first = await addTask(app, ada, {
    project_id: project,
    title: words,
    start_date: '2026-11-24',
    due_date: '2026-11-26',
  });
  await addTask(app, ada, { project_id: project, title: 'One day', due_date: '2026-12-01', priority: 'p0' });
  await addTask(app, ada, { project_id: project, title: 'No day' });
  await addTask(app, ada, {
    project_id: project,
    title: 'Put away',
    due_date: '2026-12-01',
    archived_at: '2026-01-01',
  });
  await addRow(app, ada, 'task_assignees', { task_id: first, user_id: bob.id });
});

async function make(
  user: TestUser,
  values: Record<string, unknown>,
): Promise<{ id: string; path: string; name: string }> {
  const { data, error } = await user.client.rpc('create_calendar_feed', values);
  expect(error).toBeNull();
  return data;
}

async function read(path: string) {
  const answer = await app.request(path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  const text = await answer.text();
  expect(text.split('\r\n').filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
  const calendar = new ICAL.Component(ICAL.parse(text));
  const events = calendar.getAllSubcomponents('vevent').map((one) => {
    const event = new ICAL.Event(one);
    return { title: event.summary, from: event.startDate.toString(), to: event.endDate.toString() };
  });
  expect(readAgain(text)).toEqual(events);
  return { name: calendar.getFirstPropertyValue('x-wr-calname'), events };
}

/** What the other parser makes of it. */
function readAgain(text: string) {
  const day = (date: Date) => {
    expect(date).toHaveProperty('dateOnly', true);
    const [month, ofMonth] = [date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, '0'));
    return `${date.getFullYear()}-${month}-${ofMonth}`;
  };
  return Object.values(nodeIcal.sync.parseICS(text)).flatMap((one) =>
    one?.type === 'VEVENT' ? [{ title: one.summary, from: day(one.start), to: one.end && day(one.end) }] : [],
  );
}

it('a project, as all-day events, whatever stands in a title', async () => {
  const feed = await make(ada, { kind: 'project', project_id: project });
  expect(await read(feed.path)).toEqual({
    name: 'Harbour',
    events: [
      { title: expect.stringContaining('One day'), from: '2026-12-01', to: '2026-12-02' },
      { title: expect.stringContaining(words), from: '2026-11-24', to: '2026-11-27' },
    ],
  });
});

it('my tasks, and a view with its filter', async () => {
  const mine = await make(bob, { kind: 'mine' });
  expect((await read(mine.path)).events.map(({ from }) => from)).toEqual(['2026-11-24']);
  const view = await addRow(app, ada, 'saved_views', {
    project_id: project,
    name: 'Urgent',
    is_shared: true,
    filter: JSON.stringify({ all: [{ property: 'priority', is: 'is', value: 'p0' }] }),
  });
  const feed = await make(bob, { kind: 'view', view_id: view });
  expect(await read(feed.path)).toEqual({ name: 'Urgent', events: [expect.objectContaining({ from: '2026-12-01' })] });
});

it('an unchanged feed is answered 304', async () => {
  const feed = await make(ada, { kind: 'project', project_id: project });
  const first = await app.request(feed.path);
  expect(Date.parse(first.headers.get('last-modified') ?? '')).toBeGreaterThan(0);
  const etag = first.headers.get('etag') ?? '';
  const again = await app.request(feed.path, { headers: { 'If-None-Match': etag } });
  expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: '' });
});

it('an address is a secret: kept hashed, told once, made anew, ended', async () => {
  const feed = await make(ada, { kind: 'mine' });
  const token = feed.path.slice('/ical/'.length, -'.ics'.length);
  const kept = await app.sql<{ found: boolean }>(
    "select bool_or(t::text like '%' || $1 || '%') as found from (select to_jsonb(f) t from calendar_feeds f union all select to_jsonb(k) from private.calendar_feed_tokens k) x",
    [token],
  );
  expect(kept[0]?.found).toBe(false);
  const { data } = await ada.client.rpc('renew_calendar_feed', { feed_id: feed.id });
  expect((await app.request(feed.path)).status).toBe(404);
  expect((await app.request(data.path)).status).toBe(200);
  expect((await bob.client.rpc('renew_calendar_feed', { feed_id: feed.id })).status).toBe(404);
  await ada.client.from('calendar_feeds').delete().eq('id', feed.id);
  expect((await app.request(data.path)).status).toBe(404);
  expect((await app.request('/ical/guess.ics')).status).toBe(404);
});

it('shows what its owner may see, and nobody makes one of what they do not', async () => {
  const cyd = await app.createUser({ name: 'Cyd' });
  expect((await cyd.client.rpc('create_calendar_feed', { kind: 'project', project_id: project })).status).toBe(404);
  await addMember(app, project, cyd, 'viewer');
  const feed = await make(cyd, { kind: 'project', project_id: project });
  expect((await read(feed.path)).events).toHaveLength(2);
  await app.sql('delete from project_members where user_id = $1', [cyd.id]);
  expect((await app.request(feed.path)).status).toBe(404);
  const own = await make(cyd, { kind: 'mine' });
  await app.sql("update auth.users set banned_until = now() + interval '1 day' where id = $1", [cyd.id]);
  expect((await app.request(own.path)).status).toBe(404);
});

it('is asked for so often and no more', async () => {
  const feed = await make(ada, { kind: 'mine' });
  const statuses = new Set<number>();
  for (let i = 0; i < 61; i++) statuses.add((await app.request(feed.path)).status);
  expect([...statuses]).toEqual([200, 429]);
});
