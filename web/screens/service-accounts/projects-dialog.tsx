// Projects of a service account: where it is and as what; it is added where the reader may, and taken out.

import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ServiceAccount } from '../../commands/service-account-requests.ts';
import { addToProject, removeMember, setRole, useAct } from '../../commands.ts';
import { type Membership, membershipsOf } from '../../queries/people/memberships.ts';
import { type Role, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import { FactRow } from '../../ui/fact-row.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { serviceRoles } from '../people/role-choices.ts';

interface ProjectsDialogProps {
  readonly account: ServiceAccount;
  /** The one project of an account that a project owns. */
  readonly projectId: string | null;
  readonly onClose: () => void;
}

export function ProjectsDialog({ account, projectId, onClose }: ProjectsDialogProps) {
  const act = useAct();
  const projects = useQuery(membershipsOf, account.id);
  const owned = useQuery(membershipsOf, useUserId()).filter(({ role }) => role === 'owner');
  return (
    <Dialog open onClose={onClose} title={t('serviceAccounts.projectsOf', { name: account.name })}>
      <div className={shapes.stackS5}>
        {projects.length === 0 && <p className={shapes.quiet}>{t('serviceAccounts.inNone')}</p>}
        {projects.length > 0 && (
          <ul className={shapes.stackS4} aria-label={t('common.nav.projects')}>
            {projects.map(({ id, name, role }) => {
              const mayChange = owned.some((one) => one.id === id);
              return (
                <FactRow key={id} name={name}>
                  {mayChange ? (
                    <SelectField
                      label={t('serviceAccounts.roleIn', { project: name })}
                      bare
                      value={role}
                      choices={serviceRoles()}
                      onPick={(picked) => void act(setRole, id, account.id, picked)}
                    />
                  ) : (
                    <span className={shapes.quiet}>{t(`common.roles.${role}`)}</span>
                  )}
                  {mayChange && (
                    <IconButton
                      label={t('serviceAccounts.removeFrom', { project: name })}
                      onClick={() => void act(removeMember, id, account.id)}
                    >
                      <Trash2 size={15} />
                    </IconButton>
                  )}
                </FactRow>
              );
            })}
          </ul>
        )}
        <AddForm
          account={account}
          choices={owned.filter(
            ({ id }) => (projectId === null || projectId === id) && projects.every((one) => one.id !== id),
          )}
        />
      </div>
    </Dialog>
  );
}

function AddForm({ account, choices }: { account: ServiceAccount; choices: readonly Membership[] }) {
  const act = useAct();
  const [picked, setPicked] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const chosen = choices.find(({ id }) => id === picked) ?? choices[0];
  if (chosen === undefined) return <p className={shapes.quietS}>{t('serviceAccounts.ownersAdd')}</p>;
  return (
    <form
      className={shapes.stackS4}
      aria-label={t('serviceAccounts.addTo')}
      onSubmit={(event) => {
        event.preventDefault();
        void act(addToProject, chosen.id, { userIds: [account.id] }, role);
      }}
    >
      <SelectField
        label={t('serviceAccounts.addTo')}
        value={chosen.id}
        choices={choices.map(({ id, name }) => ({ value: id, label: name }))}
        onPick={setPicked}
      />
      <SelectField label={t('people.invite.role')} value={role} choices={serviceRoles()} onPick={setRole} />
      <div className={shapes.wrapS3}>
        <Button type="submit">{t('common.add')}</Button>
      </div>
    </form>
  );
}
