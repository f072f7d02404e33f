// Sessions of agents in a project, open ones before past ones; one of them whole, where the address names it.

import { ArrowLeft, Bot } from 'lucide-react';
import { Link, useSearchParams } from 'wouter';
import { agentsIn } from '../../queries/agents/at-work.ts';
import { type SessionList, useSessions } from '../../queries/agents/sessions.ts';
import { roleIn, useQuery, useUserId } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { EmptyState, Loading, Notice, Skeleton } from '../../ui/list-states.tsx';
import pageStyles from '../../ui/page.module.css';
import { usePageTitle } from '../../ui/page-title.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import styles from './agents.module.css';
import { SessionBody } from './session-body.tsx';
import { SessionLine } from './session-head.tsx';

export default function Agents({ project }: ProjectViewProps) {
  const [params] = useSearchParams();
  const sessionId = params.get('session');
  usePageTitle(`${t('agents.title')} · ${project.name}`);
  return (
    <div className={`${shapes.scroll} ${shapes.unrolled} ${shapes.holder}`}>
      <div className={pageStyles.page}>
        {sessionId === null ? (
          <Sessions projectId={project.id} />
        ) : (
          <>
            <header className={pageStyles.pageHead}>
              <h2>{t('agents.session')}</h2>
              <Link href={paths.project(project.id, 'agents')} className={`${shapes.inlineS2} ${styles.task}`}>
                <ArrowLeft size={15} aria-hidden="true" />
                {t('agents.all')}
              </Link>
            </header>
            <SessionBody key={sessionId} projectId={project.id} sessionId={sessionId} />
          </>
        )}
      </div>
    </div>
  );
}

function Sessions({ projectId }: { projectId: string }) {
  const owner = useQuery(roleIn, projectId, useUserId()) === 'owner';
  const { data, failed, again } = useSessions(projectId, null);
  const manage = owner && <ButtonLink href={paths.project(projectId, 'settings')}>{t('agents.manage')}</ButtonLink>;
  return (
    <>
      <header className={pageStyles.pageHead}>
        <div>
          <h2>{t('agents.title')}</h2>
          <p className={shapes.quietS}>{t('agents.page')}</p>
        </div>
        {manage}
      </header>
      {failed && data !== null && <Notice>{t('common.stale')}</Notice>}
      {failed && data === null && (
        <EmptyState title={t('common.failed.title')} action={<Button onClick={again}>{t('common.retry')}</Button>}>
          <p>{t('common.failed.words')}</p>
        </EmptyState>
      )}
      {data === null && !failed && (
        <Loading whole label={t('common.loading')}>
          <div className={shapes.stackS4}>
            {[1, 2, 3].map((one) => (
              <Skeleton key={one} height="2.5rem" />
            ))}
          </div>
        </Loading>
      )}
      {data?.sessions.length === 0 && <None projectId={projectId} owner={owner} />}
      {data !== null && <Lists list={data} />}
    </>
  );
}

function None({ projectId, owner }: { projectId: string; owner: boolean }) {
  const hasAgents = useQuery(agentsIn, projectId).length > 0;
  return (
    <EmptyState art={<Bot size={32} />} title={t('agents.empty')}>
      <p>{t(hasAgents ? 'agents.emptyWords' : owner ? 'agents.emptyOwner' : 'agents.emptyMember')}</p>
    </EmptyState>
  );
}

function Lists({ list: { sessions, changes } }: { list: SessionList }) {
  const parts = [
    { title: t('agents.open'), sessions: sessions.filter((one) => one.ended_at === null) },
    { title: t('agents.past'), sessions: sessions.filter((one) => one.ended_at !== null) },
  ];
  return parts
    .filter((part) => part.sessions.length > 0)
    .map((part) => (
      <section key={part.title} className={`${shapes.stackS3} ${styles.part}`} aria-label={part.title}>
        <h3>{part.title}</h3>
        <ul className={`${shapes.stackS2} ${shapes.oneColumn}`} aria-label={part.title}>
          {part.sessions.map((one) => (
            <SessionLine key={one.id} session={one} changes={changes.get(one.id) ?? 0} />
          ))}
        </ul>
      </section>
    ));
}
