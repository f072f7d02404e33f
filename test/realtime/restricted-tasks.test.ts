// Live changes of restricted tasks, from either source: whoever no longer sees one hears that it went, then nothing; whoever is named hears of it.

import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addMember } from '../sql/board.ts';
import { type ChangeEvent, type Events, follow, hangUp, project, type Row } from './subscribe.ts';

describe.each(['log', 'triggers'])('changes from %s', (source) => {
  const app = forSuite(() => startApp({ settings: { REALTIME_SOURCE: source } }));
  let people: Record<'owner' | 'editor' | 'insider' | 'outsider', TestUser>;
  let board: { id: string; column: string };
  beforeAll(async () => {
    const [owner, editor, insider, outsider] = await Promise.all(
      ['Olga', 'Edda', 'Ina', 'Otto'].map((name) => app.createUser({ name })),
    );
    people = { owner, editor, insider, outsider } as typeof people;
    board = await project(people.owner);
    for (const who of [people.editor, people.insider, people.outsider]) await addMember(app, board.id, who, 'editor');
  });

  const done = async (work: PromiseLike<{ error: unknown }>): Promise<void> => expect((await work).error).toBeNull();
  /** What everybody sees, sent last: what was to come before it has come. */
  async function settled(...listeners: readonly Events<ChangeEvent>[]): Promise<void> {
    const title = `Mark ${Math.random()}`;
    await done(people.owner.client.from('tasks').insert({ project_id: board.id, column_id: board.column, title }));
    for (const events of listeners) await events.first((one) => (one.new as Row).title === title, title);
  }

  test('reach those who see it, and nobody else', async () => {
    const { editor, insider, outsider } = people;
    const { client } = editor;
    const insert = { project_id: board.id, column_id: board.column, title: 'Salaries' };
    const { data } = await client.from('tasks').insert(insert).select('id').single();
    const { id } = data as { id: string };
    const tables = ['tasks', 'task_comments', 'task_activity', 'task_grants'].map((table) => ({ table }));
    const [inside, outside] = [await follow(insider.client, tables), await follow(outsider.client, tables)];
    try {
      await done(
        client.from('task_grants').insert([editor, insider].map(({ id: user_id }) => ({ task_id: id, user_id }))),
      );
      await done(client.from('tasks').update({ is_restricted: true }).eq('id', id));
      await settled(inside.events, outside.events);
      const of = ({ events }: typeof inside, since = 0) =>
        events.list
          .slice(since)
          .filter(({ table, new: now, old }) => table === 'tasks' && ((now as Row).id ?? (old as Row).id) === id)
          .map(({ eventType }) => eventType);
      expect([of(inside), of(outside)]).toEqual([['UPDATE'], ['DELETE']]);

      const [heardInside, heardOutside] = [inside.events.list.length, outside.events.list.length];
      await done(client.from('tasks').update({ title: 'Salaries of all' }).eq('id', id));
      await done(client.from('task_comments').insert({ task_id: id, body: 'Quiet' }));
      await settled(inside.events, outside.events);
      const since = JSON.stringify(outside.events.list.slice(heardOutside));
      expect(since).not.toMatch(new RegExp(`salaries|quiet|${id}`, 'i'));
      expect(JSON.stringify(inside.events.list.slice(heardInside))).toMatch(/quiet/i);

      await done(client.from('task_grants').insert({ task_id: id, user_id: outsider.id }));
      await outside.events.first(
        (one) => one.table === 'task_grants' && (one.new as Row).user_id === outsider.id,
        'the grant',
      );
      // What was changed right after it is read, not told: whoever is named asks for the rows then.
      let times = 0;
      const told = () => outside.events.list.some((one) => /told/.test(String((one.new as Row).title)));
      await expect
        .poll(async () => {
          await done(
            client
              .from('tasks')
              .update({ title: `Salaries, told ${++times}` })
              .eq('id', id),
          );
          return told();
        })
        .toBe(true);
      await done(client.from('task_grants').delete().eq('task_id', id).eq('user_id', outsider.id));
      const heard = outside.events.list.length;
      await done(client.from('tasks').update({ title: 'Salaries, untold' }).eq('id', id));
      await settled(outside.events);
      expect(JSON.stringify(outside.events.list.slice(heard))).not.toContain('untold');
    } finally {
      await hangUp(insider.client, outsider.client);
    }
  });
});
