// Bottom bar on a phone: frequent places, search, and a new task. Fetched there alone; shell.module.css keeps its room.

import { CircleCheckBig, House, Inbox, Plus, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { perform } from '../actions/registry.tsx';
import { useMinute } from '../queries/days/today.ts';
import { unreadCountIn, useQuery } from '../queries.ts';
import { paths } from '../routes.ts';
import { sayNumber, t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import styles from './bottom-bar.module.css';

export default function BottomBar({ onNewTask }: { onNewTask: () => void }) {
  const [location] = useLocation();
  const n = useQuery(unreadCountIn, useMinute());
  const atProjects = location === paths.projects || location.startsWith(`${paths.projects}/projects/`);
  return (
    <nav
      className={`${shapes.onScreen} ${shapes.rigid} ${shapes.paper} ${shapes.ruledAbove} ${styles.bar}`}
      aria-label={t('common.bar.label')}
    >
      <Place href={paths.projects} current={atProjects} icon={<House size={20} />}>
        {t('common.nav.projects')}
      </Place>
      <Place href={paths.myTasks} current={location.startsWith(paths.myTasks)} icon={<CircleCheckBig size={20} />}>
        {t('common.taskList')}
      </Place>
      <button
        type="button"
        className={`${shapes.column} ${shapes.softXs} ${styles.place}`}
        aria-label={t('common.newTask')}
        onClick={onNewTask}
      >
        <span className={`${shapes.middle} ${shapes.accent} ${shapes.roundL} ${styles.plus}`}>
          <Plus size={22} aria-hidden="true" />
        </span>
      </button>
      <Place href={paths.inbox} current={location.startsWith(paths.inbox)} icon={<Inbox size={20} />}>
        {t('common.nav.inbox')}
        {n > 0 && (
          <>
            <span
              className={`${shapes.accent} ${shapes.over} ${shapes.sideS2} ${shapes.bold} ${styles.count} numbers`}
              aria-hidden="true"
            >
              {n > 99 ? '99+' : sayNumber(n)}
            </span>
            <span className="only-spoken">{t('common.nav.inboxUnread', { n })}</span>
          </>
        )}
      </Place>
      <button
        type="button"
        className={`${shapes.column} ${shapes.softXs} ${styles.place}`}
        onClick={() => perform('search')}
      >
        <Search size={20} aria-hidden="true" />
        <span className={`${shapes.cut} ${shapes.within}`}>{t('common.nav.search')}</span>
      </button>
    </nav>
  );
}

interface PlaceProps {
  readonly href: string;
  readonly current: boolean;
  readonly icon: ReactNode;
  readonly children: ReactNode;
}

function Place({ href, current, icon, children }: PlaceProps) {
  return (
    <Link
      href={href}
      className={`${shapes.column} ${shapes.softXs} ${styles.place}`}
      aria-current={current ? 'page' : undefined}
    >
      {icon}
      <span className={`${shapes.cut} ${shapes.within}`}>{children}</span>
    </Link>
  );
}
