// Program of the thread of the outbox: filters, signs and sends on connections of its own, so that requests find the server's event loop free. It yields
// the processors to requests, and so do its connections to Postgres where that runs on this machine as part of the server.

import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { openDatabaseAt } from '../../database/open-database.ts';
import { roomRoles } from '../../database/room-roles.ts';
import { type Database, PostgresError } from '../../database/types.ts';
import { yieldThread } from '../../yield-processor.ts';
import { openOutward } from '../post-outward.ts';
import { queueDeliveries } from '../webhooks/queue-deliveries.ts';
import { openDeliverer } from '../webhooks/send-deliveries.ts';
import type { FromThread, ThreadData, ToThread, Work } from './messages.ts';

const { target, direct, config, key, allowedNetworks, siteUrl, logLevel, isEmbedded } = workerData as ThreadData;
/** Claiming, recording and queueing, beside one another. */
const connections = 2;
const gatherMs = 200;
/** Changes that follow one another within it are many. */
const busyMs = 1000;
/** So often it says that it is awake, and for how long: what it leaves behind when it is killed, another node finds after that time. */
const sayMs = 500;
const awakeSeconds = 2;
/** Of what it says, left to commits that are under way: they notify already. */
const commitMs = 1000;
const lookMs = 5000;

yieldThread();
const say = (message: FromThread): void => parentPort?.postMessage(message);
const log = pino({ level: logLevel }, { write: (line) => say({ type: 'log', line }) });
const opened = await openDatabaseAt(
  { pool: target, direct },
  { config: { ...config, poolSize: connections, replicaUrl: null }, yields: isEmbedded, log },
);
// A crash of Postgres may lose the last moment of this work, never a part of a transaction nor an earlier one: then it is done again.
const settings = [['synchronous_commit', 'off']] as const;
const now = (): number => performance.timeOrigin + performance.now();
const databaseFor = (work: Work): Pick<Database, 'objectsAs'> => ({
  async objectsAs(caller, statement) {
    const began = now();
    let failure: string | null = null;
    try {
      return await opened.objectsAs(caller, statement, { settings });
    } catch (error) {
      failure = error instanceof PostgresError ? error.sqlstate : String((error as Error).name);
      throw error;
    } finally {
      const done = { text: statement.text, began, ended: now(), failure };
      say({ type: 'statement', work, done, connections: opened.stats().connections });
    }
  },
});
const database = databaseFor('queue');
const outward = openOutward(allowedNetworks);
const stopping = new AbortController();
const deliverer = openDeliverer({ database: databaseFor('send'), outward, key: Buffer.from(key), log });

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

/** How long a node says to be awake yet: this one, another or one that is gone. */
async function awakeMs(): Promise<number> {
  const [row] = await database.objectsAs<{ ms: number }>(roomRoles.outbox, {
    text: `select extract(epoch from awake_until - clock_timestamp())::float8 * 1000 as ms from private.event_consumers
      where name = $1 and awake_until between clock_timestamp() and clock_timestamp() + interval '1 minute'`,
    values: [queueDeliveries.name],
  });
  return row?.ms ?? 0;
}

/** True where there was something. */
async function consumeAll(): Promise<boolean> {
  let hasRead = false;
  while (!stopping.signal.aborted && (await queueDeliveries.consume(means))) hasRead = true;
  if (hasRead) await call('select private.forget_events()::text as done');
  return hasRead;
}

/**
 * Queues what waits. Where changes come one after the other, it looks for them by itself a few times a second: each look reads, saves and forgets many, and
 * no change has to notify. It goes on for longer than it says, for commits that take long to end. While another node says to be awake, it watches: that
 * one may have been killed, and changes it was to look for have notified nobody.
 */
async function queue(): Promise<void> {
  let rest = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  do {
    const isWatching = rest > 0;
    const looks = rest <= commitMs || performance.now() - lookedAt > lookMs;
    const hasRead = looks && (await consumeAll());
    const at = performance.now();
    if (looks) lookedAt = at;
    if (hasRead) {
      if (at - readAt < busyMs && at - awakeSince > sayMs) {
        await stayAwake(awakeSeconds);
        awakeSince = at;
      }
      readAt = at;
    }
    const isLooking = at - awakeSince <= lookMs;
    rest = isLooking ? 0 : await awakeMs();
    // Whoever was awake until now may have left something since this look.
    if (!isLooking && !isWatching && rest === 0) return;
    await pause(Math.max(gatherMs, Math.min(rest - commitMs, sayMs)));
  } while (!stopping.signal.aborted);
  if (performance.now() - awakeSince <= lookMs) await stayAwake(0);
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
