// Tables dropped and recreated, and enums replaced, while changes are followed: later changes are live.

import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { follow, hangUp, type Row } from './subscribe.ts';

const ground = `
  create type public.mood as enum ('glad', 'calm');
  create table public.cards (id int primary key, person uuid);
  alter table public.cards enable row level security;
  alter table public.cards replica identity full;
  create policy own on public.cards for select using (person = auth.uid());
  grant select on public.cards to authenticated;
  alter publication supabase_realtime add table public.cards;
`;
const letters = `
  create table public.letters (id int primary key, person uuid, mood public.mood, body text);
  create function public.is_read(one public.letters) returns boolean language plpgsql stable as $$
    declare mood public.mood;
    begin mood := one.mood; return mood is not null; end $$;
  grant execute on function public.is_read to authenticated;
  alter table public.letters enable row level security;
  alter table public.letters replica identity full;
  create policy own on public.letters for select using (person = auth.uid() and public.is_read(letters));
  grant select on public.letters to authenticated;
  alter publication supabase_realtime add table public.letters;
  create table public.slips (id int primary key, person uuid);
  alter table public.slips enable row level security;
  create policy own on public.slips for select using (person = auth.uid());
  grant select on public.slips to authenticated;
  alter publication supabase_realtime add table public.slips;
  notify pgrst, 'reload schema';
`;

describe.each(['log', 'triggers'])('from the %s', (source) => {
  let ada: TestUser;
  const app = forSuite(() => startApp({ settings: { REALTIME_SOURCE: source }, prepare: `${ground}${letters}` }));
  beforeAll(async () => {
    ada = await app.createUser({ name: 'Ada' });
  });

  async function makeLetters(): Promise<void> {
    await app.sql(`begin; ${letters} commit`);
    if (source === 'log') return;
    const triggers = "select 1 from pg_trigger where tgrelid = 'public.letters'::regclass and not tgisinternal";
    await expect.poll(() => app.sql(triggers), { timeout: 20_000 }).not.toEqual([]);
  }

  test('a table made anew is live, with filters and without, and nothing written with it is lost', async () => {
    const all = await follow(ada.client, [{ table: 'letters' }, { table: 'slips' }, { table: 'cards' }], 'all');
    const some = await follow(ada.client, [{ table: 'letters', filter: 'body=eq.yes' }], 'some');
    const pattern = await follow(ada.client, [{ table: 'letters', filter: 'body=like.y%' }], 'pattern');
    const heard = (events: typeof all.events, table: string, id: number, kind = 'INSERT') =>
      events.first(
        (one) => one.table === table && one.eventType === kind && (one.new as Row).id === id,
        `${kind} of ${table} ${id}`,
      );
    for (const round of [1, 2, 3, 4]) {
      await app.sql(`begin;
        insert into public.letters values (${round}, '${ada.id}', 'glad', 'yes');
        insert into public.slips values (${round}, '${ada.id}');
        insert into public.cards values (${round}, '${ada.id}');
        commit`);
      await heard(all.events, 'letters', round);
      await heard(all.events, 'slips', round);
      await heard(all.events, 'cards', round);
      await heard(some.events, 'letters', round);
      await heard(pattern.events, 'letters', round);
      await app.sql(`update public.letters set body = 'yes!' where id = ${round}`);
      await heard(all.events, 'letters', round, 'UPDATE');
      await app.sql('drop table public.letters, public.slips cascade');
      await makeLetters();
    }
    for (const { system } of [all, some, pattern])
      expect(system.list.filter(({ status }) => status !== 'ok')).toEqual([]);
    await hangUp(ada.client);
  });

  test('an enum that is replaced leaves its table live', async () => {
    const { events, system } = await follow(ada.client, [{ table: 'letters', filter: 'mood=neq.calm' }]);
    for (const round of [11, 12, 13]) {
      await app.sql(`insert into public.letters values (${round}, '${ada.id}', 'glad', 'yes')`);
      await events.first((one) => one.eventType === 'INSERT' && (one.new as Row).id === round, `letter ${round}`);
      await app.sql(`begin;
        alter type public.mood rename to mood_before;
        create type public.mood as enum ('glad', 'calm', 'new${round}');
        alter table public.letters alter column mood type public.mood using mood::text::public.mood;
        drop type public.mood_before;
        commit`);
    }
    expect(system.list.filter(({ status }) => status !== 'ok')).toEqual([]);
    await hangUp(ada.client);
  });
});
