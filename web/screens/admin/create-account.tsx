// Dialog that creates an account: its owner gets an email if there is a mail server, or the operator a link to hand on, which is shown once.

import { type FormEvent, useState } from 'react';
import { createAccount } from '../../commands/admin-requests.ts';
import { useAsk } from '../../commands.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { Notice } from '../../ui/list-states.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import { sayAdminRefusal } from './say-admin-refusal.ts';

export function CreateAccount({ onClose, onMade }: { onClose: () => void; onMade: () => void }) {
  const { settings } = useApp();
  const ask = useAsk();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [by, setBy] = useState<'mail' | 'link'>(settings.mail ? 'mail' : 'link');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [made, setMade] = useState<{ readonly link: string | null } | null>(null);
  const [copied, setCopied] = useState(false);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFault(null);
    try {
      setMade(await ask(createAccount, { email: email.trim(), name: name.trim(), by }));
      onMade();
    } catch (reason) {
      setFault(sayAdminRefusal(reason));
    }
    setBusy(false);
  }

  return (
    <Dialog open onClose={onClose} title={t('admin.create')}>
      {made !== null ? (
        <div className={shapes.stackS5}>
          <Notice tone="good">
            {made.link === null
              ? t('admin.mailed', { email: email.trim() })
              : t('admin.linked', { email: email.trim() })}
          </Notice>
          {made.link !== null && <TextField label={t('admin.link')} readOnly value={made.link} />}
          <div className={shapes.flowS3}>
            {made.link !== null && (
              <Button look="main" onClick={() => void copyText(made.link ?? '').then(setCopied)}>
                {copied ? t('common.stranded.copied') : t('admin.copy')}
              </Button>
            )}
            <Button onClick={onClose}>{t('common.close')}</Button>
          </div>
        </div>
      ) : (
        <form className={shapes.stackS5} onSubmit={(event) => void submit(event)} noValidate>
          <TextField
            label={t('signIn.email')}
            type="email"
            autoComplete="off"
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            error={fault}
          />
          <TextField
            label={t('common.name')}
            autoComplete="off"
            {...limitTo(200)}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          {settings.mail && (
            <SelectField
              label={t('admin.how')}
              value={by}
              choices={(['mail', 'link'] as const).map((value) => ({ value, label: t(`admin.by.${value}`) }))}
              onPick={setBy}
            />
          )}
          <div className={shapes.flowS3}>
            <Button look="main" type="submit" busy={busy} disabled={email.trim() === ''}>
              {t('signIn.doUp')}
            </Button>
            <Button onClick={onClose}>{t('common.cancel')}</Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
