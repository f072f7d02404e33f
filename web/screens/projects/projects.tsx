// All my projects, and how each stands.

import { Plus } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Link } from 'wouter';
import { archivedProjects, membersOf, openProjects, useQuery, useScope } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { perform } from '../../shell/navigation.tsx';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { ProjectRow } from '../../sync/rows.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { EmptyState, Loading, Skeleton } from '../../ui/state.tsx';
import { FailedScope } from '../project/failed-scope.tsx';
import './projects.css';

const say = words.projects;

export default function Projects() {
  usePageTitle(say.title);
  const sync = useSync();
  const scope = { kind: 'me', userId: sync.userId } as const;
  const state = useScope(scope);
  const projects = useQuery(openProjects);
  const archived = useQuery(archivedProjects);
  const nothing = projects.length + archived.length === 0;
  return (
    <div className="page">
      <header className="page-head">
        <h1>{say.title}</h1>
        {!nothing && (
          <Button look="main" icon={<Plus size={16} />} onClick={() => perform('new-project')}>
            {say.create}
          </Button>
        )}
      </header>
      <FailedScope state={state} />
      {nothing && state.phase === 'empty' && (
        <Loading label={words.common.loading}>
          <ul className="project-cards">
            {[1, 2, 3].map((one) => (
              <li key={one} className="project-card">
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
          title={say.empty}
          action={
            <Button look="main" icon={<Plus size={16} />} onClick={() => perform('new-project')}>
              {say.create}
            </Button>
          }
        >
          <p>{say.emptyWords}</p>
        </EmptyState>
      )}
      <ProjectCards projects={projects} />
      {archived.length > 0 && (
        <section className="archived">
          <h2>{say.archivedTitle}</h2>
          <ProjectCards projects={archived} />
        </section>
      )}
    </div>
  );
}

function ProjectCards({ projects }: { projects: readonly ProjectRow[] }) {
  if (projects.length === 0) return null;
  return (
    <ul className="project-cards">
      {projects.map((project) => (
        <ProjectCard key={project.id} project={project} />
      ))}
    </ul>
  );
}

function ProjectCard({ project }: { project: ProjectRow }) {
  const members = useQuery(membersOf, project.id);
  return (
    <li>
      <Link href={paths.project(project.id)} className="project-card">
        <span className="project-card-head">
          <span className="project-badge" style={{ '--hue': project.color ?? 'var(--accent)' } as CSSProperties}>
            {project.key}
          </span>
          <strong>{project.name}</strong>
        </span>
        <span className="project-card-words">{project.description}</span>
        <span className="avatars">
          {members.slice(0, 6).map((member) => (
            <Avatar key={member.userId} name={member.name} url={member.avatarUrl} seed={member.userId} />
          ))}
          <span className="only-spoken">{say.members(members.length)}</span>
        </span>
      </Link>
    </li>
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
