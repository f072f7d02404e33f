// Two processes on one database: whoever leaves a group on one of them hears nothing more on either, of what only the group gave.

import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { forSuite } from '../helpers/for-suite.ts';
import { freshDatabase } from '../helpers/fresh-database.ts';
import { type Served, scratch, startKanbase } from '../helpers/kanbase.ts';
import { type ChangeEvent, Events, hangUp, project, type Row, subscribe } from './subscribe.ts';

describe.each(['log', 'triggers'])('two nodes, changes from %s', (source) => {
  const directories = ['one', 'other'].map((name) =>
    forSuite(
      async () => scratch(`${source}-${name}`),
      (directory) => directory.remove(),
    ),
  );
  const database = forSuite(freshDatabase, (one) => one.drop());
  const nodes = directories.map((directory) =>
    forSuite(
      () =>
        startKanbase(['--data-dir', directory.path], {
          env: {
            DATABASE_URL: database.url,
            DATABASE_DIRECT_URL: database.directUrl,
            JWT_SECRET: 'the-same-on-both-nodes-0123456789abcdef',
            REALTIME_SOURCE: source,
            GROUPS_MADE_BY: 'everyone',
          },
        }),
      (node) => node.stop(),
    ),
  );
  const [first, second] = nodes as [Served, Served];
  const client = ({ url }: Served): SupabaseClient =>
    createClient(url, first.anonKey, { auth: { persistSession: false }, realtime: { transport: WebSocket as never } });
  /** One person, on each of the nodes. */
  async function join(name: string): Promise<{ id: string; on: readonly SupabaseClient[] }> {
    const account = { email: `${name}@groups.test`, password: 'correct horse battery' };
    const on = [client(first), client(second)] as const;
    const { data, error } = await on[0].auth.signUp({ ...account, options: { data: { name } } });
    if (error !== null) throw error;
    await on[1].auth.signInWithPassword(account);
    return { id: data.user?.id ?? '', on };
  }
  let people: Record<'owner' | 'stays' | 'leaves', Awaited<ReturnType<typeof join>>>;
  beforeAll(async () => {
    people = { owner: await join('owner'), stays: await join('stays'), leaves: await join('leaves') };
  });
  const done = async <T>(work: PromiseLike<{ data: T; error: unknown }>): Promise<T> => {
    const { data, error } = await work;
    expect(error).toBeNull();
    return data;
  };

  /** The private topic of the project, with changes of its tasks. */
  async function listen(to: SupabaseClient, id: string) {
    await to.realtime.setAuth();
    const heard = new Events<Row>();
    const channel = to
      .channel(`project:${id}`, { config: { private: true } })
      .on(
        'postgres_changes',
        { event: '*', schema: 'public', table: 'tasks', filter: `project_id=eq.${id}` },
        (event: ChangeEvent) => heard.add({ title: (event.new as Row).title }),
      )
      .on('broadcast', { event: '*' }, ({ payload }) => heard.add({ said: payload.said }))
      .on('system', {}, ({ status, message }: Row) => heard.add({ status, message }));
    await subscribe(channel);
    await heard.first(({ message }) => message === 'Subscribed to PostgreSQL', 'changes');
    return heard;
  }

  test('are closed to who left, and no change or word comes to them', async () => {
    const { owner, stays, leaves } = people;
    const [there, here] = owner.on as [SupabaseClient, SupabaseClient];
    const { id, column } = await project({ client: there });
    const group = (await done(there.rpc('create_group', { name: 'Crew' }))) as { id: string };
    for (const { id: user_id } of [stays, leaves])
      await done(there.from('group_members').insert({ group_id: group.id, user_id }).select());
    await done(there.from('project_members').insert({ project_id: id, group_id: group.id, role: 'editor' }).select());
    const hear = (on: readonly SupabaseClient[]) => Promise.all(on.map((one) => listen(one, id)));
    const [staying, leaving] = [await hear(stays.on), await hear(leaves.on)];
    const add = (title: string) =>
      done(there.from('tasks').insert({ project_id: id, column_id: column, title }).select());
    await add('Before');
    for (const heard of [...staying, ...leaving]) await heard.first(({ title }) => title === 'Before', 'Before');

    await done(here.from('group_members').delete().eq('group_id', group.id).eq('user_id', leaves.id).select());
    for (const heard of leaving)
      await heard.first(({ message }) => /no longer have permission/.test(String(message)), 'the end');
    const heardBefore = leaving.map(({ list }) => list.length);
    await add('After');
    for (const one of owner.on)
      await one.channel(`project:${id}`, { config: { private: true } }).httpSend('word', { said: 'After' });
    await add('Last');
    for (const heard of staying) {
      for (const title of ['After', 'Last']) await heard.first((one) => one.title === title, title);
      await heard.first(({ said }) => said === 'After', 'the word');
    }
    expect(leaving.map(({ list }, n) => list.slice(heardBefore[n]))).toEqual([[], []]);
    await hangUp(...[owner, stays, leaves].flatMap(({ on }) => on));
  });
});
