// Events while a change waits for its policies: a broken log, a new token of a subscriber.

import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { waitersFor } from '../helpers/lock-waiters.ts';
import { person } from '../helpers/person.ts';
import { type ChangeEvent, follow, hangUp, openRaw, type Row } from './subscribe.ts';

/** Who may see a row is answered when the gate is open. Whose claims say so, or who is past all policies, may speak. */
const gated = `
  create function public.gate() returns boolean language plpgsql as $$ begin
    perform pg_advisory_xact_lock_shared(7);
    return true;
  end $$;
  grant execute on function public.gate to authenticated;
  create table public.gated (id int primary key);
  alter table public.gated enable row level security;
  alter table public.gated replica identity full;
  create policy read on public.gated for select using (id > 0 and public.gate());
  grant select on public.gated to authenticated, service_role;
  alter publication supabase_realtime add table public.gated;
  create policy listen on realtime.messages for select to authenticated using (true);
  create policy speak on realtime.messages for insert to authenticated with check ((auth.jwt() ->> 'speaks') = 'yes');
`;

const app = forSuite(() =>
  startApp({
    settings: { REALTIME_SOURCE: 'log', DB_AUTHENTICATED_TIMEOUT_MS: '120000' },
    prepare: gated,
  }),
);
const ada = person(app, 'Ada');

const add = (id: number): Promise<unknown> => app.sql('insert into public.gated (id) values ($1)', [id]);
const withId = (id: number) => (event: ChangeEvent) => (event.new as Row).id === id;
const isMissed = ({ message }: Row): boolean => /^ChangesMissed/.test(String(message));

/** A row is committed, and whether anybody may see it waits until the gate is open. */
async function addHeld(id: number): Promise<{ open(): Promise<void> }> {
  const holder = new pg.Client(connectionOptions(app.ownerUrl));
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query('select pg_advisory_lock(7)');
  await add(id);
  await expect.poll(() => app.sql(waitersFor(7)), { timeout: 20_000 }).not.toEqual([]);
  return { open: () => holder.end() };
}

test('a row held up when the log broke off is not sent after following has resumed', async () => {
  onTestFinished(() => hangUp(ada.client));
  const { events, system } = await follow(ada.client, [{ table: 'gated' }]);
  const held = await addHeld(1);
  await app.sql(
    'select pg_terminate_backend(active_pid) from pg_replication_slots where database = current_database() and active_pid is not null',
  );
  await system.first(isMissed, 'the gap');
  await system.until(
    () => (system.list.filter(({ status }) => status === 'ok').length >= 2 ? true : undefined),
    'ok again',
  );
  await held.open();
  await add(2);
  await events.first(withId(2), 'the row after the gap');
  expect(events.list.map((event) => (event.new as Row).id)).toEqual([2]);
});

test.each([
  ['of another role', 11, { role: 'service_role' }],
  ['with other claims', 13, { role: 'authenticated', speaks: 'yes' }],
])('a client showing a token %s is told to read again, and others hear everything', async (_, id, claims) => {
  onTestFinished(() => hangUp(ada.client));
  const others = await follow(ada.client, [{ table: 'gated' }]);
  const socket = await openRaw(app);
  onTestFinished(() => socket.close());
  const bob = await app.createUser({ name: 'Bob' });
  socket.send('1', '1', 'realtime:x', 'phx_join', {
    access_token: bob.token,
    config: {
      private: true,
      broadcast: { ack: true },
      postgres_changes: [{ event: '*', schema: 'public', table: 'gated' }],
    },
  });
  const told = (): Row[] => socket.frames.list.filter((one) => one[3] === 'system').map((one) => one[4]);
  const ready = (times: number) => () =>
    told().filter(({ status }) => status === 'ok').length >= times ? true : undefined;
  await socket.frames.until(ready(1), 'following');
  const held = await addHeld(id);
  const token = await app.services.sessions.sign({ sub: bob.id, ...claims }, 3600);
  socket.send('1', null, 'realtime:x', 'access_token', { access_token: token });
  // From when it counts they may speak.
  let ref = 1;
  const speak = async (): Promise<unknown> => {
    const said = `said ${++ref}`;
    socket.send('1', said, 'realtime:x', 'broadcast', { type: 'broadcast', event: 'said', payload: {} });
    return (await socket.reply(said)).status;
  };
  await expect.poll(speak, { timeout: 20_000 }).toBe('ok');
  await held.open();
  await others.events.first(withId(id), 'the row');
  await socket.frames.until(() => (told().some(isMissed) ? true : undefined), 'the gap');
  await socket.frames.until(ready(2), 'ok again');
  await add(id + 1);
  const rowsOf = (): unknown[] =>
    socket.frames.list
      .filter((one) => one[3] === 'postgres_changes')
      .map((one) => (one[4].data as { record: Row }).record.id);
  await socket.frames.until(() => (rowsOf().includes(id + 1) ? true : undefined), 'the row after it');
  expect(rowsOf()).toEqual([id + 1]);
  await others.events.first(withId(id + 1), 'the row after it');
  expect(others.system.list.filter(isMissed)).toEqual([]);
});
