// Trial of a SCIM provider: what it sends is previewed, then applied or forgotten; and the question before a trial begins.

import { useState } from 'react';
import { applyTrial, previewTrial, startTrial } from '../../commands/admin-requests.ts';
import { useAsk } from '../../commands.ts';
import type { AdminProvider, TrialPreview } from '../../queries/admin/admin-providers.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import { sayAdminRefusal } from './say-admin-refusal.ts';
import { Refused, TrialChanges } from './trial-changes.tsx';

/** A trial that was applied here, and its refusals. */
interface Applied {
  readonly since: string | null;
  readonly refused: TrialPreview['refused'];
}

interface TrialProps {
  readonly provider: AdminProvider;
  readonly onChanged: () => void;
}

export function Trial({ provider, onChanged }: TrialProps) {
  const ask = useAsk();
  const { id, name } = provider;
  const [preview, setPreview] = useState<TrialPreview | null>(null);
  const [applied, setApplied] = useState<Applied | null>(null);
  const [busy, setBusy] = useState<'preview' | 'apply' | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);

  async function send(kind: 'preview' | 'apply'): Promise<void> {
    if (busy !== null) return;
    setBusy(kind);
    setFault(null);
    try {
      if (kind === 'preview') setPreview(await ask(previewTrial, id));
      else if (preview !== null) {
        const done = await ask(applyTrial, id, preview.version);
        setApplied({ since: provider.trial_since, refused: done.refused });
        setPreview(null);
        onChanged();
      }
    } catch (reason) {
      const isOld = kind === 'apply' && (reason as { code?: string } | null)?.code === 'KB804';
      setFault(isOld ? t('admin.trial.changed', { name }) : sayAdminRefusal(reason));
      setPreview(null);
      if (isOld) onChanged();
    }
    setBusy(null);
  }

  // Until another one begins.
  if (applied !== null && (provider.trial_since === null || provider.trial_since === applied.since))
    return (
      <div className={shapes.stackS3} role="status">
        <Notice tone="good">{t('admin.trial.applied', { name })}</Notice>
        <Refused refused={applied.refused} words={t('admin.trial.wasRefused', { n: applied.refused.length })} />
      </div>
    );
  if (provider.trial_since === null) return null;
  return (
    <div className={shapes.stackS4}>
      <Notice>
        <strong>{t('admin.trial.on')}</strong> <span>{t('admin.trial.words', { name })}</span>
      </Notice>
      {fault && <Notice tone="danger">{fault}</Notice>}
      {preview && <TrialChanges name={name} preview={preview} />}
      <div className={shapes.wrapS3}>
        {preview && (
          <Button
            look="main"
            busy={busy === 'apply'}
            aria-label={t('admin.trial.applyFor', { name })}
            onClick={() => void send('apply')}
          >
            {t('admin.mapping.apply')}
          </Button>
        )}
        <Button
          look={preview === null ? 'main' : 'plain'}
          busy={busy === 'preview'}
          aria-label={t('admin.trial.previewFor', { name })}
          onClick={() => void send('preview')}
        >
          {t('admin.mapping.preview')}
        </Button>
        <Button aria-label={t('admin.trial.overFor', { name })} onClick={() => setAsking(true)}>
          {t('admin.trial.over')}
        </Button>
      </div>
      {asking && (
        <StartTrial
          provider={provider}
          onClose={() => setAsking(false)}
          onStarted={() => {
            setPreview(null);
            onChanged();
          }}
        />
      )}
    </div>
  );
}

interface StartProps {
  readonly provider: AdminProvider;
  readonly onClose: () => void;
  readonly onStarted: () => void;
}

/** Begins a trial, or begins it anew. */
export function StartTrial({ provider: { id, name, trial_since }, onClose, onStarted }: StartProps) {
  const ask = useAsk();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const isOn = trial_since !== null;

  async function start(): Promise<void> {
    setBusy(true);
    try {
      await ask(startTrial, id);
      onStarted();
      onClose();
    } catch (reason) {
      setFault(sayAdminRefusal(reason));
      setBusy(false);
    }
  }

  return (
    <Confirm
      open
      onClose={onClose}
      title={isOn ? t('admin.trial.overFor', { name }) : t('admin.trial.startFor', { name })}
      description={fault ?? (isOn ? t('admin.trial.overWords', { name }) : t('admin.trial.startWords', { name }))}
    >
      <Button onClick={onClose}>{t('common.cancel')}</Button>
      <Button look={isOn ? 'danger' : 'main'} busy={busy} onClick={() => void start()}>
        {isOn ? t('admin.trial.over') : t('admin.trial.start')}
      </Button>
    </Confirm>
  );
}
