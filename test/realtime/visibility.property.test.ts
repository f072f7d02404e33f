// Random writes, callers, policies and memberships: nobody receives a row, column or old row that a SELECT as them would not have shown, and
// everybody who refetches on a new membership ends up with the result of a SELECT.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { draws, seed } from '../helpers/seed.ts';
import { type ChangeEvent, type Events, follow, hangUp } from './subscribe.ts';

const tables = `
  create table public.teams_of (person uuid, team int, primary key (person, team));
  alter table public.teams_of enable row level security;
  alter table public.teams_of replica identity full;
  create policy own on public.teams_of for select using (person = auth.uid());
  grant select on public.teams_of to authenticated;
  create table public.papers (id int primary key, team int, level int not null, author uuid, title text, secret text);
  alter table public.papers enable row level security;
  alter table public.papers replica identity full;
  create policy of_team on public.papers for select using (team in (select t.team from public.teams_of t where t.person = auth.uid()));
  create policy by_author on public.papers for select using (author = auth.uid());
  create policy not_too_high on public.papers as restrictive for select using (level < 3 or author = auth.uid());
  grant select (id, team, level, author, title) on public.papers to authenticated;
  create table public.marks (id int primary key);
  grant select on public.marks to authenticated;
  alter publication supabase_realtime add table public.papers, public.teams_of, public.marks;
`;

const person = fc.nat({ max: 2 });
const team = fc.nat({ max: 2 });
const id = fc.nat({ max: 5 });
const level = fc.nat({ max: 4 });
const write = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), id, team, level, author: fc.option(person) }),
  fc.record({ kind: fc.constant('move' as const), id, team }),
  fc.record({ kind: fc.constant('raise' as const), id, level }),
  fc.record({ kind: fc.constant('delete' as const), id }),
  fc.record({ kind: fc.constant('join' as const), person, team }),
  fc.record({ kind: fc.constant('leave' as const), person, team }),
);
type Write = typeof write extends fc.Arbitrary<infer T> ? T : never;

interface Paper {
  readonly id: number;
  readonly team: number | null;
  readonly author: string | null;
  readonly title: string;
}

/** What a client holds, and which of it comes from a SELECT. */
interface Known {
  readonly rows: Map<number, Paper>;
  readonly read: Set<number>;
}

