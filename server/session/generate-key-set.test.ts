import { expect, test } from 'vitest';
import { generateKeySet } from './generate-key-set.ts';
import { readKeySet } from './read-key-set.ts';

test('a new key signs, the one before still verifies', async () => {
  const first = await generateKeySet(null);
  const second = await generateKeySet(JSON.stringify(first));
  const set = await readKeySet(JSON.stringify(second));
  expect(set.signing?.kid).toBe(second.keys[0]?.kid);
  expect(set.find(first.keys[0]?.kid, 'ES256')).toBeDefined();
  expect(set.publicKeys).toHaveLength(2);
  expect(JSON.stringify(set.publicKeys)).not.toContain('"d"');
});
