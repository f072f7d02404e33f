// Membership tables that are not published: a subscriber who gains access in the transaction that writes a row gets the row, and nobody else does.

import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { follow, hangUp, type Row } from './subscribe.ts';

const crews = `
  create table public.crews (person uuid, crew int, primary key (person, crew));
  alter table public.crews enable row level security;
  create policy own on public.crews for select using (person = auth.uid());
  grant select on public.crews to authenticated;
  create table public.letters (id int primary key, crew int, body text);
  alter table public.letters enable row level security;
  alter table public.letters replica identity full;
  create policy of_crew on public.letters for select using (crew in (select c.crew from public.crews c where c.person = auth.uid()));
  grant select on public.letters to authenticated;
  alter publication supabase_realtime add table public.letters;
`;

describe.each(['log', 'triggers'])('from the %s', (source) => {
  let owner: TestUser;
  const app = forSuite(() => startApp({ settings: { REALTIME_SOURCE: source }, prepare: crews }));
  beforeAll(async () => {
    owner = await app.createUser({ name: 'Ada' });
    await app.sql('insert into public.crews values ($1, 1)', [owner.id]);
  });

  test('five who join one after the other, each with a letter, hear of their own letter and of no earlier one', async () => {
    const first = await follow(owner.client, [{ table: 'letters' }]);
    const people = await Promise.all(
      [1, 2, 3, 4, 5].map(async (letter) => {
        const user = await app.createUser({ name: `Bob ${letter}` });
        return { letter, user, ...(await follow(user.client, [{ table: 'letters' }])) };
      }),
    );
    for (const { letter, user } of people)
      await app.sql(`begin;
        insert into public.crews values ('${user.id}', 1);
        insert into public.letters values (${letter}, 1, 'said');
        commit`);
    await app.sql("insert into public.letters values (6, 1, 'end')");
    await first.events.first((one) => (one.new as Row).id === 6);
    for (const { letter, user, events } of people) {
      await events.first((one) => (one.new as Row).id === 6, 'the last letter');
      const heard = events.list.map((one) => Number((one.new as Row).id));
      expect(heard).toContain(letter);
      // Each letter that they may read, those before them included, stands there as they were told of it.
      expect(events.list.every(({ eventType }) => eventType === 'INSERT')).toBe(true);
      await hangUp(user.client);
    }
    await hangUp(owner.client);
  });

  test('a version that was gone before somebody joined is not sent to them', async () => {
    const first = await follow(owner.client, [{ table: 'letters' }]);
    const late = await app.createUser({ name: 'Late' });
    const { events } = await follow(late.client, [{ table: 'letters' }]);
    await app.sql(`do $$ begin
      insert into public.letters values (11, 1, 'first words');
      commit;
      update public.letters set body = 'second words' where id = 11;
      commit;
      insert into public.crews values ('${late.id}', 1);
      commit;
      insert into public.letters values (12, 1, 'end');
    end $$`);
    await first.events.first((one) => (one.new as Row).id === 12);
    await events.first((one) => (one.new as Row).id === 12, 'the last letter');
    expect(JSON.stringify(events.list)).not.toContain('first words');
    await hangUp(owner.client, late.client);
  });
});
