// Outlines of projects: searched, narrowed, a page at a time; one opens in a dialog.

import { useState } from 'react';
import { saySize } from '../../files/say-size.ts';
import { localDay, sayAgo, sayDay } from '../../queries/days/days.ts';
import { type DeskProject, readDeskProjects } from '../../queries/desk/desk-projects.ts';
import { t } from '../../strings/messages.ts';
import styles from './admin.module.css';
import { DeskList } from './desk-list.tsx';
import { ProjectDialog } from './project-dialog.tsx';

const kinds = ['all', 'open', 'archived', 'ownerless', 'deleted'] as const;

export function Projects() {
  const [open, setOpen] = useState<DeskProject | null>(null);
  return (
    <DeskList
      label={t('desk.part.projects')}
      search={t('desk.project.search')}
      which={t('desk.project.which')}
      kinds={kinds.map((value) => ({ value, label: t(`desk.project.kind.${value}`) }))}
      read={readDeskProjects}
      rows={({ projects }) =>
        projects.map((project) => (
          <li key={project.id}>
            <button type="button" className={styles.row} onClick={() => setOpen(project)}>
              <span className={styles.words}>
                <span className={styles.name}>{t('desk.project.line', { name: project.name, key: project.key })}</span>
                <span className={styles.note}>{sayOutline(project)}</span>
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
}: DeskProject): string {
  return [
    owners.map(({ name, email }) => name.trim() || email).join(', ') || t('desk.project.noOwner'),
    t('desk.project.tasks', { n: tasks }),
    t('common.members', { n: members }),
    saySize(bytes),
    ...(active === null ? [] : [t('desk.project.active', { when: sayAgo(active) })]),
    ...(archived === null ? [] : [t('people.person.archived')]),
    ...(keptUntil === null ? [] : [t('desk.project.deleted', { day: sayDay(localDay(new Date(keptUntil))) })]),
  ].join(' · ');
}
