// The file of sign-ins: tokens by instance, which instance is the usual one, and the usual project of each. Only its owner reads it (0600). Whoever
// changes it holds the lock beside it and writes the file anew, so that commands that run at once neither lose a change nor use a token twice.

import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { homedir, hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CommandError } from '../command.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface SignIn {
  readonly accessToken: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
  readonly refreshToken: string;
  /** The public key of the instance. */
  readonly apiKey: string;
  /** Id of the usual project. */
  readonly project?: string;
}

export interface SignIns {
  /** Address of the usual instance. */
  readonly current: string | null;
  readonly instances: Readonly<Record<string, SignIn>>;
  /** By instance, which a key may be for, and task. */
  readonly claims?: Readonly<Record<string, Readonly<Record<string, Claim>>>>;
}

/** Of a task that a command claimed. */
export interface Claim {
  readonly id: string;
  readonly task_id: string;
  readonly fence: number;
  readonly expires_at: string;
}

const nothing: SignIns = { current: null, instances: {} };
/** A lock of a process that is gone, or older than any request of ours can take. */
const staleMs = 60_000;
const timeoutMs = 90_000;
const pollMs = 25;

export function signInsPath(env: Environment): string {
  const home = env.HOME ?? homedir();
  const windows = process.platform === 'win32' ? env.APPDATA : undefined;
  const xdg = env.XDG_CONFIG_HOME;
  // A relative one is to be ignored, says its specification.
  const folder = xdg?.startsWith('/') ? xdg : (windows ?? join(home, '.config'));
  return join(folder, 'kanbase', 'sign-ins.json');
}

export function readSignIns(env: Environment): SignIns {
  const path = signInsPath(env);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothing;
    throw error;
  }
  try {
    const read = JSON.parse(text) as SignIns;
    if (typeof read.instances === 'object' && read.instances !== null) return read;
  } catch {
    // Said below.
  }
  throw new CommandError(`${path} cannot be read: delete it and sign in again with npx kanbase login`);
}

/** `change` gets what the file holds while no other process can change it. */
export async function changeSignIns(
  env: Environment,
  change: (now: SignIns) => SignIns | Promise<SignIns>,
): Promise<SignIns> {
  const path = signInsPath(env);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const unlock = await lock(`${path}.lock`);
  try {
    const now = readSignIns(env);
    const after = await change(now);
    if (after !== now) writeWhole(path, `${JSON.stringify(after, null, 2)}\n`);
    return after;
  } finally {
    unlock();
  }
}

function writeWhole(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}

async function lock(path: string): Promise<() => void> {
  const mine = `${process.pid} ${hostname()} ${randomUUID()}`;
  const until = Date.now() + timeoutMs;
  while (!create(path, mine)) {
    if (Date.now() > until)
      throw new CommandError(`another command of Kanbase holds ${path}: wait for it, or delete that file if none runs`);
    dropStale(path);
    await wait(pollMs);
  }
  return () => {
    if (textOf(path) === mine) rmSync(path, { force: true });
  };
}

function create(path: string, text: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, text);
    closeSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** One process at a time looks whether the holder is gone, so that none takes away the lock of its successor. */
function dropStale(path: string): void {
  if (!isStale(path)) return;
  const guard = `${path}.guard`;
  if (!create(guard, String(process.pid))) {
    if (ageOf(guard) > staleMs) rmSync(guard, { force: true });
    return;
  }
  try {
    if (isStale(path)) rmSync(path, { force: true });
  } finally {
    rmSync(guard, { force: true });
  }
}

function isStale(path: string): boolean {
  const text = textOf(path);
  if (text === null) return false;
  const [pid, host] = text.split(' ');
  // Of another machine or container, or being written: only its age tells.
  return (host === hostname() && !isRunning(Number(pid))) || ageOf(path) > staleMs;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function ageOf(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
