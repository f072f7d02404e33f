// The thread of the outbox as the server sees it: started with the first work, and again where it was lost. What it was doing then is done again.

import { Worker } from 'node:worker_threads';
import type { Level } from 'pino';
import type { TracedWork } from '../../http/trace-context.ts';
import { programFile } from '../../program-file.ts';
import type { Services } from '../../services.ts';
import { webhookKeyOf } from '../webhooks/sign-webhook.ts';
import type { FromThread, ThreadData, ToThread, Work } from './messages.ts';

export interface OutboxThread {
  readonly isRunning: boolean;
  /** Rejects where the thread is lost. */
  work(work: Work): Promise<void>;
  /** Something new is due. */
  wake(): void;
  /** Begins nothing more. */
  stop(): void;
  /** Breaks off what is under way. */
  cut(): void;
  /** Resolves when the thread has ended. */
  end(): Promise<void>;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

type Means = Pick<Services, 'config' | 'database' | 'fetch' | 'log' | 'metrics' | 'sessions' | 'siteUrl' | 'traceWork'>;

const levels: Readonly<Record<number, Level>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const endLimitMs = 5000;

export function openOutboxThread(means: Means): OutboxThread {
  const { fetch, log, metrics, sessions, traceWork } = means;
  const waiting = new Map<number, Waiting>();
  let thread: Promise<Worker> | null = null;
  let running: Worker | null = null;
  let isStopping = false;
  let last = 0;
  let connections = 0;
  const traced = new Map<Work, TracedWork>();
  const count = metrics.counter(
    { name: 'kanbase_outbox_statements_total', help: 'Statements of the thread of the outbox.', label: 'result' },
    ['done', 'failed'],
  );
  metrics.gauge('kanbase_outbox_connections', 'Connections to Postgres of that thread.', () => connections);
  const tell = (message: ToThread): void => running?.postMessage(message);

  async function start(): Promise<Worker> {
    const started = new Worker(await programFile('outbox-thread'), { workerData: dataOf(means) });
    const lost = (cause: Error): void => {
      if (running !== started) return;
      running = null;
      thread = null;
      connections = 0;
      for (const { reject } of waiting.values()) reject(cause);
      waiting.clear();
    };
    started.on('message', (message: FromThread) => take(started, message));
    started.on('error', lost);
    started.on('exit', () => lost(new Error('the thread of the outbox has ended')));
    running = started;
    return started;
  }

  function take(from: Worker, message: FromThread): void {
    switch (message.type) {
      case 'done':
        waiting.get(message.id)?.resolve();
        waiting.delete(message.id);
        break;
      case 'failed':
        waiting.get(message.id)?.reject(message.error);
        waiting.delete(message.id);
        break;
      case 'statement':
        connections = message.connections;
        count(message.done.failure === null ? 'done' : 'failed');
        traced.get(message.work)?.statement(message.done);
        break;
      case 'ask':
        void ask(message.path).then((answer) => from.postMessage({ type: 'answer', id: message.id, ...answer }));
        break;
      case 'log': {
        const { level, msg, time: _time, pid: _pid, hostname: _host, ...rest } = JSON.parse(message.line) as Line;
        log[levels[level] ?? 'warn'](rest, msg);
      }
    }
  }

  async function ask(path: string): Promise<{ readonly status: number; readonly body: string }> {
    const key = sessions.serviceRoleKey;
    try {
      const answer = await fetch(path, { headers: { apikey: key, Authorization: `Bearer ${key}` } });
      return { status: answer.status, body: await answer.text() };
    } catch (error) {
      return { status: 503, body: String(error) };
    }
  }

  return {
    get isRunning() {
      return thread !== null;
    },
    async work(work) {
      thread ??= start();
      const to = await thread.catch((error: unknown) => {
        thread = null;
        throw error;
      });
      if (isStopping) return;
      const id = ++last;
      const span = traceWork?.(`outbox ${work}`);
      if (span !== undefined) traced.set(work, span);
      const done = new Promise<void>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        to.postMessage({ type: 'work', id, work } satisfies ToThread);
      });
      return done.then(
        () => span?.end(null),
        (error: Error) => {
          span?.end(error.name);
          throw error;
        },
      );
    },
    wake: () => tell({ type: 'wake' }),
    stop() {
      isStopping = true;
      tell({ type: 'stop' });
    },
    cut: () => tell({ type: 'cut' }),
    async end() {
      const ending = await thread?.catch(() => null);
      if (!ending || running !== ending) return;
      const ended = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
      const late = setTimeout(() => void ending.terminate(), endLimitMs);
      ending.postMessage({ type: 'end' } satisfies ToThread);
      await ended;
      clearTimeout(late);
    },
  };
}

interface Line {
  readonly level: number;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

function dataOf({ config, database, log, sessions, siteUrl }: Means): ThreadData {
  return {
    target: database.targets.pool,
    direct: database.targets.direct,
    config: { ...config.database },
    key: webhookKeyOf(sessions),
    allowedNetworks: config.webhooks.allowedNetworks,
    siteUrl,
    logLevel: log.level,
    isEmbedded: config.database.url === null,
  };
}
