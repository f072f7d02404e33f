// Webhooks of a project, for its owners: listed with how they fare, made, changed, turned on and off, and removed.

import { useState } from 'react';
import {
  changeWebhook,
  listWebhooks,
  removeWebhook,
  restoreWebhook,
  type Webhook,
} from '../../commands/webhook-requests.ts';
import type { Ask } from '../../commands.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { showOffer } from '../../ui/overlays/toaster.tsx';
import { EndQuestion } from '../people/end-question.tsx';
import { useFetchedList } from '../people/use-fetched-list.ts';
import { Section } from '../settings/section.tsx';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { groupsIn } from './event-groups.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import styles from './webhooks.module.css';

type Open = { readonly what: 'new' } | { readonly what: 'edit' | 'deliveries' | 'remove'; readonly hook: Webhook };

export default function WebhookSettings({ projectId }: { projectId: string }) {
  const { list: hooks, fault, run } = useFetchedList(listWebhooks, projectId);
  const [open, setOpen] = useState<Open | null>(null);

  async function remove(ask: Ask, { id, name }: Webhook): Promise<void> {
    await ask(removeWebhook, id);
    showOffer(`webhook ${id}`, t('webhooks.removed', { name }), undefined, {
      label: t('common.undo'),
      onPick: () => void run((askAgain) => askAgain(restoreWebhook, id)),
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
              onSwitch={(is_active) => void run((ask) => ask(changeWebhook, hook.id, { is_active }))}
            />
          ))}
        </ul>
      )}
      {open?.what === 'new' && <WebhookDialog projectId={projectId} hook={null} onClose={close} />}
      {open?.what === 'edit' && <WebhookDialog projectId={projectId} hook={open.hook} onClose={close} />}
      {open?.what === 'deliveries' && <DeliveriesDialog hook={open.hook} onClose={close} />}
      {open?.what === 'remove' && (
        <EndQuestion
          title={t('webhooks.removeTitle', { name: open.hook.name })}
          words={t('webhooks.removeWords')}
          action={t('webhooks.remove')}
          onConfirm={() => void run((ask) => remove(ask, open.hook))}
          onClose={() => setOpen(null)}
        />
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
