// Person's page: their open tasks and recent activity in the projects shared with the reader.

import { useParams } from 'wouter';
import { AgentTag } from '../../pieces/agent-tag.tsx';
import { NotFound } from '../../pieces/not-found.tsx';
import { DueMark, KindMark, PriorityMark } from '../../pieces/task-badges.tsx';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import {
  type PersonLine,
  type PersonPage,
  type PersonTask,
  usePersonPage,
} from '../../queries/figures/person-figures.ts';
import { ownsOneOf } from '../../queries/people/access.ts';
import { nameOf, type ProfileRow, profileOf, useQuery, useReader, useScope, useUserId } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { EmptyState, Loading, Notice, Skeleton } from '../../ui/list-states.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import pageStyles from '../../ui/page.module.css';
import { usePageTitle } from '../../ui/page-title.ts';
import { useIsOperator } from '../access/use-explains-access.ts';
import { sayActivity } from '../task/say-activity.ts';
import styles from './person.module.css';
import { sayLastActive } from './say-last-active.ts';

const ReachSection = lazyComponent(() => import('../access/reach-section.tsx'), ['reach']);

export default function Person() {
  const { userId = '' } = useParams<{ userId: string }>();
  const state = useScope({ kind: 'me', userId: useUserId() });
  const profile = useQuery(profileOf, userId);
  if (profile === undefined)
    return state.phase === 'fresh' ? <NotFound /> : <Loading whole label={t('common.loading')} />;
  return <Known key={userId} profile={profile} />;
}

function Known({ profile }: { profile: ProfileRow }) {
  const { id: userId, avatar_url: avatarUrl } = profile;
  const name = nameOf(profile);
  const { data, failed, again } = usePersonPage(userId);
  const me = useUserId() === userId;
  usePageTitle(name);
  return (
    <div className={pageStyles.page}>
      <header className={`${shapes.rowS5} ${styles.head}`}>
        <Avatar name={name} url={avatarUrl} seed={userId} size={48} />
        <div>
          <h1>
            {name} <AgentTag userId={userId} />
          </h1>
          {profile.is_service_account === true && !profile.is_agent && (
            <p className={`${shapes.quietS} ${shapes.plain}`}>{t('people.service')}</p>
          )}
          {me && <p className={`${shapes.quietS} ${shapes.plain}`}>{t('people.person.me')}</p>}
        </div>
      </header>
      {failed && data === null && (
        <EmptyState title={t('common.failed.title')} action={<Button onClick={again}>{t('common.retry')}</Button>}>
          <p>{t('common.failed.words')}</p>
        </EmptyState>
      )}
      {failed && data !== null && <Notice>{t('common.stale')}</Notice>}
      {data === null && !failed && (
        <Loading whole label={t('common.loading')}>
          <div className={`${shapes.stackS5} ${styles.waiting}`}>
            {[60, 45, 70, 50].map((width) => (
              <Skeleton key={width} width={`${width}%`} />
            ))}
          </div>
        </Loading>
      )}
      {data && (
        <>
          <Projects projects={data.projects} me={me} />
          <Reach userId={userId} name={name} projects={data.projects} />
          <Tasks name={name} tasks={data.tasks} total={data.open_tasks} />
          <History of={profile} lines={data.activity} />
        </>
      )}
    </div>
  );
}

function Projects({ projects, me }: Pick<PersonPage, 'projects'> & { me: boolean }) {
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-label={t('people.person.projects')}>
      <h2>{t('people.person.projects')}</h2>
      <ul className={styles.projects}>
        {projects.map((project) => (
          <li key={project.id}>
            <RowLink href={paths.project(project.id)}>{project.name}</RowLink>
            <span className={`${shapes.quietS} ${shapes.plain}`}>
              {project.role === null ? t('common.guest') : t(`common.roles.${project.role}`)}
              {project.is_archived && `, ${t('people.person.archived')}`}
            </span>
            {!me && (
              <span className={`${shapes.quietS} ${shapes.plain}`}>{sayLastActive(project.last_active_at, false)}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** For who owns one of the projects, and operators. */
function Reach({ userId, name, projects }: Pick<PersonPage, 'projects'> & { userId: string; name: string }) {
  const owns = useQuery(ownsOneOf, useUserId(), projects.map(({ id }) => id).join());
  return useIsOperator() || owns ? <ReachSection userId={userId} name={name} className={styles.part ?? ''} /> : null;
}

function Tasks({ name, tasks, total }: { name: string; tasks: readonly PersonTask[]; total: number }) {
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-label={t('people.person.tasks')}>
      <h2>
        {t('people.person.tasks')}{' '}
        <span className={`${shapes.quietS} ${shapes.plain} numbers`}>{sayNumber(total)}</span>
      </h2>
      {tasks.length === 0 && (
        <p className={`${shapes.quietS} ${shapes.plain}`}>{t('people.person.noTasks', { name })}</p>
      )}
      <ul className={styles.rows}>
        {tasks.map((task) => (
          <li key={task.id}>
            <RowLink
              className={`${shapes.rowS3} ${shapes.link} ${styles.task}`}
              href={paths.task(task.project_id, task.number)}
            >
              <PriorityMark priority={task.priority} />
              <span className={`${styles.key} numbers`}>{task.key}</span>
              <span className={`${shapes.words} ${shapes.medium} ${styles.title}`}>{task.title}</span>
            </RowLink>
            <span className={`${shapes.inlineS2} ${shapes.soft}`}>
              <KindMark kind={task.column_kind} color={task.column_color} />
              {task.column_name}
            </span>
            {task.due_date && <DueMark className={styles.due} due={task.due_date} completed={null} />}
          </li>
        ))}
      </ul>
      {total > tasks.length && (
        <p className={`${shapes.quietS} ${shapes.plain}`}>{t('common.andMore', { n: total - tasks.length })}</p>
      )}
    </section>
  );
}

function History({ of, lines }: { of: ProfileRow; lines: readonly PersonLine[] }) {
  const name = nameOf(of);
  const store = useReader();
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-label={t('task.activity')}>
      <h2>{t('task.activity')}</h2>
      {lines.length === 0 && (
        <p className={`${shapes.quietS} ${shapes.plain}`}>{t('people.person.noActivity', { name })}</p>
      )}
      <ol className={styles.history}>
        {lines.map((line) => (
          <li key={line.id}>
            <RowLink
              className={`${shapes.rowS3} ${shapes.link} ${styles.task}`}
              href={paths.task(line.project_id, line.number)}
            >
              <span className={`${styles.key} numbers`}>{line.key}</span>
              <span className={`${shapes.words} ${shapes.medium} ${styles.title}`}>{line.title}</span>
            </RowLink>
            <span className={`${shapes.softS} ${shapes.breaks} ${styles.did}`}>
              {sayActivity({ ...line, actor_id: of.id, change: line.change as never }, store)}
            </span>
            <time
              className={`${shapes.quietS} ${shapes.plain}`}
              dateTime={line.created_at}
              title={sayMoment(line.created_at)}
            >
              {sayAgo(line.created_at)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}
