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
const mostPerWebhook = 16;
/** Between two rounds: what was answered meanwhile is recorded together, and what became due is claimed together. */
const gatherMs = 40;

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

interface Answered extends Outcome {
  readonly webhook_id: string;
}

export function openDeliverer({ database, outward, key, log }: Means): Deliverer {
  const run = <T>(fragment: ReturnType<typeof sql>) => database.objectsAs<T>(roomRoles.outbox, statement(fragment));
  const signers = new Signers(key);
  /** Deliveries of each webhook that are under way or not recorded yet. */
  const busy = new Map<string, number>();
  let underWay = 0;
  /** Replaced, never changed: what is being recorded is a part of it. */
  let unrecorded: readonly Answered[] = [];
  let wake = (): void => undefined;

  async function record(): Promise<void> {
    if (unrecorded.length === 0) return;
    const some = unrecorded;
    const off = await run<{ webhook_id: string; because: string }>(
      sql`select * from private.record_webhook_results(${JSON.stringify(some)}::jsonb)`,
    );
    unrecorded = unrecorded.slice(some.length);
    for (const { webhook_id: id } of some) {
      const left = (busy.get(id) ?? 1) - 1;
      if (left === 0) busy.delete(id);
      else busy.set(id, left);
    }
    const unsigned = new Set(some.flatMap((one) => (one.is_unsigned ? [one.webhook_id] : [])));
    for (const id of unsigned) await switchOff(id, 'secret');
    for (const { webhook_id, because } of off) await switchOff(webhook_id, because);
  }

  async function switchOff(id: string, because: string): Promise<void> {
    await run(sql`select private.switch_off_webhook(${id}::uuid, ${because})::text as off`);
    log.info({ webhook: id, because }, 'a webhook was turned off');
  }

  function begin(one: Claimed): void {
    busy.set(one.webhook_id, (busy.get(one.webhook_id) ?? 0) + 1);
    underWay++;
    void attempt(one, outward, signers)
      .catch((error: unknown): Outcome => {
        log.error({ err: error, delivery: one.id }, 'a webhook could not be sent');
        return { id: one.id, outcome: 'failed', error: 'The server could not send it' };
      })
      .then((outcome) => {
        unrecorded = [...unrecorded, { ...outcome, webhook_id: one.webhook_id }];
        underWay--;
        wake();
      });
  }

  async function claim(): Promise<readonly Claimed[]> {
    const room = mostAtOnce - underWay - unrecorded.length;
    if (room <= 0) return [];
    return run<Claimed>(sql`
      select * from private.claim_webhook_deliveries(${room}::integer, ${mostPerWebhook}::integer,
        ${JSON.stringify(Object.fromEntries(busy))}::jsonb)`);
  }

  return {
    async run(stopping) {
      for (;;) {
        const word = new Promise<void>((resolve) => {
          wake = resolve;
        });
        // Also what could not be recorded the last time: before anything else is claimed.
        await record();
        const claimed = stopping.aborted ? [] : await claim();
        for (const one of withPayloads(claimed)) begin(one);
        if (underWay === 0 && unrecorded.length === 0) {
          if (claimed.length === 0) break;
          continue;
        }
        // An answer, whose place is free then and which may let a further event of the same task go; or something new is due. A moment later, with others.
        await word;
        await pause(gatherMs);
      }
    },
    wake: () => wake(),
  };
}

/** What an event says comes once, however many webhooks it goes to. */
function withPayloads(claimed: readonly Claimed[]): readonly Claimed[] {
  const payloads = new Map(claimed.flatMap(({ event_id: id, payload }) => (payload === null ? [] : [[id, payload]])));
  return claimed.map((one) => (one.payload === null ? { ...one, payload: payloads.get(one.event_id) ?? null } : one));
}
