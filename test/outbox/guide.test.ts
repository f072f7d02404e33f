// The receiver of docs/build/webhooks.md, run as it stands there: it takes what is signed, and nothing else.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { openOutward } from '../../server/outbox/post-outward.ts';
import { attempt, type Claimed } from '../../server/outbox/webhooks/attempt.ts';
import { drawKeys, Signers } from '../../server/outbox/webhooks/sign-webhook.ts';
import { findFreePort } from '../helpers/find-free-port.ts';
import { guideBlock } from '../helpers/guide-block.ts';

const directory = '.cache/test/webhook-guide';
let program: ChildProcess | null = null;
afterAll(() => {
  program?.kill();
  rmSync(directory, { recursive: true, force: true });
});

test('the example of the guide takes what is signed with its secret, and refuses the rest', async () => {
  const key = Buffer.alloc(32, 7);
  const keys = drawKeys(key);
  const signers = new Signers(key);
  const port = await findFreePort('127.0.0.1');
  mkdirSync(directory, { recursive: true });
  writeFileSync(`${directory}/receiver.mjs`, guideBlock('build/webhooks', 'js', 'webhook.verify'));
  program = spawn(process.execPath, [`${directory}/receiver.mjs`], {
    env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: keys.secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = new Promise<string>((resolve) => program?.stdout?.once('data', (text) => resolve(String(text))));
  const outward = openOutward(['loopback']);
  const claimed: Claimed = {
    ...{ id: '1', webhook_id: '2', event_id: '3', event: 'task.created', attempts: 1, former: null, shape: 'json' },
    url: `http://127.0.0.1:${port}/`,
    sealed: keys.sealed,
    payload: {
      type: 'task.created',
      timestamp: '2030-01-01T00:00:00.000Z',
      data: { project: { id: '4', key: 'WEB', name: 'Web site' }, task: { key: 'WEB-1', title: 'Draft the page' } },
    },
  };
  await expect.poll(async () => (await attempt(claimed, outward, signers)).status).toBe(204);
  expect(await said).toBe('task.created WEB-1\n');
  const forged = await attempt({ ...claimed, sealed: drawKeys(key).sealed }, outward, signers);
  expect(forged).toMatchObject({ outcome: 'failed', status: 401 });
  outward.close();
});
