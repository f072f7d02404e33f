// The first program in README.md, run as written: it exits with 0 and prints the promised output.

import { spawn } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { filledIn } from '../helpers/guide-block.ts';
import { scratch } from '../helpers/kanbase.ts';

const place = scratch('readme');
afterAll(() => place.remove());
const app = forSuite(() => startApp());

test('the program prints the task that it has created', async () => {
  const [, program = ''] = /^```js .*\n([\s\S]*?)^```$/m.exec(readFileSync('README.md', 'utf8')) ?? [];
  const [, promised = ''] = /console\.log\(tasks\); \/\/ (.*)$/m.exec(program) ?? [];
  expect(promised).toContain('title');
  const ready = filledIn(program, { 'http://localhost:3000': app.url, ANON_KEY: JSON.stringify(app.anonKey) });
  writeFileSync(join(place.path, 'first.mjs'), ready);
  // What README says of Node 20, which brings no WebSocket.
  writeFileSync(
    join(place.path, 'socket.mjs'),
    "import { WebSocket } from 'ws';\nglobalThis.WebSocket ??= WebSocket;\n",
  );
  symlinkSync(resolve('node_modules'), join(place.path, 'node_modules'));
  const child = spawn(process.execPath, ['--import', './socket.mjs', 'first.mjs'], {
    cwd: place.path,
    env: { PATH: process.env.PATH, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let warned = '';
  child.stderr.on('data', (text: Buffer) => {
    warned += text.toString();
  });
  child.stdout.on('data', (text: Buffer) => {
    printed += text.toString();
    // A client that is signed in renews its session for as long as its program runs.
    if (/\][ \n]*$/.test(printed)) child.kill('SIGTERM');
  });
  await new Promise((done) => child.once('close', done));
  expect(printed.replaceAll(/\s+/g, ' ').trim(), warned).toBe(promised);
});
