// Restart of Postgres: subscribers learn that changes may have been missed and when following has resumed, and get later changes without
// reconnecting.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { connectionOptions } from '../../server/database/connection-options.ts';
import { startCluster } from '../../server/database/start-cluster.ts';
import { openSessions } from '../../server/session/open-sessions.ts';
import { scratch, startKanbase } from '../helpers/kanbase.ts';
import { putReadyCluster } from '../helpers/ready-cluster.ts';
import { openRaw, type Row } from './subscribe.ts';

const secret = 'known-to-this-test-and-the-server-0123456789';

test.each(['log', 'triggers'])(
  'changes from %s go on after Postgres has died',
  async (source) => {
    const [place, own] = [scratch('cluster'), scratch('node')];
    // Not the fast kind: after a crash all that was committed has to be there.
    await putReadyCluster(place.path);
    const cluster = await startCluster({ dataDir: place.path, log: pino({ level: 'silent' }) });
    const run = async (text: string, values: unknown[] = []): Promise<Row[]> => {
      const client = new pg.Client(connectionOptions(cluster.directUrl));
      client.on('error', () => undefined);
      await client.connect();
      return client
        .query(text, values)
        .then(({ rows }) => rows as Row[])
        .finally(() => client.end());
    };
    const node = await startKanbase(['--data-dir', own.path], {
      env: {
        DATABASE_URL: cluster.url,
        DATABASE_DIRECT_URL: cluster.directUrl,
        JWT_SECRET: secret,
        REALTIME_SOURCE: source,
      },
    });
    const ada = randomUUID();
    await run(`insert into auth.users (id, email, email_confirmed_at) values ($1, 'ada@restart.test', now())`, [ada]);
    const claims = JSON.stringify({ sub: ada, role: 'authenticated' });
    const [project] = await run(
      `select (public.create_project_with_defaults('Ship')).id from (select set_config('request.jwt.claims', $1, false) offset 0) as caller`,
      [claims],
    );
    const add = (title: string): Promise<Row[]> =>
      run(
        `insert into public.tasks (project_id, column_id, title)
       select $1, id, $2 from public.workflow_columns where project_id = $1 limit 1`,
        [project?.id, title],
      );
    const keys = {
      keySet: null,
      audience: null,
      anonKey: null,
      serviceRoleKey: null,
      publishableKeys: [],
      secretKeys: [],
    };
    const sessions = await openSessions({ jwtSecret: secret, ...keys });
    const socket = await openRaw(node);
    socket.send('1', '1', 'realtime:x', 'phx_join', {
      access_token: await sessions.sign({ sub: ada, role: 'authenticated' }, 3600),
      config: { postgres_changes: [{ event: 'INSERT', schema: 'public', table: 'tasks' }] },
    });
    const system = (): Row[] => socket.frames.list.filter((one) => one[3] === 'system').map((one) => one[4]);
    const ready = (times: number) => () =>
      system().filter(({ status }) => status === 'ok').length >= times ? true : undefined;
    const change = (title: string) =>
      socket.frames.list.find(
        (one) => one[3] === 'postgres_changes' && (one[4].data as { record: Row }).record.title === title,
      );
    await socket.frames.until(ready(1), 'following', 60_000);
    await add('Before');
    await socket.frames.until(() => change('Before'), 'Before', 60_000);

    const pidFile = readFileSync(join(place.path, 'postgres', 'postmaster.pid'), 'utf8');
    process.kill(Number(pidFile.split('\n')[0]), 'SIGQUIT');
    await socket.frames.until(
      () => (system().some(({ message }) => /^ChangesMissed/.test(String(message))) ? true : undefined),
      'the gap',
    );
    // From then on a change comes, or it is said once more that something may have been missed.
    let times = 2;
    let after: ReturnType<typeof change>;
    while (after === undefined) {
      await socket.frames.until(ready(times), 'following again', 60_000);
      const title = `After ${times}`;
      await add(title);
      await socket.frames.until(() => change(title) ?? ready(times + 1)(), title, 60_000);
      after = change(title);
      times++;
    }
    const [, , , , payload] = after;
    expect((payload.data as { type: string }).type).toBe('INSERT');

    socket.close();
    await node.stop();
    await cluster.stop();
    for (const directory of [place, own]) directory.remove();
  },
  240_000,
);
