// A write that met a replica may be tried again; a refusal with another reason is told as it is.

import { expect, test } from 'vitest';
import { MovedPrimary } from './moved-primary.ts';
import { PostgresError } from './types.ts';

const refusal = new PostgresError('25006', 'cannot execute INSERT in a read-only transaction', null, null);

test('a write that met a replica is told to come again, also while nobody can be asked', async () => {
  for (const ask of [async () => 't', () => Promise.reject(new Error('gone'))])
    expect(await new MovedPrimary(ask).explain(refusal)).toMatchObject({ code: 'KB503', status: 503 });
});

test('a refusal right after the first is KB503 too: its connection may lead to the new primary already', async () => {
  const answers = ['t', 'f'];
  const moved = new MovedPrimary(async () => answers.shift() ?? 'f');
  await moved.explain(refusal);
  expect(await moved.explain(refusal)).toMatchObject({ code: 'KB503' });
});

test('a transaction that is read-only for another reason, and every other error, stay what they are', async () => {
  const moved = new MovedPrimary(async () => 'f');
  expect(await moved.explain(refusal)).toBe(refusal);
  const other = new PostgresError('23505', 'duplicate key', null, null);
  expect(await moved.explain(other)).toBe(other);
});
