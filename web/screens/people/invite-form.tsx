// Form that invites people and groups to a project, with a role.

import { useState } from 'react';
import { addToProject, inviteMembers, useAct, useAsk } from '../../commands.ts';
import type { Role } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import dialogStyles from '../../ui/overlays/dialog.module.css';
import type { Addition } from './colleague-field.tsx';
import { roleChoices } from './role-choices.ts';
import { useInviting } from './use-inviting.tsx';

interface InviteFormProps {
  readonly projectId: string;
  /** What the button that ends it says. */
  readonly close: string;
  readonly onClose: () => void;
}

export function InviteForm({ projectId, close, onClose }: InviteFormProps) {
  const act = useAct();
  const ask = useAsk();
  const [role, setRole] = useState<Role>('editor');
  const { submit, head, busy, n, isDone } = useInviting({
    projectId,
    add(chosen) {
      const idsOf = (kind: Addition['kind']) => chosen.filter((one) => one.kind === kind).map(({ id }) => id);
      void act(addToProject, projectId, { userIds: idsOf('person'), groupIds: idsOf('group') }, role);
    },
    invite: (emails) => ask(inviteMembers, projectId, emails, role),
    onAdded: onClose,
  });
  return (
    <form className={shapes.stackS5} onSubmit={submit} noValidate>
      {head}
      <SelectField
        label={t('people.invite.role')}
        hint={t(`common.roleMeaning.${role}`)}
        value={role}
        choices={roleChoices()}
        onPick={setRole}
      />
      <div className={dialogStyles.dialogActions}>
        <Button onClick={onClose}>{isDone ? t('common.close') : close}</Button>
        <Button look="main" type="submit" busy={busy}>
          {t('people.invite.send', { n })}
        </Button>
      </div>
    </form>
  );
}
