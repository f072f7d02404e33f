// `kanbase serve` as a process: start, banner, stop, and what it says when it cannot start.

import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runKanbase, scratch, startKanbase } from '../helpers/kanbase.ts';

const place = scratch('serve');
afterAll(() => place.remove());

test('a first start makes all it needs, says where things are, and stops cleanly; a later one finds it again', async () => {
  const dataDir = join(place.path, 'data');
  const first = await startKanbase(['--data-dir', dataDir]);
  const { stdout } = first.output();
  expect(stdout).toContain(`Address      ${first.url.replace('127.0.0.1', 'localhost')}`);
  expect(stdout).toContain(`Data         ${dataDir} (Postgres 18.`);
  expect(stdout).toContain('kanbase keys');
  expect(stdout.trim().split('\n').length).toBeLessThan(10);
  expect((await fetch(`${first.url}/ready`)).status).toBe(200);
  expect(await first.stop('SIGTERM')).toMatchObject({ code: 0 });

  const second = await startKanbase(['--data-dir', dataDir]);
  expect(second.anonKey).toBe(first.anonKey);
  expect(await second.stop('SIGINT')).toMatchObject({ code: 0 });
});

test('a port that is taken is named, with what to do, and nothing is left running', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { code, stderr } = await runKanbase([
    'serve',
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--data-dir',
    join(place.path, 'taken'),
  ]);
  taken.close();
  expect(code).toBe(1);
  expect(stderr.trim().split('\n').at(-1)).toBe(
    `kanbase serve: port ${port} is in use: stop what listens there, or choose another with --port`,
  );
});
