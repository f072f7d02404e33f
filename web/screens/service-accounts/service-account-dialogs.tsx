// Dialogs of a service account: made, and renamed.

import { useState } from 'react';
import { createServiceAccount, type ServiceAccount } from '../../commands/service-account-requests.ts';
import { renameServiceAccount, useAct } from '../../commands.ts';
import type { Role } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { serviceRoles } from '../people/role-choices.ts';
import { AccountForm, NameField } from './account-form.tsx';
import { useSubmit } from './use-submit.ts';

export function NewDialog({ projectId, onClose }: { projectId: string | null; onClose: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const submit = useSubmit(async (ask) => {
    await ask(createServiceAccount, name.trim(), projectId, role);
    onClose();
  });
  return (
    <Dialog open onClose={onClose} title={t('serviceAccounts.new')}>
      <AccountForm submit={submit} label={t('serviceAccounts.create')}>
        <NameField name={name} hint={t('serviceAccounts.nameHint')} onChange={setName} />
        {projectId !== null && (
          <SelectField label={t('people.invite.role')} value={role} choices={serviceRoles()} onPick={setRole} />
        )}
      </AccountForm>
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
        <NameField name={name} onChange={setName} />
        <Button type="submit" look="main">
          {t('common.save')}
        </Button>
      </form>
    </Dialog>
  );
}
