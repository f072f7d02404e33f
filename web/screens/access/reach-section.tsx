// Part of a person's page: the projects they reach, by which rules, and what opens something of them without a session. Of projects the reader owns;
// operators see all.

import {
  type NameOf,
  type ReachedProject,
  type UnattendedKind,
  useNamesOfGivers,
  useReach,
} from '../../queries/people/access.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Loading, Notice, Skeleton } from '../../ui/list-states.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import styles from './access.module.css';
import { AccessFacts } from './access-facts.tsx';
import { AccessLine } from './access-line.tsx';
import { useIsOperator } from './use-explains-access.ts';

export default function ReachSection({ userId, name, className }: { userId: string; name: string; className: string }) {
  const { data, failed, again } = useReach(userId);
  const nameOf = useNamesOfGivers(data ?? []);
  const operator = useIsOperator() ? 'yes' : 'no';
  return (
    <section className={`${shapes.part} ${className}`} aria-label={t('reach.access')}>
      <h2>{t('reach.access')}</h2>
      <div className={styles.reach}>
        {failed && (
          <Notice tone="warn">
            {data === null ? t('common.failed.title') : t('common.stale')}{' '}
            <Button onClick={again}>{t('common.retry')}</Button>
          </Notice>
        )}
        {data === null && !failed && (
          <Loading label={t('common.loading')}>
            <Skeleton width="60%" />
          </Loading>
        )}
        {data !== null && <p className={shapes.quietS}>{t('reach.accessHint', { name, operator })}</p>}
        {data !== null && (
          <ul className={styles.lines}>
            {data.map((project) => (
              <ProjectLine key={project.project_id} project={project} nameOf={nameOf} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

const kindsOf = (opens: ReachedProject['opens']): UnattendedKind[] => Object.keys(opens) as UnattendedKind[];

function ProjectLine({ project, nameOf }: { project: ReachedProject; nameOf: NameOf }) {
  const kinds = kindsOf(project.opens);
  return (
    <AccessLine
      name={
        <RowLink href={paths.project(project.project_id)} className={styles.name}>
          {project.project_name}
        </RowLink>
      }
      role={project.role}
    >
      <AccessFacts rights={project} reasons={project.reasons} nameOf={nameOf} />
      {kinds.length > 0 && (
        <ul className={`${shapes.quietS} ${shapes.stackS1} ${styles.reasons}`} aria-label={t('reach.unattended')}>
          {kinds.map((kind) => (
            <li key={kind}>{t(`reach.opens.${kind}`, { n: project.opens[kind] ?? 0 })}</li>
          ))}
        </ul>
      )}
    </AccessLine>
  );
}
