// Starts the work of the outbox, for as long as the server runs: when a change is committed, and at intervals in case a word got lost. The work itself is
// done by a thread (thread/), which is there once something waits.

import { setTimeout as pause } from 'node:timers/promises';
import { roomRoles } from '../database/room-roles.ts';
import type { Services } from '../services.ts';
import { openOutboxThread } from './thread/run-thread.ts';

const pollMs = 15_000;
const sweepMs = 3_600_000;
/** The first changes after a while wait for hardly any others. */
const gatherMs = 20;
const againMs = 500;

export async function startOutbox(services: Services): Promise<{ stop(): Promise<void> }> {
  const { config, database, jobs, log } = services;
  const thread = openOutboxThread(services);
  const call = (text: string) => database.objectsAs<{ done: string }>(roomRoles.outbox, { text, values: [] });

  /** Without webhooks there is no thread. */
  async function isNeeded(): Promise<boolean> {
    if (thread.isRunning) return true;
    const [row] = await call('select private.outbox_waits()::text as done');
    return row?.done === 'true';
  }

  let hasFailed = false;

  /** After a first failure it runs again soon: what was left to the thread that is gone has notified nobody. */
  async function consume(stopping: AbortSignal): Promise<boolean> {
    if (!(await isNeeded())) return false;
    await pause(gatherMs);
    try {
      await thread.work('queue');
    } catch (error) {
      if (hasFailed || stopping.aborted) throw error;
      hasFailed = true;
      log.warn({ err: error }, 'events could not be queued; they are soon again');
      await pause(againMs);
      return true;
    }
    hasFailed = false;
    return false;
  }

  const regular = { everyMs: pollMs, firstAfterMs: 0, isRecorded: false };
  const running = [
    await jobs.every({ ...regular, name: 'webhook_events', channel: 'kanbase_events', run: consume }),
    await jobs.every({
      ...regular,
      name: 'send_webhooks',
      channel: 'kanbase_webhooks',
      onWord: () => thread.wake(),
      run: async () => {
        if (await isNeeded()) await thread.work('send');
      },
    }),
    await jobs.every({
      name: 'sweep_webhooks',
      everyMs: sweepMs,
      run: () => call('select private.sweep_webhook_deliveries()::text as done'),
    }),
  ];
  return {
    async stop() {
      thread.stop();
      // What is under way may arrive; a receiver that is silent holds nobody up, and gets the same again.
      const cut = setTimeout(() => thread.cut(), config.server.shutdownMs / 2);
      await Promise.all(running.map((job) => job.stop()));
      clearTimeout(cut);
      await thread.end();
    },
  };
}
