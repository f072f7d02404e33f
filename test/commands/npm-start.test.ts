// `npm start` as the processes it is made of: npm, the start script, the server and its Postgres. Whichever of them is
// stopped or killed, all of them end in order, and the port and the data directory are free again.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findHolder } from '../../server/database/embedded/lock-directory.ts';
import { runKanbase, scratch } from '../helpers/kanbase.ts';

const place = scratch('npm');
afterAll(() => place.remove());

beforeAll(() => {
  // What is stale is built once, here; a test with an exec'ed shell has no time for it.
  spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'ignore' });
}, 120_000);

interface Family {
  readonly port: number;
  readonly printed: string;
  /** The process of that name, npm first. */
  readonly pids: { readonly npm: number; readonly script: number; readonly server: number; readonly postgres: number };
  /** When nobody holds the output open any more: the last of the family has ended. */
  readonly ended: Promise<number | null>;
}

const servers: number[] = [];
afterAll(() => {
  for (const pid of servers)
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended, as it should.
    }
});

/** All of them on one directory: that a family starts shows that the one before left it free. */
const dataDir = join(place.path, 'data');

async function start(script = 'start', args: string[] = []): Promise<Family> {
  const npm = spawn(
    'npm',
    ['run', script, '--', ...args, '--port', '0', '--host', '127.0.0.1', '--data-dir', dataDir],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let code: number | null = null;
  npm.once('exit', (exitCode) => {
    code = exitCode;
  });
  const ended = new Promise<number | null>((resolve) => npm.once('close', () => resolve(code)));
  const printed = await new Promise<string>((resolve, reject) => {
    let text = '';
    npm.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('Service key')) resolve(text);
    });
    void ended.then(() => reject(new Error(`ended: ${text}`)));
  });
  const postgres = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  const server = parentOf(postgres);
  servers.push(server);
  const port = Number(/Address\s+\S+:(\d+)/.exec(printed)?.[1]);
  const pids = { npm: npm.pid ?? 0, script: parentOf(server), server, postgres };
  return { port, printed, pids, ended };
}

function parentOf(pid: number): number {
  return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim());
}

/** Nobody answers on the port, nobody holds the directory, and Postgres wrote its checkpoint: nothing is left to recover. */
async function expectAllGone({ port }: Family): Promise<void> {
  const answers = await new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
  expect(answers).toBe(false);
  expect(await findHolder(dataDir)).toBeNull();
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
}

describe('the whole family stops', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)('when npm gets %s', async (signal) => {
    const family = await start();
    expect(family.printed).toContain(dataDir);
    process.kill(family.pids.npm, signal);
    await family.ended;
    await expectAllGone(family);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)('when the start script gets %s', async (signal) => {
    const family = await start();
    process.kill(family.pids.script, signal);
    const code = await family.ended;
    await expectAllGone(family);
    if (signal !== 'SIGKILL') expect(code).toBe(0);
  });

  test('when it was started as npm run kanbase serve', async () => {
    const family = await start('kanbase', ['serve']);
    process.kill(family.pids.npm, 'SIGINT');
    await family.ended;
    await expectAllGone(family);
  });

  test('when one Ctrl-C reaches each of them at once, it is one request to stop', async () => {
    const family = await start();
    for (const pid of [family.pids.npm, family.pids.script, family.pids.server]) process.kill(pid, 'SIGINT');
    expect(await family.ended).toBe(0);
    await expectAllGone(family);
  });
});

test.each(['--version', '--help'])('%s is of the command as a whole, as in the package', async (flag) => {
  const { stdout } = spawnSync(process.execPath, ['scripts/start.mjs', flag], { encoding: 'utf8' });
  expect(stdout).toBe((await runKanbase([flag])).stdout);
});

test('a command that is interrupted takes the Postgres it started with it', async () => {
  const demo = spawn('npm', ['run', 'kanbase', '--', 'demo', '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await new Promise((resolve) => {
    demo.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (/project|task|people|account/i.test(text) && existsSync(join(dataDir, 'postgres/postmaster.pid')))
        resolve(text);
    });
  });
  const ended = new Promise((resolve) => demo.once('close', resolve));
  demo.kill('SIGTERM');
  await ended;
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  expect(await findHolder(dataDir)).toBeNull();
  expect((await runKanbase(['doctor', '--data-dir', dataDir])).stdout).toContain('migrations are applied');
});
