// Dialog of a new group: its name and what it is for.

import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { createGroup, sayRefusal, useAsk } from '../../commands.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { TextArea, TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import dialogStyles from '../../ui/overlays/dialog.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';

export function NewGroupDialog({ onClose }: { onClose: () => void }) {
  const ask = useAsk();
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function create(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (name.trim() === '') return setFault(t('groups.nameMissing'));
    setBusy(true);
    try {
      go(paths.group(await ask(createGroup, name, description)));
    } catch (reason) {
      setFault(sayRefusal(reason));
      setBusy(false);
    }
  }

  return (
    <Dialog open onClose={onClose} title={t('groups.new')} description={t('groups.emptyWords')}>
      <form className={shapes.stackS5} onSubmit={(event) => void create(event)} noValidate>
        <TextField
          label={t('common.name')}
          {...limitTo(100)}
          autoComplete="off"
          value={name}
          onChange={(event) => {
            setName(event.target.value);
            setFault(null);
          }}
          error={fault}
        />
        <TextArea
          label={t('property.description')}
          {...limitTo(2000)}
          rows={2}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <div className={dialogStyles.dialogActions}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="main" type="submit" busy={busy}>
            {t('groups.create')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
