// Sends notifications to browsers for as long as the server runs: at once when one is written, again when a push service did not take
// it, and after a restart from where it was. Which, to whom and how often is decided in sql/0754_push.sql and 0984_browsers_that_have_it.sql.

import type { Statement } from '../database/types.ts';
import { startWork } from '../jobs/start-work.ts';
import type { Services } from '../services.ts';
import { settlePushKeys } from './push-keys.ts';
import { writePushMessage } from './push-message.ts';
import { type Sender, sendPush } from './send-push.ts';

const caller = { role: 'kanbase_mail', claims: '{}' };
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

export async function startPush(services: Services): Promise<{ stop(): Promise<void> }> {
  const { config, database, log, sessions, siteUrl } = services;
  if (config.push.services.length === 0) return { stop: async () => undefined };
  const sender: Sender = {
    keys: await settlePushKeys(database, sessions.deriveKey('push keys')),
    subject: siteUrl.startsWith('https:') ? siteUrl : 'mailto:push@kanbase.invalid',
    services: config.push.services,
  };

  let unsettled: Statement | null = null;
  async function settle(): Promise<void> {
    if (unsettled === null) return;
    await database.objectsAs(caller, unsettled);
    unsettled = null;
  }

  async function round(): Promise<boolean> {
    // What the last round could not write down: before anything is taken again, or browsers would ring again.
    await settle();
    const due = await database.objectsAs<Delivery>(caller, {
      text: 'select * from private.take_push_deliveries($1)',
      values: [String(atOnce)],
    });
    if (due.length === 0) return false;
    const again = new Set<string>();
    const dead: string[] = [];
    const done: Delivery[] = [];
    await Promise.all(
      due.map(async (one) => {
        const message = JSON.stringify(writePushMessage(one.notification_id, one.part, one.unread));
        const sent = await sendPush(one, message, sender);
        if (sent === 'gone') dead.push(one.subscription_id);
        if (sent !== 'failed') done.push(one);
        else if (!one.is_last) again.add(one.notification_id);
        if (sent === 'failed' || sent === 'refused')
          log.debug({ subscription: one.subscription_id, sent }, 'a push message was not taken');
      }),
    );
    const sent = [...new Set(due.map((one) => one.notification_id))].filter((id) => !again.has(id));
    const kept = done.filter((one) => again.has(one.notification_id));
    unsettled = {
      text: 'select private.settle_push($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[])',
      values: [sent, dead, kept.map((one) => one.notification_id), kept.map((one) => one.subscription_id)].map(
        (ids) => `{${ids.join(',')}}`,
      ),
    };
    await settle();
    return true;
  }

  return startWork(services, {
    channel: 'kanbase_push',
    everyMs: pollMs,
    failed: 'push messages were not sent; will try again',
    deaf: 'push messages leave every few seconds only',
    round,
  });
}
