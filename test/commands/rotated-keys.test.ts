// `kanbase keys rotate`: ID tokens get a new key, which a running server takes at once; the one before it stays published.

import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freshDatabase } from '../helpers/fresh-database.ts';
import { runKanbase, scratch, startKanbase } from '../helpers/kanbase.ts';

const place = scratch('rotated-keys');
afterAll(() => place.remove());

test('a new key comes in front of the one before it', async () => {
  const database = await freshDatabase();
  const env = { DATABASE_URL: database.directUrl };
  const args = ['--data-dir', join(place.path, 'data')];
  const server = await startKanbase(args, { env });
  const published = async (): Promise<{ kid: string; d?: string }[]> =>
    ((await (await fetch(`${server.url}/auth/v1/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }).keys;
  const [first] = await published();
  expect(first).toMatchObject({ alg: 'ES256', kty: 'EC' });
  const rotated = await runKanbase(['keys', 'rotate', ...args], { env });
  expect(rotated.code).toBe(0);
  const keys = await published();
  expect(keys).toHaveLength(2);
  expect(rotated.stdout).toContain(keys[0]?.kid);
  expect(keys[1]?.kid).toBe(first?.kid);
  expect(JSON.stringify(keys)).not.toContain('"d"');
  expect((await runKanbase(['keys', 'turn', ...args], { env })).code).not.toBe(0);
  await server.stop();
  await database.drop();
});
