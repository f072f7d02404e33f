// Form of a webhook, new or as it is; a new secret is shown once, to copy.

import { type FormEvent, useState } from 'react';
import { type WebhookEvent, type WebhookShape, webhookShapes } from '../../../contract/webhooks.ts';
import {
  changeWebhook,
  createWebhook,
  rotateWebhook,
  type Webhook,
  type WebhookSettings,
} from '../../commands/webhook-requests.ts';
import { sayRefusal, useAsk } from '../../commands.ts';
import { savedViewsOf, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { CheckField, SelectField, TextField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { LinkField } from '../people/link-field.tsx';
import { eventGroupNames, eventGroups, groupsIn } from './event-groups.ts';
import styles from './webhooks.module.css';

const fresh: WebhookSettings = {
  name: '',
  url: '',
  events: [...eventGroups.created, ...eventGroups.moved, ...eventGroups.comments],
  shape: 'json',
  filter: { all: [] },
  includes_restricted: false,
};

interface Props {
  readonly projectId: string;
  /** Null: a new one. */
  readonly hook: Webhook | null;
  readonly onClose: () => void;
}

export function WebhookDialog({ projectId, hook, onClose }: Props) {
  const ask = useAsk();
  const [secret, setSecret] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function run(work: () => Promise<void>): Promise<void> {
    setBusy(true);
    setFault(null);
    await work().catch((reason: unknown) => setFault(sayRefusal(reason)));
    setBusy(false);
  }
  const save = (settings: WebhookSettings) =>
    run(async () => {
      if (hook === null) return setSecret(await ask(createWebhook, projectId, settings));
      await ask(changeWebhook, hook.id, settings);
      onClose();
    });

  return (
    <Dialog open onClose={onClose} title={hook === null ? t('webhooks.add') : hook.name}>
      <div className={shapes.stackS5}>
        {secret === null ? (
          <Form
            projectId={projectId}
            settings={hook ?? fresh}
            isNew={hook === null}
            busy={busy}
            onSave={(settings) => void save(settings)}
          />
        ) : (
          <div className={shapes.stackS3}>
            <LinkField link={secret} label={t('webhooks.secret')} copyLabel={t('webhooks.copySecret')} />
            <p className={shapes.quietS}>{hook === null ? t('webhooks.once') : t('webhooks.onceRotated')}</p>
            <Button onClick={onClose}>{t('common.close')}</Button>
          </div>
        )}
        {fault !== null && <Notice tone="danger">{fault}</Notice>}
        {hook !== null && secret === null && (
          <section className={shapes.stackS3} aria-label={t('webhooks.signing')}>
            <h3>{t('webhooks.signing')}</h3>
            <LinkField link={hook.public_key} label={t('webhooks.publicKey')} copyLabel={t('webhooks.copyKey')} />
            <p className={shapes.quietS}>{t('webhooks.rotateHint')}</p>
            <Button disabled={busy} onClick={() => void run(async () => setSecret(await ask(rotateWebhook, hook.id)))}>
              {t('webhooks.rotate')}
            </Button>
          </section>
        )}
      </div>
    </Dialog>
  );
}

interface FormProps {
  readonly projectId: string;
  readonly settings: WebhookSettings;
  readonly isNew: boolean;
  readonly busy: boolean;
  readonly onSave: (settings: WebhookSettings) => void;
}

function Form({ projectId, settings, isNew, busy, onSave }: FormProps) {
  const views = useQuery(savedViewsOf, projectId);
  const [name, setName] = useState(settings.name);
  const [url, setUrl] = useState(settings.url);
  const [events, setEvents] = useState<readonly WebhookEvent[]>(settings.events);
  const [shape, setShape] = useState<WebhookShape>(settings.shape);
  const [filter, setFilter] = useState(settings.filter);
  const [restricted, setRestricted] = useState(settings.includes_restricted);
  const asText = JSON.stringify(filter);
  const view = views.find((one) => JSON.stringify(one.filter) === asText);
  const chosen = asText === JSON.stringify(fresh.filter) ? 'all' : (view?.id ?? 'own');

  function save(event: FormEvent): void {
    event.preventDefault();
    if (!busy) onSave({ name: name.trim(), url: url.trim(), events, shape, filter, includes_restricted: restricted });
  }
  return (
    <form className={shapes.stackS4} onSubmit={save}>
      <TextField
        label={t('common.name')}
        required
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label={t('webhooks.url')}
        type="url"
        required
        maxLength={2000}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <SelectField
        label={t('webhooks.shape')}
        value={shape}
        choices={webhookShapes.map((value) => ({ value, label: t(`webhooks.shapes.${value}`) }))}
        onPick={setShape}
      />
      <fieldset className={styles.events}>
        <legend>{t('webhooks.eventsLabel')}</legend>
        {eventGroupNames.map((group) => (
          <CheckField
            key={group}
            label={t(`webhooks.events.${group}`)}
            checked={groupsIn(events).includes(group)}
            onChange={(event) => {
              const others = events.filter((type) => !(eventGroups[group] as readonly WebhookEvent[]).includes(type));
              setEvents(event.target.checked ? [...others, ...eventGroups[group]] : others);
            }}
          />
        ))}
      </fieldset>
      <SelectField
        label={t('webhooks.tasks')}
        value={chosen}
        choices={[
          { value: 'all', label: t('webhooks.allTasks') },
          ...views.map((one) => ({ value: one.id, label: one.name })),
          ...(chosen === 'own' ? [{ value: 'own', label: t('webhooks.ownFilter') }] : []),
        ]}
        hint={t('webhooks.tasksHint')}
        onPick={(value) =>
          setFilter(views.find((one) => one.id === value)?.filter ?? (value === 'own' ? filter : fresh.filter))
        }
      />
      <CheckField
        label={t('webhooks.restricted')}
        hint={t('webhooks.restrictedHint')}
        checked={restricted}
        onChange={(event) => setRestricted(event.target.checked)}
      />
      <Button type="submit" look="main" busy={busy} disabled={events.length === 0}>
        {isNew ? t('webhooks.add') : t('common.save')}
      </Button>
    </form>
  );
}
