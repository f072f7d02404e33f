// docs/build/command-line.md: its commands, run one after another as written against a running app, and its program, compiled with the types they wrote.

import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildServerAside } from '../../scripts/build.mjs';
import { type CommandLine, openCommandLine } from '../commands/signed-in.ts';
import { startApp } from '../helpers/app.ts';
import { compile } from '../helpers/compile.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { filledIn, guideBlock } from '../helpers/guide-block.ts';
import { scratch } from '../helpers/kanbase.ts';

const app = forSuite(startApp);
const guide = 'build/command-line';
const place = scratch('command-line');
afterAll(() => place.remove());
let ada: CommandLine;
let path: string;

beforeAll(async () => {
  ada = await openCommandLine(app, place.path);
  expect((await ada.person.rpc('create_project_with_defaults', { name: 'Website', key: 'WEB' })).error).toBeNull();
  const bin = join(place.path, 'bin');
  mkdirSync(bin);
  // In place of the package.
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\nexec ${process.execPath} ${await buildServerAside()} "$@"\n`);
  chmodSync(join(bin, 'npx'), 0o755);
  path = [bin, process.env.PATH].join(delimiter);
});

async function runBlock(block: string): Promise<string> {
  // Not at once: the app that answers runs in this process.
  const child = spawn('bash', ['-euo', 'pipefail', '-c', block], {
    cwd: place.path,
    env: { ...ada.env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let faults = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    faults += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([code, faults]).toEqual([0, '']);
  return said;
}

test('tasks go from new to done', async () => {
  const [signIn = '', ...rest] = guideBlock(guide, 'sh', 'npx kanbase login').split('\n');
  expect(signIn).toBe('npx kanbase login https://board.example.com');
  expect(guideBlock('build/agents', 'sh', 'npx kanbase login')).toBe(`${signIn}\n`);
  expect(await ada.login()).toMatchObject({ code: 0 });
  expect(await runBlock(rest.join('\n'))).toContain('WEB-1\tPaint the crane');
  const { data } = await ada.person.from('tasks').select('number, completed_at, task_comments(body)').single();
  expect(data).toEqual({ number: 1, completed_at: expect.any(String), task_comments: [{ body: 'Two coats' }] });
});

test('a key works in place of a sign-in', async () => {
  const { data: key } = await ada.person.rpc('create_api_key', { name: 'CI', scope: 'comment' });
  const block = filledIn(guideBlock(guide, 'sh', 'KANBASE_KEY'), {
    'https://board.example.com': app.url,
    'kb_…': key.token,
    'git log -1 --format=%b': "echo 'Fixed by a commit'",
  });
  expect(await runBlock(block)).toMatch(/^\[\]\n/);
  const { data } = await ada.person
    .from('task_comments')
    .select('body, program')
    .eq('body', 'Fixed by a commit')
    .single();
  expect(data?.program).toMatchObject({ name: 'CI' });
});

test('the program compiles with the types of either command', async () => {
  const program = guideBlock(guide, 'ts', 'createClient<Database>');
  const [first = '', second = ''] = guideBlock(guide, 'sh', 'npx kanbase types').trim().split('\n');
  for (const line of [first, filledIn(second, { 'https://board.example.com': app.url })]) {
    await runBlock(line.replace('--output database.ts', '--output database.ts 2>/dev/null'));
    const types = readFileSync(join(place.path, 'database.ts'), 'utf8');
    expect(compile({ 'database.ts': types, 'program.ts': program })).toBe('');
    rmSync(join(place.path, 'database.ts'));
  }
});

test('an administrator disables sign-in from the command line', async () => {
  const admin = app.client({ key: app.serviceKey });
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;
  const { error } = await new AsyncFunction('admin', `return ${guideBlock(guide, 'js', 'updateClient')}`)(admin);
  expect(error).toBeNull();
  const bob = await openCommandLine(app, place.path);
  expect(await bob.run('login', app.url)).toMatchObject({ code: 1, stderr: expect.stringContaining('KANBASE_KEY') });
});
