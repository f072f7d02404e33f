// The running Postgres process: started, watched, started again should it die, stopped with a checkpoint.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { ClusterUser } from './choose-user.ts';
import type { Binaries } from './find-binaries.ts';
import { hereOr } from './make-cluster.ts';

export interface PostmasterOptions {
  readonly binaries: Binaries;
  readonly pgdata: string;
  readonly servant: ClusterUser | null;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: Logger;
}

const readyLine = 'database system is ready to accept connections';
/** How long recovery after a crash may take before the start is given up. */
const startLimitMs = 120_000;
/** With the time of requests (`SHUTDOWN_TIMEOUT_MS`), of closing and of the end itself less than the 30 s that are usual before a kill. */
export const stopLimitMs = 15_000;
const restartPauseMs = 500;

export class Postmaster {
  readonly #options: PostmasterOptions;
  #child: ChildProcess | null = null;
  #stopping = false;

  constructor(options: PostmasterOptions) {
    this.#options = options;
  }

  /** Resolves when connections are accepted; throws the last words of a server that gave up. */
  async start(): Promise<void> {
    if (process.platform === 'win32') {
      this.#startOnWindows();
      return;
    }
    const { binaries, pgdata, servant, settings, log } = this.#options;
    const args = [
      '-D',
      hereOr(pgdata),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    const child = spawn(binaries.postgres, args, {
      cwd: pgdata,
      env: { TZ: 'UTC', LC_ALL: 'C', PATH: process.env.PATH ?? '' },
      stdio: ['ignore', 'ignore', 'pipe'],
      // A session of its own: Ctrl-C in a terminal is for the server, which stops Postgres last.
      detached: true,
      ...(servant ?? {}),
    });
    this.#child = child;
    // Should this process end in a hurry, Postgres ends with it and recovers at the next start.
    const quit = (): void => void child.kill('SIGQUIT');
    process.once('exit', quit);
    child.once('exit', () => process.off('exit', quit));
    let last = '';
    let ready: () => void = () => undefined;
    const up = new Promise<void>((resolve) => {
      ready = resolve;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      last = (last + text).slice(-4000);
      for (const line of text.split('\n')) {
        if (line.includes(readyLine)) ready();
        report(log, line);
      }
    });
    const gone = new Promise<never>((_resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => reject(new Error(describeEnd(code, signal, last))));
    });
    gone.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`The embedded Postgres was not ready after ${startLimitMs / 1000} s`)),
        startLimitMs,
      );
    });
    try {
      await Promise.race([up, gone, late]);
    } catch (error) {
      child.kill('SIGQUIT');
      throw error;
    } finally {
      clearTimeout(timer);
    }
    child.once('exit', (code, signal) => {
      if (!this.#stopping) void this.#startAgain(describeEnd(code, signal, last));
    });
  }

  /** Ends sessions, writes a checkpoint, exits: the next start has nothing to recover. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (process.platform === 'win32') {
      const { binaries, pgdata } = this.#options;
      const args = ['stop', '-D', pgdata, '-m', 'fast', '-w', '-t', String(stopLimitMs / 1000)];
      spawnSync(binaries.pgCtl, args, { stdio: 'ignore' });
      return;
    }
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGINT');
    const timeout = setTimeout(() => {
      this.#options.log.warn('Postgres takes too long to stop; it will recover at the next start');
      child.kill('SIGQUIT');
    }, stopLimitMs);
    await gone;
    clearTimeout(timeout);
  }

  async #startAgain(reason: string): Promise<void> {
    const { log } = this.#options;
    log.error({ reason }, 'The embedded Postgres ended by itself; starting it again');
    while (!this.#stopping) {
      try {
        await this.start();
        return;
      } catch (error) {
        log.error({ err: error }, 'The embedded Postgres does not start');
        await new Promise((resolve) => setTimeout(resolve, restartPauseMs));
      }
    }
  }

  /** `pg_ctl` gives up an administrator's rights first, which Postgres refuses to run with. */
  #startOnWindows(): void {
    const { binaries, pgdata, settings } = this.#options;
    const options = Object.entries(settings)
      .map(([name, value]) => `-c ${name}="${value}"`)
      .join(' ');
    const started = spawnSync(
      binaries.pgCtl,
      ['start', '-D', pgdata, '-w', '-t', '60', '-l', join(pgdata, 'postgres.log'), '-o', options],
      { stdio: 'ignore' },
    );
    if (started.status !== 0)
      throw new Error(`The embedded Postgres did not start; ${join(pgdata, 'postgres.log')} says why`);
  }
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null, last: string): string {
  const reason = last
    .split('\n')
    .filter((line) => /^(FATAL|PANIC|HINT|DETAIL):|error|cannot/i.test(line))
    .join(' ')
    .trim();
  return `The embedded Postgres ended (${signal ?? `code ${code}`})${reason === '' ? '' : `: ${reason}`}`;
}

function report(log: Logger, line: string): void {
  if (line.trim() === '') return;
  if (/^(PANIC|FATAL):/.test(line) && !/starting up|shutting down|administrator command|recovery mode/.test(line))
    log.error({ postgres: line }, 'postgres');
  else if (line.startsWith('WARNING:')) log.warn({ postgres: line }, 'postgres');
  else log.debug({ postgres: line }, 'postgres');
}
