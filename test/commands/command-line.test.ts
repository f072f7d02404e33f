// The `kanbase` command line: help, invalid arguments, keys, settings. Each call is a process of its own.

import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { clientCommands } from '../../server/commands/client/client-list.ts';
import { commands } from '../../server/commands/list.ts';
import { t } from '../browser/words.ts';
import { runKanbase, scratch } from '../helpers/kanbase.ts';

const place = scratch('cli');
afterAll(() => place.remove());
const run = (...args: string[]) => runKanbase(args, { cwd: place.path });

describe('help', () => {
  test('lists every command', async () => {
    const { code, stdout } = await run('--help');
    expect(code).toBe(0);
    for (const { name, summary } of [...commands, ...clientCommands])
      expect(stdout).toContain(`  ${name.padEnd(26)}${summary}`);
  });

  test.each(commands.map(({ name }) => [name]))('%s --help tells its flags', async (name) => {
    const { code, stdout, stderr } = await run(name, '--help');
    expect([code, stderr]).toEqual([0, '']);
    const command = commands.find((one) => one.name === name);
    expect(stdout).toContain(`Usage: npx kanbase ${name}`);
    for (const flag of command?.flags ?? []) expect(stdout).toContain(`--${flag.name}`);
    for (const word of ['--data-dir', 'npx kanbase config', '--settings-file']) expect(stdout).toContain(word);
    // Its own flags, not those of every setting.
    expect(stdout.split('\n').length).toBeLessThan(30);
  });
});

test('a command ends when its work is done despite open handles, with all its output printed', async () => {
  const env = { NODE_OPTIONS: '--import data:text/javascript,setInterval(()=>{},1e6)' };
  const held = await runKanbase(['config'], { cwd: place.path, env });
  expect(held).toMatchObject({ code: 0, stdout: (await run('config')).stdout });
  expect(await runKanbase(['launch'], { env })).toMatchObject({ code: 2, stderr: expect.stringContaining('launch') });
});

describe('a wrong word is named in one line with what is accepted, exit 2', () => {
  test.each([
    [
      ['serve', '--prot', '8080'],
      /^kanbase serve: --prot is not a flag of serve; did you mean --port\? Accepted: .*every setting as a flag/,
    ],
    [['keys', '--yaml'], /^kanbase keys: --yaml is not a flag of keys.*--json/],
    [['serve', '--port', 'http'], /^kanbase serve: --port must be a whole number from 0 to 65535, not "http"/],
    [['serve', '--port'], /^kanbase serve: --port needs a value/],
    [['keys', '--json=yes'], /^kanbase keys: --json takes no value/],
    [['migrate', 'down'], /^kanbase migrate: "down" is not known to migrate: it takes status, or nothing/],
    [['serve', 'now'], /^kanbase serve: "now" is one word too many/],
    [['launch'], /^kanbase: "launch" is not a command: choose serve, migrate, backup, restore, import, export, keys/],
    [['serve', '--settings-file', 'nowhere.env'], /^kanbase serve: --settings-file nowhere\.env does not exist/],
  ])('%j', async (args, words) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('keys', () => {
  test('are made once and kept where only their owner reads them', async () => {
    const dataDir = join(place.path, 'keys');
    const first = await run('keys', '--json', '--data-dir', dataDir);
    const keys = JSON.parse(first.stdout) as Record<string, string>;
    expect(Object.keys(keys)).toEqual(['anon', 'service_role', 'publishable', 'secret']);
    expect((await run('keys', '--json', '--data-dir', dataDir)).stdout).toBe(first.stdout);
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
    const { stdout } = await run('keys', `--data-dir=${dataDir}`);
    for (const key of Object.values(keys)) expect(stdout).toContain(key);
  });

  test('of a .env file are used as they are', async () => {
    writeFileSync(join(place.path, 'own.env'), `JWT_SECRET=${'s'.repeat(40)}\nANON_KEY=our-own-anon-key\n`);
    const { stdout } = await run('keys', '--json', '--settings-file', 'own.env', '--data-dir', 'own-keys');
    expect(JSON.parse(stdout)).toMatchObject({ anon: 'our-own-anon-key' });
  });
});

describe('config', () => {
  test('tells of each setting its meaning, default, value and source, and no secret', async () => {
    const secret = 'a-secret-of-more-than-32-characters';
    const { stdout } = await runKanbase(['config', '--json', '--port', '4000'], {
      cwd: place.path,
      env: { JWT_SECRET: secret, HOST: '127.0.0.1', DATABASE_URL: 'postgres://me:pass-word@db.example.test/x' },
    });
    expect(stdout).not.toContain(secret);
    expect(stdout).not.toContain('pass-word');
    const rows = JSON.parse(stdout) as Record<string, string>[];
    const row = (name: string) => rows.find((one) => one.name === name);
    expect(row('PORT')).toMatchObject({ value: '4000', source: 'flag', default: '3000', flag: '--port' });
    expect(row('HOST')).toMatchObject({ value: '127.0.0.1', source: 'environment' });
    expect(row('JWT_SECRET')).toMatchObject({ value: '(set, not shown)', source: 'environment' });
    expect(row('DATA_SCHEMAS')).toMatchObject({ value: 'public', source: 'default' });
  });

  test('reads well', async () => {
    const { stdout } = await run('config');
    expect(stdout).toContain(`PORT\n    ${t('setting.meaning.PORT')}\n    default: 3000\n    now: 3000 (default)`);
  });
});
