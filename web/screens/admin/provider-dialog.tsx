// Dialog that adds an identity provider, or a token to one. The token is shown once, beside the address where it is used.

import { type FormEvent, useState } from 'react';
import { createProvider, createProviderToken } from '../../commands/admin-requests.ts';
import { useAsk } from '../../commands.ts';
import type { AdminProvider } from '../../queries/admin/admin-providers.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { CheckField, TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { Notice } from '../../ui/list-states.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import { sayAdminRefusal } from './say-admin-refusal.ts';

interface ProviderDialogProps {
  /** Null: a new one. */
  readonly provider: AdminProvider | null;
  readonly address: string;
  readonly onClose: () => void;
  readonly onMade: () => void;
}

export function ProviderDialog({ provider, address, onClose, onMade }: ProviderDialogProps) {
  const ask = useAsk();
  const [name, setName] = useState(provider?.name ?? '');
  const [onTrial, setOnTrial] = useState(true);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [token, setToken] = useState<string | null>(null);
  const called = name.trim();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    if (called === '') {
      setFault(t('admin.scim.nameMissing'));
      return;
    }
    setBusy(true);
    setFault(null);
    try {
      const made = await (provider === null
        ? ask(createProvider, called, onTrial)
        : ask(createProviderToken, provider.id));
      setToken(made.token);
      onMade();
    } catch (reason) {
      const isTaken = (reason as { code?: string } | null)?.code === 'KB804';
      const taken = provider === null ? t('admin.scim.taken') : t('admin.scim.tooMany');
      setFault(isTaken ? taken : sayAdminRefusal(reason));
    }
    setBusy(false);
  }

  const title = provider === null ? t('admin.scim.create') : t('admin.scim.newTokenFor', { name: provider.name });
  return (
    <Dialog open onClose={onClose} title={title}>
      {token !== null ? (
        <div className={shapes.stackS5}>
          <Notice tone="good">{t('admin.scim.made', { name: called })}</Notice>
          <Copied label={t('admin.scim.address')} value={address} copy={t('admin.scim.copyAddress')} />
          <Copied label={t('admin.scim.token')} value={token} copy={t('admin.scim.copyToken')} main />
          <div className={shapes.flowS3}>
            <Button onClick={onClose}>{t('common.close')}</Button>
          </div>
        </div>
      ) : (
        <form className={shapes.stackS5} onSubmit={(event) => void submit(event)} noValidate>
          {provider === null ? (
            <>
              <TextField
                label={t('common.name')}
                autoComplete="off"
                autoFocus
                {...limitTo(60)}
                value={name}
                onChange={(event) => setName(event.target.value)}
                error={fault}
              />
              <CheckField
                label={t('admin.trial.choose')}
                hint={t('admin.trial.chooseHint')}
                checked={onTrial}
                onChange={(event) => setOnTrial(event.target.checked)}
              />
            </>
          ) : (
            fault && <Notice tone="danger">{fault}</Notice>
          )}
          <div className={shapes.flowS3}>
            <Button look="main" type="submit" busy={busy}>
              {provider === null ? t('admin.scim.create') : t('admin.scim.newToken')}
            </Button>
            <Button onClick={onClose}>{t('common.cancel')}</Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function Copied({ label, value, copy, main = false }: { label: string; value: string; copy: string; main?: boolean }) {
  const [copied, setCopied] = useState(false);
  return (
    <div className={shapes.stackS3}>
      <TextField label={label} readOnly value={value} />
      <div className={shapes.flowS3}>
        <Button look={main ? 'main' : 'plain'} onClick={() => void copyText(value).then(setCopied)}>
          {copied ? t('common.stranded.copied') : copy}
        </Button>
      </div>
    </div>
  );
}
