// realtime.messages holds a partition for each day, made ahead of time; old days go with all that is in them.

import { expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(startApp);

const partitions = async (): Promise<string[]> =>
  (
    await app.sql<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'realtime.messages'::regclass order by 1`,
    )
  ).map(({ name }) => name);

test('days to come have theirs, and days beyond those that are kept are gone', async () => {
  const [{ today, old, next, day, after } = { today: '', old: '', next: '', day: '', after: '' }] = await app.sql<
    Record<string, string>
  >(
    `select to_char(d, 'YYYY_MM_DD') as today, to_char(d - 4, 'YYYY_MM_DD') as old, to_char(d + 2, 'YYYY_MM_DD') as next,
       (d - 4)::text as day, (d - 3)::text as after
     from (select (now() at time zone 'utc')::date as d) as t`,
  );
  // As the server does at its start: a message that came before would lie in the rest.
  await app.sql('select private.keep_message_partitions(3)');
  await app.sql(
    `create table realtime.messages_${old} partition of realtime.messages for values from ('${day}') to ('${after}')`,
  );
  const add = (at: string): Promise<unknown> =>
    app.sql(
      `insert into realtime.messages (topic, event, extension, private, payload, inserted_at) values ('x', 'e', 'broadcast', true, '{}', ${at})`,
    );
  await add(`'${day}'`);
  // Of a day that never had a partition.
  await add(`'2020-01-01'`);
  await add(`now() at time zone 'utc'`);
  await app.sql('select private.keep_message_partitions(3)');
  const names = await partitions();
  expect(names).not.toContain(`messages_${old}`);
  expect(names).toEqual(expect.arrayContaining([`messages_${today}`, `messages_${next}`]));
  expect(await app.sql('select inserted_at::date < current_date - 1 as old from realtime.messages')).toEqual([
    { old: false },
  ]);
  // Doing it again changes nothing.
  await app.sql('select private.keep_message_partitions(3)');
  expect(await partitions()).toEqual(names);
});
