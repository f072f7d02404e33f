import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openKeys } from './personal-keys.ts';
import type { Claims } from './types.ts';

const body = `kb_${'a1'.repeat(20)}`;
const key = body + createHash('sha256').update(body).digest('hex').slice(0, 8);
const claims: Claims = { sub: 'ada', key_id: 'one', scope: 'read' };
const keysOf = (find: () => Promise<Claims | null>, uses: string[] = []) => {
  const keys = openKeys((_token, found) => ({ caller: { role: 'program', claims: '{}' }, claims: found, token: null }));
  keys.readFrom({ find, noteUse: (id, address) => void uses.push(`${id} ${address}`) });
  return keys;
};

test('a key is looked up once, and again once it may have changed', async () => {
  let asked = 0;
  const keys = keysOf(async () => {
    asked++;
    return claims;
  });
  expect((await keys.verify(key, 'authorization')).caller.keyId).toBe('one');
  keys.verify(key, 'authorization');
  keys.forget(['another']);
  keys.verify(key, 'authorization');
  expect(asked).toBe(1);
  keys.forget(['one']);
  await keys.verify(key, 'authorization');
  expect(asked).toBe(2);
});

test('a key that ends while the database answers is asked for again', async () => {
  const answers = [claims, null];
  const keys = keysOf(async () => {
    const answer = answers.shift() ?? null;
    if (answer !== null) keys.forget(['one']);
    return answer;
  });
  await expect(keys.verify(key, 'authorization')).rejects.toThrow('does not exist');
  expect(answers).toEqual([]);
});

test('unknown keys are remembered, and texts without the checksum not asked for', async () => {
  let asked = 0;
  const keys = keysOf(async () => {
    asked++;
    return null;
  });
  await expect(keys.verify(key, 'authorization')).rejects.toThrow();
  expect(() => keys.verify(key, 'authorization')).toThrow('does not exist');
  for (const wrong of [`${body}00000000`, 'kb_', `${key}0`])
    expect(() => keys.verify(wrong, 'authorization')).toThrow('checksum');
  expect(asked).toBe(1);
});

test('use is noted once a minute', () => {
  const uses: string[] = [];
  const keys = keysOf(async () => claims, uses);
  for (const address of ['10.0.0.1', '10.0.0.2']) keys.noteUse('one', address);
  expect(uses).toEqual(['one 10.0.0.1']);
});
