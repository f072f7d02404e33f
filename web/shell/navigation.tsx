// Where one can go: the same list at the side and in the drawer.

import { ChartColumn, ChevronsUpDown, CircleCheckBig, House, Plus, Search } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { lazy, Suspense, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { offeredActions } from '../actions/registry.tsx';
import { nameOf } from '../queries/people.ts';
import { openProjects, profileOf, useQuery } from '../queries.ts';
import { paths } from '../routes.ts';
import { useSession } from '../session/react.tsx';
import { words } from '../strings/words.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Keys } from '../ui/keys.tsx';
import { Mark } from './mark.tsx';

const loadMenu = () => import('./me-menu.tsx');
const MeMenu = lazy(loadMenu);
const fetchMenu = (): void => void loadMenu();

export function perform(id: string): void {
  offeredActions()
    .find((action) => action.id === id)
    ?.effect();
}

export function Navigation() {
  const projects = useQuery(openProjects);
  const [location] = useLocation();
  const nav = words.common.nav;
  return (
    <nav className="nav" aria-label={nav.main}>
      <Link href={paths.projects} className="nav-home">
        <Mark />
      </Link>
      <button type="button" className="nav-search" onClick={() => perform('search')}>
        <Search size={15} aria-hidden="true" />
        <span className="nav-words">{nav.search}</span>
        <Keys keys="mod+k" />
      </button>
      <ul className="nav-list">
        <NavItem href={paths.myTasks} icon={<CircleCheckBig size={16} />} current={location.startsWith(paths.myTasks)}>
          {nav.myTasks}
        </NavItem>
        <NavItem href={paths.dashboard} icon={<ChartColumn size={16} />} current={location === paths.dashboard}>
          {nav.dashboard}
        </NavItem>
        <NavItem href={paths.projects} icon={<House size={16} />} current={location === paths.projects}>
          {nav.allProjects}
        </NavItem>
      </ul>
      <div className="nav-head">
        <h2>{nav.projects}</h2>
        <button
          type="button"
          className="nav-add"
          aria-label={nav.newProject}
          title={nav.newProject}
          onClick={() => perform('new-project')}
        >
          <Plus size={14} />
        </button>
      </div>
      <ul className="nav-list nav-projects">
        {projects.map((project) => (
          <NavItem
            key={project.id}
            href={paths.project(project.id)}
            current={location.startsWith(`/app/projects/${project.id}/`)}
            icon={<span className="dot" style={{ '--hue': project.color ?? 'var(--accent)' } as CSSProperties} />}
          >
            {project.name}
          </NavItem>
        ))}
      </ul>
      <Me />
    </nav>
  );
}

function NavItem({
  href,
  icon,
  current,
  children,
}: {
  href: string;
  icon: ReactNode;
  current: boolean;
  children: ReactNode;
}) {
  return (
    <li>
      <Link href={href} className="nav-item" aria-current={current ? 'page' : undefined}>
        <span className="nav-icon">{icon}</span>
        <span className="nav-words">{children}</span>
      </Link>
    </li>
  );
}

/** The menu behind one's own name is fetched when it is first asked for. */
function Me() {
  const { user, profile: known } = useSession();
  const row = useQuery(profileOf, user?.id ?? '');
  const [asked, setAsked] = useState(false);
  const name = row ? nameOf(row) : (known?.displayName ?? user?.email ?? words.common.you);
  const button = (
    <button
      type="button"
      className="me"
      aria-haspopup="menu"
      {...(asked ? {} : { onClick: () => setAsked(true), onPointerEnter: fetchMenu, onFocus: fetchMenu })}
    >
      <Avatar name={name} url={row?.avatar_url ?? known?.avatarUrl ?? null} seed={user?.id ?? ''} />
      <span className="me-name">{name}</span>
      <ChevronsUpDown size={14} aria-hidden="true" />
    </button>
  );
  if (!asked) return button;
  return (
    <Suspense fallback={button}>
      <MeMenu trigger={button} />
    </Suspense>
  );
}
