// Tests that queued entries of the refresh log survive a short loss of the database.

import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Db, User } from '../types.ts';
import { openRefreshLog } from './refresh-log.ts';

test('lines that could not be written are written with the next, in order', async () => {
  let away = true;
  const written: unknown[] = [];
  const db: Db = {
    query: async (fragment) => {
      if (away) throw new Error('away');
      written.push(...fragment.parts);
      return [];
    },
  };
  const log = openRefreshLog(db, pino({ level: 'silent' }));
  const clientInfo = { address: '203.0.113.7', agent: 'test' };
  log.note({ id: 'one', email: 'one@example.test' } as User, 'session-1', clientInfo);
  await log.flush();
  away = false;
  log.note({ id: 'two', email: 'two@example.test' } as User, 'session-2', clientInfo);
  await log.flush();
  await log.flush();
  await log.close();
  expect(JSON.stringify(written).match(/session-\d/g)).toEqual(['session-1', 'session-2']);
});
