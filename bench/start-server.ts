// The built `kanbase serve` as a process beside the one that measures it, on settings of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import type { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openSessions } from '../server/session/open-sessions.ts';
import type { Sessions } from '../server/session/types.ts';
import { ask } from './ask.ts';

export const SECRET = 'only-for-measuring-0123456789abcdef';

export interface StartedServer {
  readonly process: ChildProcess;
  readonly url: string;
  /** Warnings and errors it has logged so far. */
  log(): string;
}

/** `before`: what the command line begins with, such as `['prlimit', '--nofile=256']`; `checkout`: where the built server is. */
export async function startServer(
  env: Readonly<Record<string, string>>,
  before: readonly string[] = [],
  checkout = process.cwd(),
): Promise<StartedServer> {
  // SERVER_FLAGS='--cpu-prof --cpu-prof-dir=/tmp/profile' tells where the server's time goes.
  const flags = process.env.SERVER_FLAGS?.split(' ') ?? [];
  const main = join(checkout, 'dist', 'server', 'main.js');
  const [command = '', ...args] = [...before, process.execPath, ...flags, main, 'serve'];
  const child = spawn(command, args, {
    cwd: checkout,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      JWT_SECRET: SECRET,
      LOG_LEVEL: 'warn',
      HOST: '127.0.0.1',
      PORT: '0',
      AUTH_LIMIT_EXEMPT: 'loopback',
      METRICS_ADDRESSES: 'loopback',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A session of its own, as a service manager or a terminal gives it. Linux shares processors out by session: one that
    // the server had to share with its load generator let single reads wait 100 ms for theirs.
    detached: true,
  });
  // Whoever breaks a measurement off leaves no server behind.
  const end = (): void => void child.kill('SIGTERM');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  let logged = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    logged = (logged + text).slice(-1_000_000);
  });
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const address = /Address\s+(\S+)/.exec(output)?.[1];
      if (address !== undefined && output.includes('Service key')) resolve(address.replace('localhost', '127.0.0.1'));
    });
    child.once('close', (code, signal) =>
      reject(new Error(`The server ended with ${code ?? signal}: ${logged}${output}`)),
    );
  });
  return { process: child, url, log: () => logged };
}

/** Asks it to end and waits until it has. */
export async function stopServer({ process: child }: StartedServer, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill(signal);
  await ended;
}

/** The keys and tokens that such a server accepts. */
export function openKeys(jwtSecret = SECRET): Promise<Sessions> {
  return openSessions({
    jwtSecret,
    keySet: null,
    audience: null,
    anonKey: null,
    serviceRoleKey: null,
    publishableKeys: [],
    secretKeys: [],
  });
}

export async function untilReady(
  { agent, url }: { readonly agent: Agent; readonly url: string },
  limitMs = 30_000,
): Promise<void> {
  const until = performance.now() + limitMs;
  for (;;) {
    const answer = await ask(agent, url, { method: 'GET', path: '/ready' }, 5000).catch(() => null);
    if (answer?.status === 200) return;
    if (performance.now() > until)
      throw new Error(`The server is not ready: ${answer?.body.toString() ?? 'no answer'}`);
    await pause(10);
  }
}
