// Webhooks of a project, for its owners: listed with how they fare, made, changed, turned on and off, and removed.

import { useCallback, useEffect, useState } from 'react';
import {
  changeWebhook,
  listWebhooks,
  removeWebhook,
  restoreWebhook,
  type Webhook,
} from '../../commands/webhook-requests.ts';
import { sayRefusal, useAsk } from '../../commands.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import { showOffer } from '../../ui/overlays/toaster.tsx';
import { Section } from '../settings/section.tsx';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { groupsIn } from './event-groups.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import styles from './webhooks.module.css';

type Open = { readonly what: 'new' } | { readonly what: 'edit' | 'deliveries' | 'remove'; readonly hook: Webhook };

export default function WebhookSettings({ projectId }: { projectId: string }) {
  const ask = useAsk();
  const [hooks, setHooks] = useState<readonly Webhook[] | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [open, setOpen] = useState<Open | null>(null);
  const list = useCallback(async () => setHooks(await ask(listWebhooks, projectId)), [ask, projectId]);
  const run = useCallback(
    async (work: () => Promise<void>): Promise<void> => {
      setFault(null);
      await work()
        .then(list)
        .catch((reason: unknown) => setFault(sayRefusal(reason)));
    },
    [list],
  );
  useEffect(() => void run(async () => undefined), [run]);

  async function remove({ id, name }: Webhook): Promise<void> {
    await ask(removeWebhook, id);
    showOffer(`webhook ${id}`, t('webhooks.removed', { name }), undefined, {
      label: t('common.undo'),
      onPick: () => void run(() => ask(restoreWebhook, id)),
    });
  }
  const close = (): void => {
    setOpen(null);
    void run(async () => undefined);
  };
  return (
    <Section title={t('webhooks.title')}>
      <div className={`${shapes.rowS5} ${styles.head}`}>
        <p className={shapes.soft}>{t('webhooks.words')}</p>
        <Button onClick={() => setOpen({ what: 'new' })}>{t('webhooks.add')}</Button>
      </div>
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
      {hooks !== null && hooks.length > 0 && (
        <ul aria-label={t('webhooks.title')}>
          {hooks.map((hook) => (
            <Line
              key={hook.id}
              hook={hook}
              onOpen={setOpen}
              onSwitch={(is_active) => void run(() => ask(changeWebhook, hook.id, { is_active }))}
            />
          ))}
        </ul>
      )}
      {open?.what === 'new' && <WebhookDialog projectId={projectId} hook={null} onClose={close} />}
      {open?.what === 'edit' && <WebhookDialog projectId={projectId} hook={open.hook} onClose={close} />}
      {open?.what === 'deliveries' && <DeliveriesDialog hook={open.hook} onClose={close} />}
      {open?.what === 'remove' && (
        <Confirm
          open
          title={t('webhooks.removeTitle', { name: open.hook.name })}
          description={t('webhooks.removeWords')}
          onClose={() => setOpen(null)}
        >
          <Button onClick={() => setOpen(null)}>{t('common.cancel')}</Button>
          <Button
            look="danger"
            onClick={() => {
              setOpen(null);
              void run(() => remove(open.hook));
            }}
          >
            {t('webhooks.remove')}
          </Button>
        </Confirm>
      )}
    </Section>
  );
}

interface LineProps {
  readonly hook: Webhook;
  readonly onOpen: (open: Open) => void;
  readonly onSwitch: (on: boolean) => void;
}

function Line({ hook, onOpen, onSwitch }: LineProps) {
  return (
    <li className={styles.line}>
      <span className={`${shapes.stackS1} ${styles.about}`}>
        <span className={`${shapes.medium} ${shapes.breaks}`}>{hook.name}</span>
        <span className={`${shapes.quietS} ${shapes.breaks}`}>{new URL(hook.url).host}</span>
        <span className={shapes.quietS}>
          {groupsIn(hook.events)
            .map((name) => t(`webhooks.events.${name}`))
            .join(' · ')}
        </span>
        <State hook={hook} />
      </span>
      <span className={shapes.wrapS2}>
        <Button onClick={() => onOpen({ what: 'deliveries', hook })}>{t('webhooks.deliveries')}</Button>
        <Button onClick={() => onOpen({ what: 'edit', hook })}>{t('common.edit')}</Button>
        <Button onClick={() => onSwitch(!hook.is_active)}>
          {hook.is_active ? t('webhooks.turnOff') : t('webhooks.turnOn')}
        </Button>
        <Button onClick={() => onOpen({ what: 'remove', hook })}>{t('webhooks.remove')}</Button>
      </span>
    </li>
  );
}

function State({ hook }: { hook: Webhook }) {
  if (!hook.is_active) return <span className={shapes.wrong}>{t(`webhooks.off.${hook.off_because ?? 'owner'}`)}</span>;
  if (hook.failing_since !== null) return <span className={shapes.wrong}>{t('webhooks.failing')}</span>;
  return null;
}
