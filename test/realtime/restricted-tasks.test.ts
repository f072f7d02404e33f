// Live changes of restricted tasks, from either source: whoever no longer sees one hears that it went, then nothing; whoever is named hears of it.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestUser } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { addMember } from '../sql/board.ts';
import { type ChangeEvent, Events, follow, hangUp, project, type Row, subscribe } from './subscribe.ts';

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

  test('leave its topic to those who see it: presence and words, joined before or after', async () => {
    const { owner, editor, insider, outsider } = people;
    const { data } = await editor.client
      .from('tasks')
      .insert({ project_id: board.id, column_id: board.column, title: 'Watched' })
      .select('id')
      .single();
    const { id } = data as { id: string };
    const topicOf = (task: string, after = '') => `project:${board.id}:task:${task}${after}`;
    const config = { private: true };
    const joins = async ({ client }: TestUser, topic: string): Promise<string> => {
      await client.realtime.setAuth();
      const channel = client.channel(topic, { config });
      const came = await subscribe(channel).then(
        () => 'let in',
        (error: unknown) => String(error),
      );
      await client.removeChannel(channel);
      return came;
    };
    const speaks = ({ client }: TestUser, topic: string) =>
      client
        .channel(topic, { config })
        .httpSend('word', {})
        .then(
          ({ success }) => success,
          () => false,
        );
    const listen = async ({ client }: TestUser) => {
      await client.realtime.setAuth();
      const heard = new Events<Row>();
      const channel = client
        .channel(topicOf(id), { config: { ...config, presence: { key: client === insider.client ? 'in' : 'out' } } })
        .on('broadcast', { event: '*' }, ({ event }) => heard.add({ event }))
        .on('presence', { event: 'join' }, ({ key }) => heard.add({ event: `${key} is here` }));
      const closed = new Promise<void>((resolve) => {
        subscribe(channel)
          .then(() => heard.add({ event: 'joined' }))
          .catch(() => heard.add({ event: 'refused' }));
        channel.on('system', {}, ({ message }: { message: string }) => {
          if (/no longer have permission/.test(message)) resolve();
        });
      });
      await heard.first(({ event }) => event === 'joined', 'the join');
      return { channel, heard, closed };
    };
    try {
      const [inside, outside] = [await listen(insider), await listen(outsider)];
      await done(
        editor.client
          .from('task_grants')
          .insert([editor, insider].map(({ id: user_id }) => ({ task_id: id, user_id }))),
      );
      await done(editor.client.from('tasks').update({ is_restricted: true }).eq('id', id));
      await outside.closed;
      const heardBefore = outside.heard.list.length;
      await inside.channel.track({ at: 'it' });
      await inside.heard.first(({ event }) => event === 'in is here', 'presence');
      expect(await speaks(owner, topicOf(id))).toBe(true);
      await inside.heard.first(({ event }) => event === 'word', 'the word');
      expect(outside.heard.list.slice(heardBefore)).toEqual([]);

      // What goes on from it is its own, and a task that is hidden is refused in the words of one that is not there.
      const none = randomUUID();
      const [hidden, missing] = [await joins(outsider, topicOf(id)), await joins(outsider, topicOf(none))];
      expect(hidden.replaceAll(id, '')).toBe(missing.replaceAll(none, ''));
      expect(hidden).toMatch(/do not have permissions/);
      expect(await joins(outsider, topicOf(id, ':typing'))).toMatch(/do not have permissions/);
      expect(await speaks(outsider, topicOf(id))).toBe(await speaks(outsider, topicOf(none)));
      expect(await speaks(outsider, topicOf(id))).toBe(false);
      for (const who of [owner, editor, insider]) expect(await joins(who, topicOf(id, ':typing'))).toBe('let in');
      for (const who of [insider, outsider]) expect(await joins(who, `project:${board.id}:tasks`)).toBe('let in');

      // No longer named: out, though they were in.
      await done(editor.client.from('task_grants').delete().eq('task_id', id).eq('user_id', insider.id));
      await inside.closed;
    } finally {
      await hangUp(owner.client, editor.client, insider.client, outsider.client);
    }
  });
});
