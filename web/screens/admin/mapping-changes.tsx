// Preview of a mapping: each group that changes, with the people who would join and leave it, and what that means in projects.

import type { MappingPreview } from '../../queries/admin/admin-group-mapping.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './changes.module.css';
import { PeopleConcerned } from './named-people.tsx';
import { ProjectChangeList } from './project-changes.tsx';

export function MappingChanges({ preview: { people, groups, renames, projects } }: { preview: MappingPreview }) {
  return (
    <div className={shapes.stackS3} role="status">
      {groups.length === 0 && renames.length === 0 && <p>{t('admin.mapping.nothing')}</p>}
      <ul aria-label={t('admin.mapping.changes')}>
        {renames.map(({ from, to }) => (
          <li key={from} className={`${shapes.breaks} ${styles.change}`}>
            {t('admin.mapping.rename', { from, to })}
          </li>
        ))}
        {groups.map(({ id, name, joining, leaving, joins, leaves }) => (
          <li key={`${id} ${name}`} className={`${shapes.stackS2} ${styles.change}`}>
            <span className={`${shapes.breaks} ${shapes.medium}`}>
              {id === null ? t('admin.mapping.new', { name }) : name}
            </span>
            <PeopleConcerned
              words={t('admin.mapping.joins', { n: joining, name })}
              people={{ total: joining, people: joins }}
            />
            <PeopleConcerned
              words={t('admin.mapping.leaves', { n: leaving, name })}
              people={{ total: leaving, people: leaves }}
            />
          </li>
        ))}
      </ul>
      <ProjectChangeList projects={projects} />
      <p className={shapes.quietS}>{t('admin.mapping.basis', { n: people })}</p>
    </div>
  );
}