describe.each(['log', 'triggers'])('changes from %s', (source) => {
  let people: TestUser[];
  let feeds: Events<ChangeEvent>[];
  const app = forSuite(() => startApp({ settings: { REALTIME_SOURCE: source }, prepare: tables }));
  beforeAll(async () => {
    people = [];
    feeds = [];
    for (const name of ['Ada', 'Bob', 'Eve']) {
      const user = await app.createUser({ name });
      people.push(user);
      const bindings = [{ table: 'papers' }, { table: 'teams_of' }, { table: 'marks' }];
      feeds.push((await follow(user.client, bindings)).events);
    }
  });
  afterAll(async () => {
    await hangUp(...people.map(({ client }) => client));
  });

  let titles = 0;
  async function writeOne(one: Write): Promise<void> {
    const title = `title ${++titles}`;
    switch (one.kind) {
      case 'insert':
        await app.sql(
          `insert into public.papers values ($1, $2, $3, $4, $5, 'secret') on conflict (id) do update
           set team = excluded.team, level = excluded.level, author = excluded.author, title = excluded.title`,
          [one.id, one.team, one.level, one.author === null ? null : people[one.author]?.id, title],
        );
        return;
      case 'move':
        await app.sql('update public.papers set team = $2, title = $3 where id = $1', [one.id, one.team, title]);
        return;
      case 'raise':
        await app.sql('update public.papers set level = $2, title = $3 where id = $1', [one.id, one.level, title]);
        return;
      case 'delete':
        await app.sql('delete from public.papers where id = $1', [one.id]);
        return;
      case 'join':
        await app.sql('insert into public.teams_of values ($1, $2) on conflict do nothing', [
          people[one.person]?.id,
          one.team,
        ]);
        return;
      default:
        await app.sql('delete from public.teams_of where person = $1 and team = $2', [
          people[one.person]?.id,
          one.team,
        ]);
    }
  }

  const maySee = (user: TestUser): Promise<Paper[]> =>
    app.asUser<Paper & Record<string, unknown>>(
      user.id,
      'select id, team, level, author, title from public.papers order by id',
    );

  /**
   * A client: writes down what it is told, and where it joins a team, what a SELECT shows of it. That SELECT is made after all
   * the writes, so what it gave is newer than any change that is told after it.
   */
  function apply(known: Known, event: ChangeEvent, user: TestUser, readable: readonly Paper[]): void {
    const { rows, read } = known;
    if (event.table === 'teams_of') {
      const joined = (event.new as { team?: number }).team;
      const left = (event.old as { team?: number }).team;
      if (event.eventType === 'INSERT') {
        for (const row of readable)
          if (row.team === joined) {
            rows.set(row.id, row);
            read.add(row.id);
          }
      } else for (const row of [...rows.values()]) if (row.team === left && row.author !== user.id) rows.delete(row.id);
    } else if (read.has(((event.eventType === 'DELETE' ? event.old : event.new) as { id: number }).id)) return;
    else if (event.eventType === 'DELETE') rows.delete((event.old as { id: number }).id);
    else rows.set((event.new as unknown as Paper).id, event.new as unknown as Paper);
  }

  let marks = 0;
  test(`a client that follows knows exactly what a SELECT shows (SEED=${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(person, team), { maxLength: 5 }),
        fc.array(write, { minLength: 1, maxLength: 14 }),
        async (memberships, writes) => {
          await app.sql('delete from public.teams_of');
          for (const [who, of] of memberships) await writeOne({ kind: 'join', person: who, team: of });
          const start = ++marks;
          await app.sql('insert into public.marks values ($1)', [start]);
          const at = (mark: number) => (one: ChangeEvent) =>
            one.table === 'marks' && (one.new as { id: number }).id === mark;
          for (const events of feeds) await events.first(at(start), `mark ${start}`);
          const known = await Promise.all(
            people.map(async (user) => new Map((await maySee(user)).map((row) => [row.id, row]))),
          );
          // Titles and keys that somebody was ever allowed to see, by whoever it was.
          const shown = people.map(
            (_, index) => new Set([...(known[index]?.values() ?? [])].map(({ title }) => title)),
          );
          const keys = people.map((_, index) => new Set(known[index]?.keys() ?? []));
          for (const one of writes) {
            await writeOne(one);
            for (const [index, user] of people.entries())
              for (const row of await maySee(user)) {
                shown[index]?.add(row.title);
                keys[index]?.add(row.id);
              }
          }
          const end = ++marks;
          await app.sql('insert into public.marks values ($1)', [end]);
          for (const [index, events] of feeds.entries()) {
            const user = people[index] as TestUser;
            await events.first(at(end), `mark ${end}`);
            const rows = known[index] ?? new Map<number, Paper>();
            const read = new Set<number>();
            const readable = await maySee(user);
            const [from, to] = [events.list.findIndex(at(start)), events.list.findIndex(at(end))];
            for (const event of events.list.slice(from + 1, to)) {
              expect(JSON.stringify(event)).not.toContain('secret');
              if (event.table === 'papers') {
                expect(Object.keys(event.old)).toEqual(event.eventType === 'INSERT' ? [] : ['id']);
                const { title } = event.new as Partial<Paper>;
                if (event.eventType === 'DELETE') {
                  expect(event.new).toEqual({});
                  const { id: key } = event.old as { id: number };
                  expect(keys[index]?.has(key), `${user.name} heard that ${key} is gone`).toBe(true);
                } else expect(shown[index]?.has(title ?? ''), `${user.name} was shown ${title}`).toBe(true);
              } else
                expect((event.eventType === 'DELETE' ? event.old : event.new) as object).toMatchObject({
                  person: user.id,
                });
              apply({ rows, read }, event, user, readable);
            }
            expect([...rows.values()].sort((a, b) => a.id - b.id)).toEqual(readable);
          }
        },
      ),
      { numRuns: draws(32), seed },
    );
  }, 180_000);
});
