// Tests for the doctor's check of live changes, for each state of Postgres.

import type pg from 'pg';
import { expect, test } from 'vitest';
import type { Config } from '../config/config.ts';
import { textsIn } from '../texts/texts.ts';
import { checkRealtime } from './check-realtime.ts';
import { sayFinding } from './finding.ts';

/** Answers the questions: about the server, the tables that are told of, and its slots. */
function client(state: object, slots: readonly object[] = [], publication: object | null = null): pg.Client {
  const answers = { wal_level: [state], pg_publication: publication === null ? [] : [publication] };
  const query = async (text: string) => ({
    rows: Object.entries(answers).find(([word]) => text.includes(word))?.[1] ?? slots,
  });
  return { query } as unknown as pg.Client;
}

const check = async (at: pg.Client, source: Config['realtime']['source']) =>
  (await checkRealtime(at, config(source))).map((one) => sayFinding(one, textsIn('en')));
const config = (source: Config['realtime']['source']): Config => ({ realtime: { source } }) as Config;
const slotText = (name: string, behind: string, read: string): string =>
  textsIn('en').t('health.realtime.slot', { name, behind, read });
const fine = { level: 'logical', may: true, free: 9 };

test.each([
  ['auto', fine, 'health.realtime.good', null],
  ['auto', { ...fine, level: 'replica' }, 'health.realtime.level', /alter system set wal_level = 'logical'.*restart/],
  ['auto', { ...fine, may: false }, 'health.realtime.closed', /alter role … replication/],
  ['log', { ...fine, free: 0 }, 'health.realtime.noSlot', /max_replication_slots/],
  ['triggers', { ...fine, level: 'replica' }, 'health.realtime.triggers', null],
  ['off', fine, 'health.realtime.off', null],
] as const)('with REALTIME_SOURCE=%s and %o', async (source, state, about, advice) => {
  const [found] = await checkRealtime(client(state), config(source));
  expect(found?.about).toBe(about);
  const [finding] = await check(client(state), source);
  if (advice === null) expect(finding?.state).toBe('good');
  else expect(finding).toMatchObject({ next: expect.stringMatching(advice) });
});

test('slots that nobody reads, or that have lost what they kept, are named with what they keep', async () => {
  const slots = [
    { slot_name: 'kanbase_1', active: true, wal_status: 'reserved', behind: '16 kB' },
    { slot_name: 'forgotten', active: false, wal_status: 'extended', behind: '9 GB' },
    { slot_name: 'late', active: true, wal_status: 'lost', behind: '3 GB' },
  ];
  const [, own, forgotten, late] = await check(client(fine, slots), 'auto');
  expect(own).toMatchObject({ about: slotText('kanbase_1', '16 kB', 'yes') });
  expect(forgotten?.about).toBe(slotText('forgotten', '9 GB', 'no'));
  expect(JSON.stringify(forgotten)).toContain(`select pg_drop_replication_slot('forgotten')`);
  expect(late?.about).toContain('3 GB');
});

test.each([
  [true, /: select private.publish_table/],
  [false, /: create publication supabase_realtime .*; select private.publish_table/],
])('tables that left the publication are named (it is there: %s)', async (exists, advice) => {
  const [, tables] = await check(client(fine, [], { exists, unpublished: 'profiles, tasks' }), 'auto');
  expect(tables?.about).toBe(textsIn('en').t('health.realtime.unpublished', { tables: 'profiles, tasks' }));
  expect(tables).toMatchObject({ state: 'thought', next: expect.stringMatching(advice) });
});
