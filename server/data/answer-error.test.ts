// Tests for error answers that leave at fixed times: those that depend on rows, for callers who do not see all of them.

import { expect, test } from 'vitest';
import { PostgresError } from '../database/types.ts';
import { answerError } from './answer-error.ts';
import type { Door } from './door.ts';
import { DataError } from './errors.ts';
import { notOne } from './respond/errors.ts';

const raw = { method: 'POST', path: '/rpc/move_task', query: '', headers: {}, body: Buffer.alloc(0) };
const door = { settings: { verboseErrors: true } } as Door;
const answered = (error: unknown, role: string) => answerError(error, raw, door, null, { role, claims: '{}' });
const refusal = (sqlstate: string) => new PostgresError(sqlstate, 'No', null, null);

test.each([
  ['no right to a row', refusal('42501'), true],
  ['a procedure says it is not there', refusal('PT404'), true],
  ['a key leads nowhere', refusal('23503'), true],
  ['one row was wanted of a write', refusal('KBD01'), true],
  ['one row was wanted of a read', notOne(0), true],
  ['no such column', refusal('42703'), false],
  ['a value that is none', refusal('22P02'), false],
  ['a rule of the board', refusal('KB001'), false],
  ['words that cannot be read', new DataError('PGRST100', { message: 'No' }), false],
])('%s', async (_what, error, isTimed) => {
  expect((await answered(error, 'authenticated')).isTimed ?? false).toBe(isTimed);
  expect((await answered(error, 'service_role')).isTimed ?? false).toBe(false);
});

test('in all else a timed refusal is like others', async () => {
  const { isTimed: _, ...timed } = await answered(refusal('PT404'), 'authenticated');
  expect(timed).toEqual(await answered(refusal('PT404'), 'service_role'));
});
