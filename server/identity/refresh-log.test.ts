// What waits to be written outlives a database that is away for a moment.

import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openRefreshLog } from './refresh-log.ts';
import type { Desk } from './room.ts';
import type { User } from './session-tokens.ts';

test('lines that could not be written are written with the next, in order', async () => {
  let away = true;
  const written: unknown[] = [];
  const desk: Desk = {
    query: async (fragment) => {
      if (away) throw new Error('away');
      written.push(...fragment.parts);
      return [];
    },
  };
  const log = openRefreshLog(desk, pino({ level: 'silent' }));
  const visitor = { address: '203.0.113.7', agent: 'test' };
  log.note({ id: 'one', email: 'one@example.test' } as User, 'session-1', visitor);
  await log.flush();
  away = false;
  log.note({ id: 'two', email: 'two@example.test' } as User, 'session-2', visitor);
  await log.flush();
  await log.flush();
  await log.close();
  expect(JSON.stringify(written).match(/session-\d/g)).toEqual(['session-1', 'session-2']);
});
