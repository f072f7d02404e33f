// Starts the consumers of the outbox, and sends what they queue, for as long as the server runs: at once when a change is committed, and at intervals
// in case a word got lost.

import { setTimeout as pause } from 'node:timers/promises';
import { roomRoles } from '../database/room-roles.ts';
import type { Services } from '../services.ts';
import type { Consumer } from './outbox.ts';
import { openOutward } from './post-outward.ts';
import { queueDeliveries } from './webhooks/queue-deliveries.ts';
import { openDeliverer } from './webhooks/send-deliveries.ts';
import { webhookKeyOf } from './webhooks/sign-webhook.ts';

const consumers: readonly Consumer[] = [queueDeliveries];
const pollMs = 15_000;
const sweepMs = 3_600_000;
/** Changes that come within it are read, saved and forgotten together: each of the three is a commit. */
const gatherMs = 50;

export async function startOutbox(services: Services): Promise<{ stop(): Promise<void> }> {
  const { config, database, jobs, log, sessions } = services;
  const outward = openOutward(config.webhooks.allowedNetworks);
  const deliverer = openDeliverer({ database, outward, log, key: webhookKeyOf(sessions) });
  const call = (text: string) => database.objectsAs(roomRoles.outbox, { text, values: [] });

  async function consume(consumer: Consumer): Promise<void> {
    await pause(gatherMs);
    let handled = false;
    while (await consumer.consume(services)) handled = true;
    if (handled) await call('select private.forget_events()::text as done');
  }

  const regular = { everyMs: pollMs, firstAfterMs: 0, isRecorded: false };
  const running = [
    ...(await Promise.all(
      consumers.map((consumer) =>
        jobs.every({ ...regular, name: consumer.name, channel: 'kanbase_events', run: () => consume(consumer) }),
      ),
    )),
    await jobs.every({
      ...regular,
      name: 'send_webhooks',
      channel: 'kanbase_webhooks',
      onWord: () => deliverer.wake(),
      run: (stopping) => deliverer.run(stopping),
    }),
    await jobs.every({
      name: 'sweep_webhooks',
      everyMs: sweepMs,
      run: () => call('select private.sweep_webhook_deliveries()::text as done'),
    }),
  ];
  return {
    async stop() {
      // What is under way may arrive; a receiver that is silent holds nobody up, and gets the same again.
      const cut = setTimeout(() => outward.close(), config.server.shutdownMs / 2);
      await Promise.all(running.map((job) => job.stop()));
      clearTimeout(cut);
      outward.close();
    },
  };
}
