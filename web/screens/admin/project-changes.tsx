// Projects whose people or roles a change of groups would change, each with the people who would get, lose or change a role there.

import type { ProjectChanges, ProvisionedRole, RoleChange } from '../../queries/admin/access-changes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './changes.module.css';
import { PeopleConcerned } from './named-people.tsx';

export function ProjectChangeList({ projects }: { projects: readonly ProjectChanges[] }) {
  if (projects.length === 0) return null;
  return (
    <ul aria-label={t('common.nav.projects')}>
      {projects.map(({ id, name, changes }) => (
        <li key={id} className={`${shapes.stackS2} ${styles.change}`}>
          <span className={`${shapes.breaks} ${shapes.medium}`}>{name}</span>
          {changes.map((change) => (
            <PeopleConcerned key={`${change.from} ${change.to}`} words={sayRoles(name, change)} people={change} />
          ))}
        </li>
      ))}
    </ul>
  );
}

const nameRole = (role: ProvisionedRole): string => (role === 'guest' ? t('common.guest') : t(`common.roles.${role}`));

function sayRoles(project: string, { from, to, total: n }: RoleChange): string {
  if (from !== null && to !== null)
    return t('admin.access.changes', { n, project, from: nameRole(from), to: nameRole(to) });
  return to === null
    ? t('admin.access.loses', { n, project, role: nameRole(from ?? 'guest') })
    : t('admin.access.gets', { n, project, role: nameRole(to) });
}
