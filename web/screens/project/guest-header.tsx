// Header of a project for its guests: the ways to look at their tasks, and the way out.

import { ChevronDown, Ellipsis, LogOut } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useActions } from '../../actions/registry.tsx';
import { ProjectPicture } from '../../pieces/project-picture.tsx';
import { guestTasksIn, type ProjectRow, useQuery, useUserId } from '../../queries.ts';
import { type ProjectView, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/overlays/lazy-overlay.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { InTopBar } from '../../ui/top-bar-slot.tsx';
import { usePhone } from '../../ui/use-narrow.ts';
import { layoutIcons } from './layout-icons.ts';
import styles from './project.module.css';

const LeaveAsGuest = lazyOverlay(() => import('./leave-as-guest.tsx'), ['groups']);

const tabs = [
  { view: 'board', keys: 'g b' },
  { view: 'list', keys: 'g l' },
  { view: 'calendar', keys: 'g c' },
] as const;

export const isForGuests = (view: ProjectView): boolean => tabs.some((tab) => tab.view === view);

export function GuestHeader({ project, view }: { project: ProjectRow; view: ProjectView }) {
  const [, go] = useLocation();
  const [leaving, setLeaving] = useState(false);
  const phone = usePhone();
  const said = tabs.map(({ view: to, keys }) => {
    const Icon = layoutIcons[to];
    const effect = () => go(paths.project(project.id, to));
    return { to, keys, name: t(`projects.views.${to}`), icon: <Icon size={16} />, effect };
  });
  const leave = {
    id: 'leave-project',
    label: t('settings.leave'),
    icon: <LogOut size={16} />,
  };
  useActions([
    ...said.map(({ to, keys, icon, effect }) => ({
      ...{ id: `go-project-${to}`, label: t(`projects.toView.${to}`), group: 'project' as const },
      ...{ keys, icon, effect },
    })),
    { ...leave, group: 'project' as const, effect: () => setLeaving(true) },
  ]);
  const mark = <span className={`${shapes.softXs} ${shapes.chip} ${styles.projectRole}`}>{t('common.guest')}</span>;
  const rest = leaving && <LeaveAsGuest project={project} onClose={() => setLeaving(false)} />;
  const out = { ...leave, apart: true, onPick: () => setLeaving(true) };
  if (phone)
    return (
      <>
        <InTopBar>
          <ProjectPicture project={project} />
          <h1>{project.name}</h1>
          {mark}
          <Menu
            label={t('projects.viewsLabel')}
            trigger={
              <button
                type="button"
                className={`${shapes.inlineS2} ${shapes.press} ${shapes.value} ${shapes.rigid} ${styles.viewButton}`}
                aria-label={t('common.pair', { name: t('projects.viewsLabel'), value: t(`projects.views.${view}`) })}
              >
                <span className={shapes.words}>{t(`projects.views.${view}`)}</span>
                <ChevronDown size={14} aria-hidden="true" />
              </button>
            }
            items={[
              ...said.map(({ to, name, icon, effect }) => ({
                ...{ id: to, label: name, icon, checked: to === view },
                onPick: effect,
              })),
              out,
            ]}
          />
        </InTopBar>
        {rest}
      </>
    );
  return (
    <div className={styles.projectHeadRoom}>
      <header className={`${shapes.row} ${shapes.ruledBelow} ${styles.projectHead}`}>
        <div className={`${shapes.rowS4} ${shapes.slim} ${styles.projectLine}`}>
          <ProjectPicture project={project} />
          <h1 title={project.name}>{project.name}</h1>
          {mark}
        </div>
        <nav className={styles.tabs} aria-label={t('projects.viewsLabel')}>
          {said.map(({ to, name, icon }) => (
            <Link
              key={to}
              href={paths.project(project.id, to)}
              className={`${shapes.inlineS3} ${styles.tab}`}
              aria-current={to === view ? 'page' : undefined}
            >
              {icon}
              <span>{name}</span>
            </Link>
          ))}
        </nav>
        <div className={`${shapes.rigid} ${styles.projectPeople}`}>
          <Menu
            label={t('common.more')}
            trigger={
              <IconButton label={t('common.more')}>
                <Ellipsis size={16} />
              </IconButton>
            }
            items={[out]}
          />
        </div>
        {rest}
      </header>
    </div>
  );
}

/** How much of the project it is. */
export function GuestLine({ projectId }: { projectId: string }) {
  const n = useQuery(guestTasksIn, projectId, useUserId());
  return <p className={`${shapes.quietS} ${styles.guestLine}`}>{t('projects.guest', { n })}</p>;
}
