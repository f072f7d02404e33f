// A project or a view is subscribed to in another calendar: its address is made here and shown once.

import { useState } from 'react';
import { type MadeFeed, makeFeed, makeViewFeed, sayRefusal, useAsk } from '../../commands.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import dialogStyles from '../../ui/overlays/dialog.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { showCopied } from '../../ui/overlays/toaster.tsx';
import { copyText } from '../../ui/text/copy-text.ts';

interface FeedDialogProps {
  readonly of: 'project' | 'view';
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

export default function FeedDialog({ of, id, name, onClose }: FeedDialogProps) {
  const ask = useAsk();
  const [made, setMade] = useState<MadeFeed | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function make(): Promise<void> {
    setBusy(true);
    setFault(null);
    try {
      setMade(await (of === 'view' ? ask(makeViewFeed, id) : ask(makeFeed, id, name)));
    } catch (reason) {
      setFault(sayRefusal(reason));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog open onClose={onClose} title={t('feeds.titleOf', { name })} description={t('feeds.hint')}>
      {made !== null && (
        <TextField
          label={t('feeds.address')}
          hint={`${t('feeds.once')} ${t('feeds.manage')}`}
          readOnly
          autoFocus
          value={made.address}
          onFocus={(event) => event.target.select()}
        />
      )}
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
      <div className={dialogStyles.dialogActions}>
        <Button onClick={onClose}>{t('common.close')}</Button>
        {made === null ? (
          <Button look="main" busy={busy} onClick={() => void make()}>
            {t('feeds.make')}
          </Button>
        ) : (
          <Button look="main" onClick={() => void copyText(made.address).then(showCopied)}>
            {t('common.copyLink')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
