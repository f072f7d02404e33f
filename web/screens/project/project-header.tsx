// A project's name, people and views; each view has its own address.

import { ChartColumn, List as ListIcon, Settings, SquareKanban } from 'lucide-react';
import type { CSSProperties } from 'react';
import { Link, useLocation } from 'wouter';
import { useActions } from '../../actions/registry.tsx';
import { membersOf, roleIn, useQuery } from '../../queries.ts';
import { type ProjectView, paths } from '../../routes.ts';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { ProjectRow } from '../../sync/rows.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Notice } from '../../ui/state.tsx';

const say = words.projects;

const tabs: readonly { view: ProjectView; icon: typeof Settings; keys: string }[] = [
  { view: 'board', icon: SquareKanban, keys: 'g b' },
  { view: 'list', icon: ListIcon, keys: 'g l' },
  { view: 'dashboard', icon: ChartColumn, keys: 'g f' },
  { view: 'settings', icon: Settings, keys: 'g s' },
];

export function ProjectHeader({ project, view }: { project: ProjectRow; view: ProjectView }) {
  const { userId } = useSync();
  const [, go] = useLocation();
  const members = useQuery(membersOf, project.id);
  const role = useQuery(roleIn, project.id, userId);
  useActions(
    tabs.map(({ view: to, icon: Icon, keys }) => ({
      id: `go-project-${to}`,
      label: say.toView[to],
      group: 'project' as const,
      keys,
      icon: <Icon size={16} />,
      effect: () => go(paths.project(project.id, to)),
    })),
  );
  return (
    <header className="project-head">
      <div className="project-line">
        <span className="project-badge" style={{ '--hue': project.color ?? 'var(--accent)' } as CSSProperties}>
          {project.key}
        </span>
        <h1 title={project.name}>{project.name}</h1>
        {role === 'viewer' && <span className="project-role">{words.common.roles.viewer}</span>}
        <span className="avatars project-people">
          {members.slice(0, 5).map((member) => (
            <Avatar key={member.userId} name={member.name} url={member.avatarUrl} seed={member.userId} />
          ))}
          {members.length > 5 && <span className="project-more numbers">+{members.length - 5}</span>}
        </span>
      </div>
      <nav className="tabs" aria-label={say.viewsLabel}>
        {tabs.map(({ view: to, icon: Icon }) => (
          <Link
            key={to}
            href={paths.project(project.id, to)}
            className="tab"
            aria-current={to === view ? 'page' : undefined}
          >
            <Icon size={15} aria-hidden="true" />
            {say.views[to]}
          </Link>
        ))}
      </nav>
      {project.archived_at && <Notice tone="warn">{say.archivedNotice}</Notice>}
    </header>
  );
}
