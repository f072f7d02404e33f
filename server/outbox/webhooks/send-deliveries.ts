// Sends what is queued for webhooks: claims as much as may be under way, signs and posts it, and records answers together. No address and no project takes more
// than its share of what may be under way, and an address in trouble takes one (sql/rules/webhooks/deliveries.sql), so that a receiver that is dead delays nobody
// else. A node that dies leaves its claims to others, after a minute; a receiver then gets the same webhook-id again.

import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { roomRoles } from '../../database/room-roles.ts';
import { sql, statement } from '../../database/sql.ts';
import type { Database } from '../../database/types.ts';
import type { Outward } from '../post-outward.ts';
import { attempt, type Claimed, type Outcome } from './attempt.ts';
import { Signers } from './sign-webhook.ts';

const mostAtOnce = 512;
const mostPerWebhook = 8;
const gatherMs = 10;

export interface Means {
  readonly database: Pick<Database, 'objectsAs'>;
  readonly outward: Outward;
  /** Secrets are sealed with it. */
  readonly key: Buffer;
  readonly log: Logger;
}

export interface Deliverer {
  /** Sends until nothing is due and nothing under way. */
  run(stopping: AbortSignal): Promise<void>;
  /** Something new is due: a run that waits for answers looks again. */
  wake(): void;
}

export function openDeliverer({ database, outward, key, log }: Means): Deliverer {
  const run = <T>(fragment: ReturnType<typeof sql>) => database.objectsAs<T>(roomRoles.outbox, statement(fragment));
  const signers = new Signers(key);
  const busy = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  /** Replaced, never changed: what is being recorded is a part of it. */
  let unrecorded: readonly Outcome[] = [];
  const note = (outcome: Outcome): void => {
    unrecorded = [...unrecorded, outcome];
  };
  let recording: Promise<void> | null = null;
  let wake = (): void => undefined;

  /** Recorded while others are under way: what waits goes together. */
  function record(): Promise<void> {
    if (unrecorded.length > 0) recording ??= recordAll();
    return recording ?? Promise.resolve();
  }

  async function recordAll(): Promise<void> {
    try {
      while (unrecorded.length > 0) {
        const some = unrecorded;
        const off = await run<{ webhook_id: string; because: string }>(
          sql`select * from private.record_webhook_results(${JSON.stringify(some)}::jsonb)`,
        );
        unrecorded = unrecorded.slice(some.length);
        for (const { webhook_id, because } of off) await switchOff(webhook_id, because);
      }
    } finally {
      recording = null;
    }
  }

  async function switchOff(id: string, because: string): Promise<void> {
    await run(sql`select private.switch_off_webhook(${id}::uuid, ${because})::text as off`);
    log.info({ webhook: id, because }, 'a webhook was turned off');
  }

  async function send(one: Claimed): Promise<void> {
    const outcome = await attempt(one, outward, signers);
    note(outcome);
    if (outcome.is_unsigned) await switchOff(one.webhook_id, 'secret');
  }

  function begin(one: Claimed): void {
    busy.set(one.webhook_id, (busy.get(one.webhook_id) ?? 0) + 1);
    const sending: Promise<void> = send(one)
      .then(record)
      .catch((error: unknown) =>
        log.warn({ err: error, delivery: one.id }, 'the answer of a webhook could not be recorded'),
      )
      .finally(() => {
        const left = (busy.get(one.webhook_id) ?? 1) - 1;
        if (left === 0) busy.delete(one.webhook_id);
        else busy.set(one.webhook_id, left);
        underWay.delete(sending);
      });
    underWay.add(sending);
  }

  return {
    async run(stopping) {
      // What could not be recorded the last time: before anything else is claimed.
      await record();
      while (!stopping.aborted) {
        const word = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const room = mostAtOnce - underWay.size;
        const claimed =
          room <= 0
            ? []
            : await run<Claimed>(sql`
                select * from private.claim_webhook_deliveries(${room}::integer, ${mostPerWebhook}::integer,
                  ${JSON.stringify(Object.fromEntries(busy))}::jsonb)`);
        for (const one of withPayloads(claimed)) begin(one);
        if (claimed.length > 0) continue;
        if (underWay.size === 0) break;
        // A place is free, and its answer recorded, which may let a further event of the same task go: a moment later, with others. Or
        // something new is due.
        await Promise.race([word, Promise.race(underWay).then(() => pause(gatherMs))]);
      }
      await Promise.all(underWay);
    },
    wake: () => wake(),
  };
}

/** What an event says comes once, however many webhooks it goes to. */
function withPayloads(claimed: readonly Claimed[]): readonly Claimed[] {
  const payloads = new Map(claimed.flatMap(({ event_id: id, payload }) => (payload === null ? [] : [[id, payload]])));
  return claimed.map((one) => (one.payload === null ? { ...one, payload: payloads.get(one.event_id) ?? null } : one));
}
