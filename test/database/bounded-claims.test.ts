// Claims from queues respect their limit, also where Postgres plans a nested loop for tables it has seen empty, which would apply the limit once for
// each row.

import { expect, it } from 'vitest';
import type { Database } from '../../server/database/types.ts';
import { openMailQueue } from '../../server/mail/mail-queue.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { makeProject } from '../sql/board.ts';

const due = 40;
const asked = 4;

const app = forSuite(startApp);

const inLoops = ['enable_hashjoin', 'enable_mergejoin'];
const call = (text: string) =>
  app.sql(`begin; ${inLoops.map((name) => `set local ${name} = off;`).join(' ')} select ${text}; commit`);
/** Once the rows are there, so that the table has pages. */
const nowEmpty = async (table: string, fill: () => Promise<unknown>): Promise<void> => {
  await fill();
  await app.sql(`delete from ${table}`);
  await app.sql(`analyze ${table}`);
  await fill();
};
const count = async (from: string): Promise<number> => {
  const [row] = await app.sql<{ n: number }>(`select count(*)::int as n from ${from}`);
  return row?.n ?? 0;
};

it('mails', async () => {
  await nowEmpty('private.outbox', () =>
    app.sql(
      `insert into private.outbox (kind, recipient, data) select 'notification', 'a@example.test', '{}' from generate_series(1, ${due})`,
    ),
  );
  const { database } = app.services;
  const before = inLoops.map((name) => ({ text: `select set_config('${name}', 'off', true)`, values: [] }));
  const looping = { ...database, objectsAs: (...[who, what]) => database.objectsAs(who, what, { before }) } as Database;
  const taken = await openMailQueue(looping, Buffer.alloc(32)).takeDue(asked);
  expect(taken).toHaveLength(asked);
  expect(await count('private.outbox where attempts > 0')).toBe(asked);
});

it('push messages', async () => {
  const person = await app.createUser({ name: 'Ada' });
  const { project } = await makeProject(app, person, 'Harbour');
  await nowEmpty('private.notification_deliveries', () =>
    app.sql(
      `with news as (insert into public.notifications (user_id, project_id, kind) select $1, $2, 'assigned' from generate_series(1, ${due}) returning id)
     insert into private.notification_deliveries (notification_id, way, user_id, due_at) select id, 'push', $1, now() from news on conflict do nothing`,
      [person.id, project],
    ),
  );
  await call(`private.claim_push_deliveries(${asked})`);
  expect(await count(`private.notification_deliveries where way = 'push'`)).toBe(due);
  expect(await count('private.notification_deliveries where attempts > 0')).toBe(asked);
});

it('files that were removed', async () => {
  await nowEmpty('private.removed_files', () =>
    app.sql(
      `insert into private.removed_files (bucket_id, name, belonged_to, owner_id, removed_at)
     select 'attachments', n::text, 'public.tasks', gen_random_uuid(), now() - interval '1 day' from generate_series(1, ${due}) n`,
    ),
  );
  await call(`private.remove_files_for_good(60, ${asked})`);
  expect(await count('private.removed_files')).toBe(due - asked);
});
