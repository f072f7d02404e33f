// Navigation: the same list in the sidebar and in the drawer.

import { ChartColumn, ChevronsUpDown, CircleCheckBig, House, Inbox, Plus, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { perform } from '../actions/registry.tsx';
import { Logo } from '../pieces/logo.tsx';
import { ProjectPicture } from '../pieces/project-picture.tsx';
import { useMinute } from '../queries/days/today.ts';
import { nameOf } from '../queries/people/people.ts';
import {
  favoriteViews,
  firstViews,
  isGuest,
  listedViewsOf,
  openProjects,
  profileOf,
  type SavedViewRow,
  unreadCountIn,
  useQuery,
  useUserId,
} from '../queries.ts';
import { paths, projectIn, viewPath } from '../routes.ts';
import { useSession } from '../session/react.tsx';
import { sayNumber, t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { Avatar } from '../ui/avatar.tsx';
import { Keys } from '../ui/keys.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { HoldKeys } from '../ui/overlays/buffered-keys.ts';
import { usePhone } from '../ui/use-narrow.ts';
import styles from './shell.module.css';

const NavFavorites = lazyComponent(() => import('./nav-favorites.tsx'), ['views']);

const NavViews = lazyComponent(() => import('./nav-views.tsx'), ['views']);

const MeMenu = lazyComponent(() => import('./account-menu.tsx'));

export function Navigation() {
  const projects = useQuery(openProjects);
  const first = useQuery(firstViews, useUserId());
  const [location] = useLocation();
  // Elsewhere they are tabs of the project.
  const phone = usePhone();
  return (
    <nav className={`${shapes.column} ${shapes.tall}`} aria-label={t('common.nav.main')}>
      <div className={`${shapes.column} ${shapes.short} ${styles.navRoom}`}>
        <Link href={paths.projects} className={`${shapes.block} ${shapes.roundM} ${styles.navHome}`}>
          <Logo />
        </Link>
        <button
          type="button"
          className={`${shapes.rowS3} ${shapes.value} ${shapes.soft} ${shapes.surface} ${styles.navSearch}`}
          onClick={() => perform('search')}
        >
          <Search size={15} aria-hidden="true" />
          <span className={`${shapes.words} ${shapes.fill} ${styles.navWords}`}>{t('common.nav.search')}</span>
          <Keys keys="mod+k" hint />
        </button>
        <ul className={styles.navList}>
          <InboxItem current={location.startsWith(paths.inbox)} />
          <NavItem
            href={paths.myTasks}
            icon={<CircleCheckBig size={16} />}
            current={location.startsWith(paths.myTasks)}
          >
            {t('common.nav.myTasks')}
          </NavItem>
          <NavItem href={paths.dashboard} icon={<ChartColumn size={16} />} current={location === paths.dashboard}>
            {t('projects.views.dashboard')}
          </NavItem>
          <NavItem href={paths.projects} icon={<House size={16} />} current={location === paths.projects}>
            {t('common.nav.allProjects')}
          </NavItem>
        </ul>
        <Favorites location={location} />
        <div className={`${shapes.row} ${styles.navHead}`}>
          <h2>{t('common.nav.projects')}</h2>
          <button
            type="button"
            className={`${shapes.middle} ${shapes.pressInk} ${shapes.quiet} ${shapes.roundS} ${styles.navAdd}`}
            aria-label={t('common.nav.newProject')}
            title={t('common.nav.newProject')}
            onClick={() => perform('new-project')}
          >
            <Plus size={14} />
          </button>
        </div>
        <ul className={`${styles.navList} ${shapes.scroll} ${styles.navProjects}`}>
          {projects.map((project) => (
            <NavItem
              key={project.id}
              href={hrefOf(project.id, first[project.id])}
              current={location.startsWith(`/app/projects/${project.id}/`)}
              icon={<ProjectPicture project={project} size={16} />}
              mark={<GuestMark projectId={project.id} />}
              below={
                phone && projectIn(location)?.projectId === project.id ? (
                  <Views projectId={project.id} location={location} />
                ) : null
              }
            >
              {project.name}
            </NavItem>
          ))}
        </ul>
        <Views projectId="" location={location} />
      </div>
      <Me />
    </nav>
  );
}

/** Where there are any. */
function Favorites(props: { location: string }) {
  return useQuery(favoriteViews).length > 0 && <NavFavorites {...props} />;
}

/** Where there are any. */
function Views(props: { projectId: string; location: string }) {
  return useQuery(listedViewsOf, props.projectId).length > 0 && <NavViews {...props} />;
}

function GuestMark({ projectId }: { projectId: string }) {
  return (
    useQuery(isGuest, projectId, useUserId()) && (
      <span className={`${shapes.quietXs} ${shapes.rigid}`}>{t('common.guest')}</span>
    )
  );
}

/** A project opens with the view that was chosen for it, or with its board. */
function hrefOf(projectId: string, first: SavedViewRow | undefined): string {
  return first ? viewPath(first) : paths.project(projectId);
}

function InboxItem({ current }: { current: boolean }) {
  const n = useQuery(unreadCountIn, useMinute());
  return (
    <NavItem
      href={paths.inbox}
      icon={<Inbox size={16} />}
      current={current}
      {...(n > 0 ? { count: sayNumber(n), spoken: t('common.nav.inboxUnread', { n }) } : {})}
    >
      {t('common.nav.inbox')}
    </NavItem>
  );
}

function NavItem({
  href,
  icon,
  current,
  count,
  spoken,
  mark,
  below,
  children,
}: {
  href: string;
  icon: ReactNode;
  current: boolean;
  count?: string;
  /** The count, as it is read out. */
  spoken?: string;
  /** Behind its name. */
  mark?: ReactNode;
  /** What belongs to it, under it. */
  below?: ReactNode;
  children: ReactNode;
}) {
  return (
    <li>
      <Link
        href={href}
        className={`${shapes.rowS3} ${shapes.pressInk} ${shapes.soft} ${styles.navItem}`}
        aria-current={current ? 'page' : undefined}
      >
        <span className={`${shapes.middle} ${shapes.rigid} ${styles.navIcon}`}>{icon}</span>
        <span className={`${shapes.words} ${shapes.fill} ${styles.navWords}`}>{children}</span>
        {mark}
        {count && (
          <span
            className={`${shapes.rigid} ${shapes.strong} ${shapes.sideS2} ${shapes.centred} ${styles.navCount} numbers`}
            aria-hidden="true"
          >
            {count}
          </span>
        )}
        {spoken && <span className="only-spoken">{spoken}</span>}
      </Link>
      {below}
    </li>
  );
}

/** The menu behind one's own name is fetched when it is first asked for. */
function Me() {
  const { user, profile: known } = useSession();
  const row = useQuery(profileOf, user?.id ?? '');
  const [asked, setAsked] = useState(false);
  const name = row ? nameOf(row) : (known?.displayName ?? user?.email ?? t('common.you'));
  const button = (
    <button
      type="button"
      className={`${shapes.rowS3} ${shapes.press} ${shapes.rigid} ${shapes.roundM} ${styles.me}`}
      aria-haspopup="menu"
      {...(asked ? {} : { onClick: () => setAsked(true), onPointerEnter: MeMenu.fetch, onFocus: MeMenu.fetch })}
    >
      <Avatar name={name} url={row?.avatar_url ?? known?.avatarUrl ?? null} seed={user?.id ?? ''} />
      <span className={`${shapes.words} ${shapes.fill} ${shapes.medium}`}>{name}</span>
      <ChevronsUpDown size={14} aria-hidden="true" />
    </button>
  );
  if (!asked) return button;
  return <MeMenu trigger={button} meanwhile={[button, <HoldKeys key="keys" />]} />;
}
