// Changes on a slow way from Postgres: what its log says comes late and together.

import { rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { socketPath } from '../../server/database/wire/target.ts';
import { startApp } from '../helpers/app.ts';
import { freshDatabase } from '../helpers/fresh-database.ts';
import { temporaryDirectory } from '../helpers/temporary.ts';
import { Events, follow, hangUp, project, type Row } from './subscribe.ts';

/** A way to Postgres on which its log can be held back. */
async function openWay(postgres: string, socket: string) {
  let held: Buffer[] | null = null;
  const heard = new Events<Buffer>();
  const followers = new Set<Socket>();
  const way = createServer((client) => {
    const server = connect(postgres);
    client.on('error', () => undefined).on('close', () => server.destroy());
    server.on('error', () => undefined).on('close', () => client.destroy());
    client.once('data', (greeting: Buffer) => {
      if (greeting.includes('replication')) followers.add(client);
    });
    client.on('data', (bytes: Buffer) => server.write(bytes));
    server.on('data', (bytes: Buffer) => {
      if (held === null || !followers.has(client)) client.write(bytes);
      else {
        held.push(bytes);
        heard.add(bytes);
      }
    });
  });
  await new Promise<void>((resolve) => way.listen(socket, resolve));
  return {
    heard,
    hold(): void {
      held = [];
    },
    /** What was held comes at once, and what follows it is held again. */
    passHeld(): void {
      const bytes = Buffer.concat(held ?? []);
      held = [];
      for (const follower of followers) follower.write(bytes);
    },
    close: () => void way.close(),
  };
}

test('a change that comes together with a report on the log is sent at once', async () => {
  const fresh = await freshDatabase();
  const place = temporaryDirectory('held');
  const { host = '', port = 0 } = connectionOptions(fresh.directUrl);
  const way = await openWay(socketPath(host, port), join(place, `.s.PGSQL.${port}`));
  const app = await startApp({
    settings: { REALTIME_SOURCE: 'log' },
    database: { ...fresh, directUrl: fresh.directUrl.replace(encodeURIComponent(host), encodeURIComponent(place)) },
  });
  onTestFinished(async () => {
    await app.close();
    way.close();
    rmSync(place, { recursive: true });
  });
  const ada = await app.createUser();
  const board = await project(ada);
  const { events } = await follow(ada.client, [{ table: 'tasks' }]);
  onTestFinished(() => hangUp(ada.client));

  way.hold();
  // Postgres is asked for them every few seconds.
  await way.heard.count(1, 'reports');
  await app.sql('insert into public.tasks (project_id, column_id, title) values ($1, $2, $3)', [
    board.id,
    board.column,
    'Paint the boat',
  ]);
  await way.heard.first((bytes) => bytes.includes('Paint the boat'), 'the change');
  way.passHeld();
  const { new: row } = await events.first(({ eventType }) => eventType === 'INSERT', 'the change');
  expect((row as Row).title).toBe('Paint the boat');
});
