// Further processes that serve on the same port and the same database: started, replaced when they end, and stopped. The main
// process runs the background jobs, and takes connections only to hand them to the others by turns.

import cluster, { type Worker } from 'node:cluster';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { HeldPort } from '../http/hold-port.ts';
import { closingMs } from './listen.ts';

export interface Workers {
  stop(): Promise<void>;
}

interface WorkersOptions {
  readonly count: number;
  readonly port: number;
  /** Let go of as the first worker listens: the main process takes the port for it at once. */
  readonly held: HeldPort | null;
  readonly log: Logger;
  /** How long requests in flight may take to finish. */
  readonly shutdownMs: number;
}

/** A worker that ended is replaced after this long, so that one that cannot start does not start without end. */
const replaceAfterMs = 500;

/** Resolves when all serve. One that cannot start the first time has said why. */
export async function startWorkers({ count, port, held, log, shutdownMs }: WorkersOptions): Promise<Workers> {
  const running = new Set<Worker>();
  let stopping = false;

  function start(): Promise<void> {
    const worker = cluster.fork();
    worker.on('message', (message: unknown) => {
      if (message === wanted) worker.send({ port });
      if (message === listening) held?.close();
    });
    running.add(worker);
    return new Promise((resolve, reject) => {
      let serves = false;
      worker.once('listening', () => {
        serves = true;
        resolve();
      });
      worker.once('exit', (code, signal) => {
        running.delete(worker);
        if (stopping) return resolve();
        if (!serves) reject(new WorkerFailed(code));
        else void replace(signal ?? `exit code ${code}`);
      });
    });
  }

  async function replace(why: string): Promise<void> {
    log.error({ why }, 'a process that serves has ended; another one takes its place');
    while (!stopping) {
      await pause(replaceAfterMs);
      if (stopping) return;
      try {
        return await start();
      } catch {
        log.error('a process that serves could not start; it is tried again');
      }
    }
  }

  async function stop(): Promise<void> {
    stopping = true;
    const ended = [...running].map((worker) => new Promise<void>((resolve) => worker.once('exit', () => resolve())));
    for (const worker of running) worker.process.kill('SIGTERM');
    await Promise.race([Promise.all(ended), pause(shutdownMs + closingMs, undefined, { ref: false })]);
    for (const worker of running) worker.process.kill('SIGKILL');
    await Promise.all(ended);
  }

  try {
    // The first one alone: what keeps it from starting would be said once by each.
    await start();
    await Promise.all(Array.from({ length: count - 1 }, start));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/** A worker ended before it served, and has said why. */
export class WorkerFailed extends Error {
  constructor(readonly exitCode: number) {
    super('a process that serves could not start');
  }
}

const wanted = 'which port?';
const listening = 'listening on it';

/** For a worker: the port that the main process chose. */
export function learnPort(): Promise<number> {
  return new Promise((resolve) => {
    process.on('message', function listen(message: unknown) {
      const { port } = message as { port?: unknown };
      if (typeof port !== 'number') return;
      process.off('message', listen);
      resolve(port);
    });
    process.send?.(wanted);
  });
}

/** For a worker that listens next. */
export function tellListening(): void {
  process.send?.(listening);
}
