// Program of the thread of the outbox: filters, signs and sends on connections of its own, so that requests find the server's event loop free. It yields
// the processors to requests, and so do its connections to Postgres where that runs on this machine as part of the server.

import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { openDatabaseAt } from '../../database/open-database.ts';
import { roomRoles } from '../../database/room-roles.ts';
import type { Database } from '../../database/types.ts';
import { yieldThread } from '../../yield-processor.ts';
import { openOutward } from '../post-outward.ts';
import { queueDeliveries } from '../webhooks/queue-deliveries.ts';
import { openDeliverer } from '../webhooks/send-deliveries.ts';
import type { FromThread, ThreadData, ToThread } from './messages.ts';

const { target, direct, config, key, allowedNetworks, siteUrl, logLevel, isEmbedded } = workerData as ThreadData;
/** Claiming, recording and queueing, beside one another. */
const connections = 2;
const gatherMs = 200;
/** Changes that follow one another within it are many; so often it says that it is awake. */
const busyMs = 1000;
const awakeSeconds = 3;
const lookMs = 2000 * awakeSeconds;

yieldThread();
const say = (message: FromThread): void => parentPort?.postMessage(message);
const log = pino({ level: logLevel }, { write: (line) => say({ type: 'log', line }) });
const opened = await openDatabaseAt(
  { pool: target, direct },
  { config: { ...config, poolSize: connections, replicaUrl: null }, yields: isEmbedded, log },
);
// A crash of Postgres may lose the last moment of this work, never a part of a transaction nor an earlier one: then it is done again.
const settings = [['synchronous_commit', 'off']] as const;
const database: Pick<Database, 'objectsAs'> = {
  objectsAs: (caller, statement) => opened.objectsAs(caller, statement, { settings }),
};
const outward = openOutward(allowedNetworks);
const stopping = new AbortController();
const deliverer = openDeliverer({ database, outward, key: Buffer.from(key), log });

const asked = new Map<number, (answer: { readonly status: number; readonly body: string }) => void>();
let last = 0;
const means = {
  ...{ database, siteUrl, log },
  ask: (path: string) =>
    new Promise<{ readonly status: number; readonly body: string }>((resolve) => {
      asked.set(++last, resolve);
      say({ type: 'ask', id: last, path });
    }),
};

const call = (text: string, ...values: string[]) => database.objectsAs(roomRoles.outbox, { text, values });
const stayAwake = (seconds: number) =>
  call('select private.stay_awake($1, $2::integer)::text as done', queueDeliveries.name, String(seconds));
let readAt = Number.NEGATIVE_INFINITY;
let awakeSince = Number.NEGATIVE_INFINITY;

/**
 * Queues what waits. Where changes come one after the other, it looks for them by itself a few times a second: each look reads, saves and forgets many, and
 * no change has to notify. It goes on for longer than it says, for changes that were noted before and committed after.
 */
async function queue(): Promise<void> {
  do {
    let hasRead = false;
    while (!stopping.signal.aborted && (await queueDeliveries.consume(means))) hasRead = true;
    const now = performance.now();
    if (hasRead) {
      await call('select private.forget_events()::text as done');
      if (now - readAt < busyMs && now - awakeSince > busyMs) {
        await stayAwake(awakeSeconds);
        awakeSince = now;
      }
      readAt = now;
    }
    if (now - awakeSince > lookMs) return;
    await pause(gatherMs);
  } while (!stopping.signal.aborted);
  await stayAwake(0);
}

parentPort?.on('message', (message: ToThread) => {
  switch (message.type) {
    case 'work':
      (message.work === 'queue' ? queue() : deliverer.run(stopping.signal)).then(
        () => say({ type: 'done', id: message.id }),
        (error: unknown) =>
          say({ type: 'failed', id: message.id, error: error instanceof Error ? error : new Error(String(error)) }),
      );
      break;
    case 'answer':
      asked.get(message.id)?.(message);
      asked.delete(message.id);
      break;
    case 'wake':
      deliverer.wake();
      break;
    case 'stop':
      stopping.abort();
      deliverer.wake();
      break;
    case 'cut':
      outward.close();
      break;
    case 'end':
      outward.close();
      void opened.close().finally(() => parentPort?.close());
  }
});
