// Preview of a mapping: each group that changes, with the people who would join and leave it.

import type { MappingPreview } from '../../queries/admin/admin-group-mapping.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import styles from './group-mapping.module.css';

type Group = MappingPreview['groups'][number];

export function MappingChanges({ preview: { people, groups, renames } }: { preview: MappingPreview }) {
  return (
    <div className={shapes.stackS3} role="status">
      {groups.length === 0 && renames.length === 0 && <p>{t('admin.mapping.nothing')}</p>}
      <ul aria-label={t('admin.mapping.changes')}>
        {renames.map(({ from, to }) => (
          <li key={from} className={`${shapes.breaks} ${styles.change}`}>
            {t('admin.mapping.rename', { from, to })}
          </li>
        ))}
        {groups.map((group) => (
          <li key={`${group.id} ${group.name}`} className={`${shapes.stackS2} ${styles.change}`}>
            <span className={`${shapes.breaks} ${styles.group}`}>
              {group.id === null ? t('admin.mapping.new', { name: group.name }) : group.name}
            </span>
            {group.joining > 0 && (
              <Names
                words={t('admin.mapping.joins', { n: group.joining, name: group.name })}
                some={group.joins}
                all={group.joining}
              />
            )}
            {group.leaving > 0 && (
              <Names
                words={t('admin.mapping.leaves', { n: group.leaving, name: group.name })}
                some={group.leaves}
                all={group.leaving}
              />
            )}
          </li>
        ))}
      </ul>
      <p className={shapes.quietS}>{t('admin.mapping.basis', { n: people })}</p>
    </div>
  );
}

/** A few stand there at once. */
const shownAtOnce = 10;

function Names({ words, some, all }: { words: string; some: Group['joins']; all: number }) {
  return (
    <details className={styles.names} open={all <= shownAtOnce}>
      <summary>{words}</summary>
      <p className={`${shapes.softS} ${shapes.breaks}`}>
        {some.map(({ name, email }) => (email === null ? name : `${name} (${email})`)).join(', ')}
        {all > some.length && ` ${t('admin.mapping.more', { n: all - some.length })}`}
      </p>
    </details>
  );
}
