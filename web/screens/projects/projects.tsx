// All projects of the user, with their progress.

import { Plus } from 'lucide-react';
import { Link } from 'wouter';
import { perform } from '../../actions/registry.tsx';
import { ProjectPicture } from '../../pieces/project-picture.tsx';
import { type Progress, useProgress } from '../../queries/projects/project-progress.ts';
import {
  archivedProjects,
  isGuest,
  membersOf,
  openProjects,
  type Person,
  type ProjectRow,
  useQuery,
  useScope,
  useUserId,
} from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import avatarStyles from '../../ui/avatar.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { EmptyState, Loading, Skeleton } from '../../ui/list-states.tsx';
import pageStyles from '../../ui/page.module.css';
import { usePageTitle } from '../../ui/page-title.ts';
import progressStyles from '../../ui/progress.module.css';
import { ScreenTitle } from '../../ui/top-bar-slot.tsx';
import { FailedScope } from '../project/failed-scope.tsx';
import { FirstSteps } from './first-steps.tsx';
import styles from './projects.module.css';
import { SampleButton } from './sample-button.tsx';

export default function Projects() {
  usePageTitle(t('common.nav.projects'));
  const userId = useUserId();
  const scope = { kind: 'me', userId } as const;
  const state = useScope(scope);
  const projects = useQuery(openProjects);
  const archived = useQuery(archivedProjects);
  const progress = useProgress();
  const nothing = projects.length + archived.length === 0;
  return (
    <div className={pageStyles.page}>
      <header className={pageStyles.pageHead}>
        <ScreenTitle>{t('common.nav.projects')}</ScreenTitle>
        {!nothing && (
          <Button look="main" icon={<Plus size={16} />} onClick={() => perform('new-project')}>
            {t('common.nav.newProject')}
          </Button>
        )}
      </header>
      {state.phase === 'fresh' && <FirstSteps />}
      <FailedScope state={state} />
      {nothing && state.phase === 'empty' && (
        <Loading whole label={t('common.loading')}>
          <ul className={`${shapes.stackS5} ${styles.projectCards}`}>
            {[1, 2, 3].map((one) => (
              <li
                key={one}
                className={`${shapes.card} ${shapes.link} ${shapes.stackS4} ${shapes.tall} ${styles.projectCard}`}
              >
                <Skeleton width="60%" />
                <Skeleton />
              </li>
            ))}
          </ul>
        </Loading>
      )}
      {nothing && state.phase === 'fresh' && (
        <EmptyState
          art={<EmptyBoardArt />}
          title={t('projects.empty')}
          action={
            <>
              <Button look="main" icon={<Plus size={16} />} onClick={() => perform('new-project')}>
                {t('common.nav.newProject')}
              </Button>
              <SampleButton />
              <ButtonLink href={paths.imports}>{t('common.nav.import')}</ButtonLink>
            </>
          }
        >
          <p>{t('projects.emptyWords')}</p>
        </EmptyState>
      )}
      <ProjectCards projects={projects} progress={progress} />
      {archived.length > 0 && (
        <section className={styles.archived}>
          <h2>{t('projects.archivedTitle')}</h2>
          <ProjectCards projects={archived} progress={progress} />
        </section>
      )}
      {!nothing && (
        <p className={`${shapes.wrapS5} ${shapes.part} ${shapes.small} ${styles.toArchive}`}>
          <Link href={paths.archive}>{t('projects.toArchive')}</Link>
          <Link href={paths.imports}>{t('common.nav.import')}</Link>
        </p>
      )}
    </div>
  );
}

interface CardsProps {
  readonly projects: readonly ProjectRow[];
  readonly progress: ReadonlyMap<string, Progress>;
}

function ProjectCards({ projects, progress }: CardsProps) {
  if (projects.length === 0) return null;
  return (
    <ul className={`${shapes.stackS5} ${styles.projectCards}`}>
      {projects.map((project) => (
        <ProjectCard key={project.id} project={project} progress={progress.get(project.id)} />
      ))}
    </ul>
  );
}

const mostFaces = 6;

function ProjectCard({ project, progress }: { project: ProjectRow; progress: Progress | undefined }) {
  const members = useQuery(membersOf, project.id);
  const guest = useQuery(isGuest, project.id, useUserId());
  return (
    <li>
      <Link
        href={paths.project(project.id)}
        className={`${shapes.card} ${shapes.link} ${shapes.stackS4} ${shapes.tall} ${styles.projectCard}`}
      >
        <span className={`${shapes.lineS4} ${shapes.slim} ${styles.projectCardHead}`}>
          <ProjectPicture project={project} />
          <strong className={shapes.clamp}>{project.name}</strong>
        </span>
        <span className={`${shapes.clamp} ${shapes.soft} ${styles.projectCardWords}`}>{project.description}</span>
        {project.archived_at === null && !guest && <ProjectProgress progress={progress} />}
        {guest ? (
          <span className={`${shapes.softXs} ${shapes.chip} ${styles.guest}`}>{t('common.guest')}</span>
        ) : (
          <Faces members={members} />
        )}
      </Link>
    </li>
  );
}

function Faces({ members }: { members: readonly Person[] }) {
  return (
    <span className={avatarStyles.avatars}>
      {members.slice(0, mostFaces).map((member) => (
        <Avatar key={member.userId} name={member.name} url={member.avatarUrl} seed={member.userId} />
      ))}
      {members.length > mostFaces && (
        <span className={`${shapes.quietXs} ${styles.moreFaces} numbers`} aria-hidden="true">
          {t('projects.moreMembers', { n: members.length - mostFaces })}
        </span>
      )}
      <span className="only-spoken">{t('common.members', { n: members.length })}</span>
    </span>
  );
}

/** Has its place before it is known, so that no card grows. */
function ProjectProgress({ progress }: { progress: Progress | undefined }) {
  const { total = 0, completed = 0, overdue = 0 } = progress ?? {};
  return (
    <span className={shapes.stackS2}>
      <progress className={progressStyles.bar} max={Math.max(total, 1)} value={completed} aria-hidden="true" />
      <span className={`${shapes.quietS} ${shapes.lineS4} ${shapes.spread} ${styles.progressWords} numbers`}>
        {progress !== undefined && (
          <span>{total === 0 ? t('common.noTasks') : t('projects.progress', { done: completed, total })}</span>
        )}
        {overdue > 0 && <span className={styles.overdue}>{t('projects.overdue', { n: overdue })}</span>}
      </span>
    </span>
  );
}

function EmptyBoardArt() {
  return (
    <svg width="96" height="72" viewBox="0 0 96 72" fill="none" aria-hidden="true">
      <rect x="4" y="6" width="26" height="60" rx="6" fill="var(--accent-soft)" />
      <rect x="35" y="6" width="26" height="44" rx="6" fill="var(--accent-soft)" />
      <rect x="66" y="6" width="26" height="28" rx="6" fill="var(--accent-soft)" />
      <rect x="9" y="12" width="16" height="10" rx="3" fill="currentColor" opacity=".75" />
      <rect x="9" y="26" width="16" height="10" rx="3" fill="currentColor" opacity=".45" />
      <rect x="40" y="12" width="16" height="10" rx="3" fill="currentColor" opacity=".6" />
      <rect x="71" y="12" width="16" height="10" rx="3" fill="var(--sun)" />
    </svg>
  );
}
