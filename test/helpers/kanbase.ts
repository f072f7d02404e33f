// The `kanbase` command as a process of its own, built from the sources as they are now.

import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { buildServerAside } from '../../scripts/build.mjs';
import { records } from './records.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Served {
  readonly url: string;
  readonly anonKey: string;
  readonly pid: number;
  /** Milliseconds from the start of the process until `/health` answered. */
  readonly healthAfter: number;
  /** What it has printed and logged so far. */
  output(): { stdout: string; stderr: string };
  /** Sends the signal (SIGTERM by default) and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The Node to run on; this one by default. */
  readonly node?: string;
  /** Another build of the server than that of the sources as they are now. */
  readonly main?: string;
  /** Standard input; empty by default. */
  readonly input?: string;
}

/** A directory that servants of root may enter, gone when `remove` is called. */
export function scratch(name = 'scratch'): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), `kanbase-${name}-`));
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Runs a command to its end. */
export async function runKanbase(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const child = await launch(args, options);
  return child.ended;
}

/** For those who start it themselves. */
export async function kanbaseCommand(args: readonly string[]): Promise<{ command: string; args: readonly string[] }> {
  return { command: process.execPath, args: [await buildServerAside(), ...args] };
}

/** Starts a command that says something before it ends. */
export function launchKanbase(args: readonly string[], options: RunOptions = {}): Promise<Launched> {
  return launch(args, options);
}

/** Starts `kanbase serve` on a free port and waits until it answers; throws its output when it does not come up. */
export async function startKanbase(args: readonly string[], options: RunOptions = {}): Promise<Served> {
  const begun = performance.now();
  const child = await launch(['serve', '--port', '0', '--host', '127.0.0.1', ...args], options);
  const banner = await child.until(/Service key/);
  const url = (/Address\s+(\S+)/.exec(banner)?.[1] ?? '').replace('localhost', '127.0.0.1');
  await fetch(`${url}/health`);
  return {
    url,
    anonKey: /Anon key\s+(\S+)/.exec(banner)?.[1] ?? '',
    pid: child.process.pid ?? 0,
    healthAfter: performance.now() - begun,
    output: child.output,
    stop: (signal = 'SIGTERM') => {
      child.process.kill(signal);
      return child.ended;
    },
  };
}

export interface Launched {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves to what was printed so far, once the words are in it. */
  until(words: RegExp, stream?: 'stdout' | 'stderr'): Promise<string>;
  output(): { stdout: string; stderr: string };
}

async function launch(
  args: readonly string[],
  { env = {}, cwd = tmpdir(), node = process.execPath, main: given, input }: RunOptions,
): Promise<Launched> {
  const main = given ?? (await buildServerAside());
  const { PATH, HOME, LANG } = process.env;
  records?.keepSettings(env);
  const child = spawn(node, [main, ...args], {
    cwd,
    env: { PATH, HOME, LANG, ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
  // One that reads none may be gone before.
  child.stdin?.on('error', () => undefined).end(input);
  let stdout = '';
  let stderr = '';
  let check = (): void => undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    check();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    check();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => {
      // What it prints is for the one who asked for it; what it logs is for whoever reads logs.
      records?.keepLog(stderr);
      resolve({ code, signal, stdout, stderr });
    });
  });
  return {
    process: child,
    ended,
    output: () => ({ stdout, stderr }),
    until: (words, stream = 'stdout') =>
      new Promise((resolve, reject) => {
        check = () => {
          const printed = stream === 'stdout' ? stdout : stderr;
          if (words.test(printed)) resolve(printed);
        };
        check();
        void ended.then(({ code }) => reject(new Error(`kanbase ended with ${code}: ${stderr}${stdout}`)));
      }),
  };
}
