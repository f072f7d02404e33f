// Dialog that creates an OAuth client, or replaces the secret of one. The secret is shown once.

import { type FormEvent, useState } from 'react';
import { createClient, replaceClientSecret } from '../../commands/admin-requests.ts';
import { useAsk } from '../../commands.ts';
import type { AdminClient } from '../../queries/admin/admin-programs.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { CheckField, TextArea, TextField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { LabelledLink } from '../people/link-field.tsx';
import { sayAdminRefusal } from './say-admin-refusal.ts';

interface ClientDialogProps {
  /** Whose secret is replaced; null: a new client. */
  readonly client: AdminClient | null;
  readonly onClose: () => void;
  readonly onMade: () => void;
}

export function ClientDialog({ client, onClose, onMade }: ClientDialogProps) {
  const ask = useAsk();
  const [name, setName] = useState('');
  const [addresses, setAddresses] = useState('');
  const [keepsSecret, setKeepsSecret] = useState(true);
  const [made, setMade] = useState<Awaited<ReturnType<typeof createClient>> | null>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFault(null);
    const redirect_uris = addresses.split(/\s+/).filter(Boolean);
    try {
      setMade(
        client === null
          ? await ask(createClient, { name: name.trim(), redirect_uris, is_confidential: keepsSecret })
          : await ask(replaceClientSecret, client.id),
      );
      onMade();
    } catch (reason) {
      const isUnfit = (reason as { code?: string } | null)?.code === 'KB805';
      setFault(isUnfit ? t('admin.programs.unfit') : sayAdminRefusal(reason));
    }
    setBusy(false);
  }

  const title = client === null ? t('admin.programs.newClient') : t('admin.programs.secretOf', { name: client.name });
  return (
    <Dialog open onClose={onClose} title={title}>
      {made !== null ? (
        <div className={shapes.stackS5}>
          <LabelledLink
            label={t('serviceAccounts.clientId')}
            link={made.client_id}
            copyLabel={t('serviceAccounts.copyId')}
          />
          {made.client_secret !== null && (
            <LabelledLink
              label={t('serviceAccounts.secret')}
              link={made.client_secret}
              copyLabel={t('serviceAccounts.copySecret')}
            />
          )}
          {made.client_secret !== null && <p className={shapes.quietS}>{t('keys.once')}</p>}
          <div className={shapes.flowS3}>
            <Button onClick={onClose}>{t('common.close')}</Button>
          </div>
        </div>
      ) : (
        <form className={shapes.stackS5} onSubmit={(event) => void submit(event)}>
          {client !== null && <p>{t('admin.programs.secretWords')}</p>}
          {client === null && (
            <>
              <TextField
                label={t('common.name')}
                hint={t('admin.programs.nameHint')}
                required
                maxLength={200}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
              <TextArea
                label={t('admin.programs.redirects')}
                hint={t('admin.programs.redirectsHint')}
                rows={2}
                required
                value={addresses}
                onChange={(event) => setAddresses(event.target.value)}
              />
              <CheckField
                label={t('admin.programs.keepsSecret')}
                hint={t('admin.programs.keepsSecretHint')}
                checked={keepsSecret}
                onChange={({ target }) => setKeepsSecret(target.checked)}
              />
            </>
          )}
          {fault && <Notice tone="danger">{fault}</Notice>}
          <div className={shapes.flowS3}>
            <Button look="main" type="submit" busy={busy}>
              {client === null ? t('admin.programs.create') : t('admin.programs.secret')}
            </Button>
            <Button onClick={onClose}>{t('common.cancel')}</Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
