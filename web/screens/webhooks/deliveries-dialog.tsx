// Deliveries of a webhook, each with its payload and the answer; tests, and what is sent again.

import { useCallback, useEffect, useState } from 'react';
import {
  listDeliveries,
  readPayload,
  redeliver,
  testWebhook,
  type Webhook,
  type WebhookDelivery,
} from '../../commands/webhook-requests.ts';
import { sayRefusal, useAsk } from '../../commands.ts';
import { sayMoment } from '../../queries/days/days.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import styles from './webhooks.module.css';

const refreshMs = 2000;
const hours = 24;

export function DeliveriesDialog({ hook, onClose }: { hook: Webhook; onClose: () => void }) {
  const ask = useAsk();
  const [deliveries, setDeliveries] = useState<readonly WebhookDelivery[] | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const run = useCallback(
    async (work: () => Promise<unknown>): Promise<void> => {
      try {
        await work();
        setDeliveries(await ask(listDeliveries, hook.id));
        setFault(null);
      } catch (reason) {
        setFault(sayRefusal(reason));
      }
    },
    [ask, hook.id],
  );
  // Deliveries are not among live changes: there are too many.
  useEffect(() => {
    void run(async () => undefined);
    const timer = setInterval(() => void run(async () => undefined), refreshMs);
    return () => clearInterval(timer);
  }, [run]);

  return (
    <Dialog
      open
      onClose={onClose}
      look="wide"
      title={t('webhooks.deliveriesOf', { name: hook.name })}
      description={t('webhooks.deliveriesHint')}
    >
      <div className={shapes.stackS4}>
        <div className={shapes.wrapS3}>
          <Button onClick={() => void run(() => ask(testWebhook, hook.id))}>{t('webhooks.test')}</Button>
          <Button
            disabled={!hook.is_active}
            onClick={() =>
              void run(async () =>
                showMessage(t('webhooks.sentAgain', { n: await ask(redeliver, hook.id, { hours }) })),
              )
            }
          >
            {t('webhooks.againAll')}
          </Button>
        </div>
        {fault !== null && <Notice tone="danger">{fault}</Notice>}
        {deliveries?.length === 0 && <p className={shapes.quiet}>{t('webhooks.none')}</p>}
        <ul>
          {deliveries?.map((one) => (
            <Delivery
              key={one.id}
              one={one}
              onAgain={hook.is_active ? () => void run(() => ask(redeliver, hook.id, { delivery: one.id })) : null}
            />
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

function Delivery({ one, onAgain }: { one: WebhookDelivery; onAgain: (() => void) | null }) {
  const ask = useAsk();
  const [payload, setPayload] = useState<string | null>(null);
  const facts = [
    sayMoment(one.created_at),
    ...(one.status === null ? [] : [String(one.status)]),
    ...(one.duration_ms === null ? [] : [`${one.duration_ms} ms`]),
    ...(one.attempts > 1 ? [t('webhooks.attempts', { n: one.attempts })] : []),
  ];
  const look = (): void => {
    if (payload !== null) return;
    if (one.request !== null) setPayload(one.request);
    else
      ask(readPayload, one.id).then(
        (said) => setPayload(JSON.stringify(said, null, 2)),
        (reason: unknown) => setPayload(sayRefusal(reason)),
      );
  };
  return (
    <li className={styles.delivery}>
      <details onToggle={look}>
        <summary>
          <span className={shapes.medium}>{one.event}</span>{' '}
          <span className={styles.state} data-state={one.state}>
            {t(`webhooks.states.${one.state}`)}
          </span>{' '}
          <span className={shapes.quietS}>{facts.join(' · ')}</span>
        </summary>
        <div className={`${shapes.stackS3} ${styles.detail}`}>
          {one.error !== null && <p className={shapes.wrong}>{one.error}</p>}
          <h4>{t('webhooks.payload')}</h4>
          <pre>{payload ?? t('common.loading')}</pre>
          <h4>{t('webhooks.answer')}</h4>
          <pre>{one.response === null || one.response === '' ? t('webhooks.noAnswer') : one.response}</pre>
          {onAgain !== null && one.state !== 'queued' && <Button onClick={onAgain}>{t('webhooks.again')}</Button>}
        </div>
      </details>
    </li>
  );
}
