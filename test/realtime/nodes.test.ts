// Two processes on one database, one of them killed without a word: the other goes on, and knows who is gone.

import { expect, test } from 'vitest';
import { freshDatabase } from '../helpers/fresh-database.ts';
import { scratch, startKanbase } from '../helpers/kanbase.ts';
import { openRaw } from './listening.ts';

test('a node that is killed is forgotten by the other, with all who were present there, and leaves no slot', async () => {
  const database = await freshDatabase();
  const directories = [scratch('node'), scratch('node')];
  const nodes = await Promise.all(
    directories.map(({ path }) =>
      startKanbase(['--data-dir', path], {
        env: {
          DATABASE_URL: database.url,
          DATABASE_DIRECT_URL: database.directUrl,
          JWT_SECRET: 'the-same-on-both-nodes-0123456789abcdef',
        },
      }),
    ),
  );
  const [first, second] = nodes as [(typeof nodes)[number], (typeof nodes)[number]];
  const open = (node: typeof first) => openRaw({ url: node.url, anonKey: node.anonKey });
  const [here, there] = [await open(first), await open(second)];
  for (const [socket, key] of [
    [here, 'here'],
    [there, 'there'],
  ] as const) {
    socket.send('1', '1', 'realtime:hall', 'phx_join', {
      config: { presence: { key, enabled: true }, broadcast: { replication_ready: true } },
    });
    await socket.reply('1');
    await socket.frames.first((one) => one[3] === 'system');
    socket.send('1', '2', 'realtime:hall', 'presence', { event: 'track', payload: {} });
    await socket.reply('2');
  }
  await here.frames.first((one) => one[3] === 'presence_diff' && 'there' in (one[4].joins as object));
  await second.stop('SIGKILL');
  expect((await there.closed).code).toBe(1006);
  const left = await here.frames.until(
    () => here.frames.list.find((one) => one[3] === 'presence_diff' && 'there' in (one[4].leaves as object)),
    'the leave',
    25_000,
  );
  expect(left[4].joins).toEqual({});
  here.close();
  await first.stop();
  for (const directory of directories) directory.remove();
  await database.drop();
}, 90_000);
