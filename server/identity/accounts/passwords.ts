// Hashes and compares passwords, one at a time, on a thread of its own: argon2id for ours, bcrypt for those brought
// from elsewhere. A wrong address costs what a wrong password costs, because something is always compared.

import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { refuse } from '../errors.ts';
import { passwordWorker } from './password-worker.ts';

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Compares with nobody's hash when there is none. `outdated` asks for a new hash to be kept. */
  matches(password: string, stored: string | null): Promise<{ matches: boolean; outdated: boolean }>;
  close(): Promise<void>;
}

/** OWASP's first recommendation for argon2id with 19 MiB. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
const current = `$argon2id$v=19$m=${options.memoryCost},t=${options.timeCost},p=${options.parallelism}$`;
/** Same cost as a real one, matches nothing: salt and hash are made up. */
const nobody = `${current}c29tZXRoaW5nIHNhbHR5IQ$YW4gYW5zd2VyIHRoYXQgbm8gcGFzc3dvcmQgZ2l2ZXMgISE`;
/** More than this many waiting and the answer is 429: they would time out in their clients anyway. */
const longestQueue = 500;

interface Job {
  readonly resolve: (value: string | boolean) => void;
  readonly reject: (error: Error) => void;
}

export function openPasswords(): Passwords {
  const { resolve } = createRequire(import.meta.url);
  const jobs = new Map<number, Job>();
  let worker: Worker | null = null;
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(passwordWorker, {
      eval: true,
      workerData: { argon2: resolve('@node-rs/argon2'), bcrypt: resolve('@node-rs/bcrypt') },
    });
    started.on('message', ({ id, value, error }: { id: number; value?: string | boolean; error?: string }) => {
      const job = jobs.get(id);
      jobs.delete(id);
      if (jobs.size === 0) started.unref();
      if (job && value !== undefined) job.resolve(value);
      else job?.reject(new Error(`The password could not be hashed: ${error ?? 'no answer'}`));
    });
    const lost = (cause: Error) => {
      if (worker !== started) return;
      worker = null;
      for (const job of jobs.values()) job.reject(cause);
      jobs.clear();
    };
    started.on('error', lost);
    started.on('exit', () => lost(new Error('The password thread has stopped')));
    return started;
  }

  function ask(password: string, stored: string | null): Promise<string | boolean> {
    if (jobs.size >= longestQueue)
      throw refuse('over_request_rate_limit', 'Request rate limit reached', { headers: { 'retry-after': '10' } });
    worker ??= start();
    const thread = worker;
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      jobs.set(id, { resolve, reject });
      thread.ref();
      thread.postMessage({ id, password, stored, options });
    });
  }

  return {
    async hash(password) {
      return String(await ask(password, null));
    },
    async matches(password, stored) {
      const known = stored !== null && /^\$(argon2(id|i|d)\$|2[abxy]\$)/.test(stored);
      const same = (await ask(password, known ? stored : nobody)) === true;
      return { matches: known && same, outdated: known && !stored.startsWith(current) };
    },
    async close() {
      const ending = worker;
      worker = null;
      await ending?.terminate();
    },
  };
}
