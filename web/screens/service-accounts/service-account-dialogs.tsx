// Dialogs of a service account: made, and renamed.

import { type FormEvent, useState } from 'react';
import { createServiceAccount, type ServiceAccount } from '../../commands/service-account-requests.ts';
import { renameServiceAccount, sayRefusal, useAct, useAsk } from '../../commands.ts';
import type { Role } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { serviceRoles } from '../people/role-choices.ts';

export const notBlank = '.*\\S.*';

export function NewDialog({ projectId, onClose }: { projectId: string | null; onClose: () => void }) {
  const ask = useAsk();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function create(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFault(null);
    try {
      await ask(createServiceAccount, name.trim(), projectId, role);
      onClose();
    } catch (reason) {
      setFault(sayRefusal(reason));
      setBusy(false);
    }
  }
  return (
    <Dialog open onClose={onClose} title={t('serviceAccounts.new')}>
      <form className={shapes.stackS5} onSubmit={(event) => void create(event)}>
        <TextField
          label={t('common.name')}
          hint={t('serviceAccounts.nameHint')}
          required
          pattern={notBlank}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {projectId !== null && (
          <SelectField label={t('people.invite.role')} value={role} choices={serviceRoles()} onPick={setRole} />
        )}
        {fault !== null && <Notice tone="danger">{fault}</Notice>}
        <Button type="submit" look="main" busy={busy}>
          {t('serviceAccounts.create')}
        </Button>
      </form>
    </Dialog>
  );
}

export function RenameDialog({ account, onClose }: { account: ServiceAccount; onClose: () => void }) {
  const act = useAct();
  const [name, setName] = useState(account.name);
  return (
    <Dialog open onClose={onClose} title={t('serviceAccounts.renameOf', { name: account.name })}>
      <form
        className={shapes.stackS5}
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== account.name) void act(renameServiceAccount, account.id, name.trim());
          onClose();
        }}
      >
        <TextField
          label={t('common.name')}
          required
          pattern={notBlank}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" look="main">
          {t('common.save')}
        </Button>
      </form>
    </Dialog>
  );
}
