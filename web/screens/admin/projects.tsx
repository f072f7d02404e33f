// Outlines of projects: searched, narrowed, a page at a time; one opens in a dialog.

import { useState } from 'react';
import { saySize } from '../../files/say-size.ts';
import { type AdminProject, readAdminProjects } from '../../queries/admin/admin-projects.ts';
import { localDay, sayAgo, sayDay } from '../../queries/days/days.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './admin.module.css';
import { AdminList } from './admin-list.tsx';
import { ProjectDialog } from './project-dialog.tsx';

const kinds = ['all', 'open', 'archived', 'ownerless', 'deleted'] as const;

export function Projects() {
  const [open, setOpen] = useState<AdminProject | null>(null);
  return (
    <AdminList
      label={t('admin.part.projects')}
      search={t('admin.project.search')}
      which={t('admin.project.which')}
      kinds={kinds.map((value) => ({ value, label: t(`admin.project.kind.${value}`) }))}
      read={readAdminProjects}
      rows={({ projects }) =>
        projects.map((project) => (
          <li key={project.id}>
            <button type="button" className={`${shapes.rowS4} ${styles.row}`} onClick={() => setOpen(project)}>
              <span className={`${shapes.breaks} ${shapes.fill}`}>
                <span className={`${shapes.block} ${shapes.medium}`}>
                  {t('admin.project.line', { name: project.name, key: project.key })}
                </span>
                <span className={`${shapes.softS} ${shapes.block}`}>{sayOutline(project)}</span>
              </span>
            </button>
          </li>
        ))
      }
      dialogs={(again) => open && <ProjectDialog project={open} onClose={() => setOpen(null)} onChange={again} />}
    />
  );
}

function sayOutline({
  owners,
  tasks,
  members,
  bytes,
  last_active_at: active,
  archived_at: archived,
  kept_until: keptUntil,
}: AdminProject): string {
  return [
    owners.map(({ name, email }) => name.trim() || email).join(', ') || t('admin.project.noOwner'),
    t('admin.project.tasks', { n: tasks }),
    t('common.members', { n: members }),
    saySize(bytes),
    ...(active === null ? [] : [t('admin.project.active', { when: sayAgo(active) })]),
    ...(archived === null ? [] : [t('people.person.archived')]),
    ...(keptUntil === null ? [] : [t('admin.project.deleted', { day: sayDay(localDay(new Date(keptUntil))) })]),
  ].join(' · ');
}
