// Live changes for guests, from either source: of the tasks that are shared with them, by themselves or a group, and of nothing else.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { type ChangeEvent, type Events, follow, hangUp, project, type Row } from './subscribe.ts';

describe.each(['log', 'triggers'])('changes from %s', (source) => {
  const app = forSuite(() => startApp({ settings: { REALTIME_SOURCE: source } }));
  let people: Record<'owner' | 'guest' | 'grouped', TestUser>;
  let board: { id: string; column: string };
  let group: string;
  beforeAll(async () => {
    const [owner, guest, grouped] = await Promise.all(['Olga', 'Gwen', 'Gil'].map((name) => app.createUser({ name })));
    people = { owner, guest, grouped } as typeof people;
    board = await project(people.owner);
    group = randomUUID();
    await app.sql(`insert into public.groups (id, name) values ($1, $2)`, [group, `Crew ${group}`]);
    for (const one of [people.owner, people.grouped])
      await app.sql('insert into public.group_members (group_id, user_id, is_manager) values ($1, $2, $3)', [
        ...[group, one.id],
        one === people.owner,
      ]);
  });

  const done = async (work: PromiseLike<{ error: unknown }>): Promise<void> => expect((await work).error).toBeNull();
  const add = async (title: string, more: Row = {}): Promise<string> => {
    const row = { project_id: board.id, column_id: board.column, title, ...more };
    const { data, error } = await people.owner.client.from('tasks').insert(row).select('id').single();
    expect(error).toBeNull();
    return (data as { id: string }).id;
  };
  const rename = (id: string, title: string) => done(people.owner.client.from('tasks').update({ title }).eq('id', id));

  test('reach them as far as something is shared with them, and end with it', async () => {
    const { owner, guest, grouped } = people;
    const [shown, kept] = [await add('Shown'), await add('Kept')];
    // another task of the same project, which stays theirs: what was to come before a change of it has come
    const mark = await add('Mark');
    const share = (task_id: string, who: Row) => done(owner.client.from('task_grants').insert({ task_id, ...who }));
    for (const who of [{ user_id: guest.id }, { user_id: grouped.id }]) await share(mark, who);
    await share(shown, { user_id: guest.id });
    await share(shown, { group_id: group });
    for (const { client } of [guest, grouped])
      await expect.poll(async () => (await client.from('tasks').select('id')).data).toHaveLength(2);
    const tables = ['tasks', 'task_comments', 'task_activity', 'task_grants', 'project_members'].map((table) => ({
      table,
    }));
    const [one, other] = [await follow(guest.client, tables), await follow(grouped.client, tables)];
    async function settled(...listeners: readonly Events<ChangeEvent>[]): Promise<void> {
      const title = `Mark ${randomUUID()}`;
      await rename(mark, title);
      for (const events of listeners) await events.first((event) => (event.new as Row).title === title, title);
    }
    try {
      await rename(shown, 'Shown to guests');
      await rename(kept, 'Kept from guests');
      await done(owner.client.from('task_comments').insert({ task_id: kept, body: 'Quiet' }));
      const part = await add('Part for guests', { parent_id: shown });
      await done(owner.client.from('task_comments').insert({ task_id: shown, body: 'Aloud' }));
      await settled(one.events, other.events);
      for (const { events } of [one, other]) {
        const told = JSON.stringify(events.list);
        expect(told).toContain('Shown to guests');
        expect(told).toContain('Aloud');
        expect(told).not.toMatch(new RegExp(`Kept|Quiet|${kept}`));
        expect(events.list.filter(({ table }) => ['task_activity', 'project_members'].includes(table))).toEqual([]);
      }

      await done(owner.client.from('task_grants').delete().eq('task_id', shown).eq('user_id', guest.id));
      await done(owner.client.from('group_members').delete().eq('group_id', group).eq('user_id', grouped.id));
      const heard = [one, other].map(({ events }) => events.list.length);
      await rename(shown, 'Shown no longer');
      await rename(part, 'Part no longer');
      await done(owner.client.from('task_comments').insert({ task_id: shown, body: 'Among us' }));
      await settled(one.events, other.events);
      for (const [place, { events }] of [one, other].entries())
        expect(JSON.stringify(events.list.slice(heard[place]))).not.toMatch(/no longer|Among us/);
    } finally {
      await hangUp(guest.client, grouped.client);
    }
  });
});
