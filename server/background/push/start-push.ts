// Sends notifications to browsers for as long as the server runs: at once when one is written, again when a push service did not take
// it, and after a restart from where it was. Which, to whom and how often is decided in sql/rules/notifications/push.sql.

import { roomRoles } from '../../database/room-roles.ts';
import type { Statement } from '../../database/types.ts';
import type { Services } from '../../services.ts';
import { settlePushKeys } from './push-keys.ts';
import { writePushMessage } from './push-message.ts';
import { type Sender, sendPush } from './send-push.ts';

const pollMs = 15_000;
const atOnce = 50;

interface Delivery {
  readonly notification_id: string;
  readonly subscription_id: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly is_last: boolean;
  readonly part: Readonly<Record<string, unknown>>;
  readonly unread: number;
}

/** Of one message: which browsers are gone, which need not be asked again, and whether one of the others is to be. */
interface Outcome {
  readonly id: string;
  readonly dead: readonly string[];
  readonly done: readonly string[];
  readonly again: boolean;
}

export async function startPush(services: Services): Promise<{ stop(): Promise<void> }> {
  const { config, database, jobs, log, sessions, siteUrl } = services;
  if (config.push.services.length === 0) return { stop: async () => undefined };
  const sender: Sender = {
    keys: await settlePushKeys(database, sessions.deriveKey('push keys')),
    subject: siteUrl.startsWith('https:') ? siteUrl : 'mailto:push@kanbase.invalid',
    services: config.push.services,
  };

  /** What became of messages, as long as it is not written down. */
  let unsettled: Outcome[] = [];
  let settling: Promise<void> | null = null;
  /** Written down while others are still on their way: a process that dies in between repeats few. */
  function settle(): Promise<void> {
    settling ??= (async () => {
      while (unsettled.length > 0) {
        const some = unsettled;
        await database.objectsAs(roomRoles.mail, settlement(some));
        unsettled = unsettled.slice(some.length);
      }
    })().finally(() => {
      settling = null;
    });
    return settling;
  }

  /** One message at all browsers of a person. */
  async function sendAll(id: string, browsers: readonly Delivery[]): Promise<void> {
    const [dead, done]: [string[], string[]] = [[], []];
    let again = false;
    await Promise.all(
      browsers.map(async (one) => {
        const message = JSON.stringify(writePushMessage(id, one.part, one.unread));
        const sent = await sendPush(one, message, sender);
        if (sent === 'gone') dead.push(one.subscription_id);
        if (sent !== 'failed') done.push(one.subscription_id);
        else if (!one.is_last) again = true;
        if (sent === 'failed' || sent === 'refused')
          log.debug({ subscription: one.subscription_id, sent }, 'a push message was not taken');
      }),
    );
    unsettled = [...unsettled, { id, dead, done, again }];
    // What cannot be written down now is once more at the end of the round.
    await settle().catch(() => undefined);
  }

  async function round(): Promise<boolean> {
    // What the last round could not write down: before anything is taken again, or browsers would ring again.
    await settle();
    const due = await database.objectsAs<Delivery>(roomRoles.mail, {
      text: 'select * from private.claim_push_deliveries($1)',
      values: [String(atOnce)],
    });
    const ids = [...new Set(due.map((one) => one.notification_id))];
    await Promise.all(
      ids.map((id) =>
        sendAll(
          id,
          due.filter((one) => one.notification_id === id),
        ),
      ),
    );
    await settle();
    return due.length > 0;
  }

  return jobs.every({
    name: 'send_push',
    channel: 'kanbase_push',
    everyMs: pollMs,
    firstAfterMs: 0,
    isRecorded: false,
    run: round,
  });
}

function settlement(outcomes: readonly Outcome[]): Statement {
  const kept = outcomes.filter(({ again }) => again).flatMap(({ id, done }) => done.map((browser) => [id, browser]));
  return {
    text: 'select private.record_push_results($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[])',
    values: [
      outcomes.filter(({ again }) => !again).map(({ id }) => id),
      outcomes.flatMap(({ dead }) => dead),
      kept.map(([id]) => id),
      kept.map(([, browser]) => browser),
    ].map((ids) => `{${ids.join(',')}}`),
  };
}
