// A project's name, people and views; each view has its own address.

import {
  Bookmark,
  Bot,
  ChevronDown,
  Copy,
  Download,
  FileStack,
  Globe,
  Rss,
  Settings,
  UserPlus,
  Users,
  UsersRound,
} from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useActions } from '../../actions/registry.tsx';
import { ProjectPicture } from '../../pieces/project-picture.tsx';
import { hasAgents } from '../../queries/agents/at-work.ts';
import { type ProjectRow, roleIn, savedViewsOf, useQuery, useUserId } from '../../queries.ts';
import { type ProjectView, paths, viewPath } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { lazyOverlay } from '../../ui/overlays/lazy-overlay.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { InTopBar } from '../../ui/top-bar-slot.tsx';
import { usePhone } from '../../ui/use-narrow.ts';
import { useExplainsAccess } from '../access/use-explains-access.ts';
import { layoutIcons } from './layout-icons.ts';
import { People } from './people.tsx';
import styles from './project.module.css';

const AccessDialog = lazyOverlay(() => import('../access/access-dialog.tsx'), ['people', 'reach']);
const ViewTabs = lazyComponent(() => import('../views/view-tabs.tsx'), ['views']);

const CopyProject = lazyOverlay(() => import('../templates/duplicate-project-dialog.tsx'), ['starters']);
const SaveTemplate = lazyOverlay(() => import('../templates/save-template-dialog.tsx'), ['starters']);
const FeedDialog = lazyOverlay(() => import('./feed-dialog.tsx'), ['people']);
const ExportDialog = lazyOverlay(() => import('../exports/export-dialog.tsx'), ['exports']);
const ShareDialog = lazyOverlay(() => import('../shared/share-dialog.tsx'), ['shared', 'people']);
const InviteDialog = lazyOverlay(() => import('../people/invite-dialog.tsx'), ['people', 'groups', 'shared']);

const tabs: readonly { view: ProjectView; icon: typeof Settings; keys: string }[] = [
  { view: 'board', icon: layoutIcons.board, keys: 'g b' },
  { view: 'list', icon: layoutIcons.list, keys: 'g l' },
  { view: 'calendar', icon: layoutIcons.calendar, keys: 'g c' },
  { view: 'timeline', icon: layoutIcons.timeline, keys: 'g t' },
  { view: 'dashboard', icon: layoutIcons.dashboard, keys: 'g f' },
  { view: 'agents', icon: Bot, keys: 'g w' },
  { view: 'people', icon: Users, keys: 'g o' },
  { view: 'settings', icon: Settings, keys: 'g s' },
];

/** Of the project itself, beside its layouts: they stand behind the saved views. */
const isAside = (view: ProjectView): view is 'agents' | 'people' | 'settings' =>
  view === 'agents' || view === 'people' || view === 'settings';

/** Where no agent works, their page is found by key and palette alone. */
function useTabs(projectId: string, view: ProjectView): typeof tabs {
  const withAgents = useQuery(hasAgents, projectId) || view === 'agents';
  return withAgents ? tabs : tabs.filter(({ view: to }) => to !== 'agents');
}

export function ProjectHeader({ project, view }: { project: ProjectRow; view: ProjectView }) {
  const userId = useUserId();
  const [, go] = useLocation();
  const role = useQuery(roleIn, project.id, userId);
  const [inviting, setInviting] = useState(false);
  const [making, setMaking] = useState<'copy' | 'template' | 'export' | 'feed' | 'access' | 'share' | null>(null);
  const explains = useExplainsAccess(project.id);
  const mayInvite = role === 'owner' && project.archived_at === null;
  useActions([
    ...tabs.map(({ view: to, icon: Icon, keys }) => ({
      id: `go-project-${to}`,
      label: t(`projects.toView.${to}`),
      group: 'project' as const,
      keys,
      icon: <Icon size={16} />,
      effect: () => go(paths.project(project.id, to)),
    })),
    ...(
      [
        ['copy-project', t('projects.copy'), Copy, 'copy'],
        ['save-template', t('projects.saveAsTemplate'), FileStack, 'template'],
        ['export-project', t('projects.export'), Download, 'export'],
        ['subscribe', t('projects.subscribe'), Rss, 'feed'],
        ...(explains ? [['project-access', t('common.canSee'), UsersRound, 'access'] as const] : []),
        ...(role === 'owner' ? [['share-project', t('common.publicLink'), Globe, 'share'] as const] : []),
      ] as const
    ).map(([id, label, Icon, what]) => ({
      id,
      label,
      group: 'project' as const,
      icon: <Icon size={16} />,
      effect: () => setMaking(what),
    })),
    ...(mayInvite
      ? [
          {
            id: 'invite',
            label: t('projects.invite'),
            group: 'project' as const,
            icon: <UserPlus size={16} />,
            effect: () => setInviting(true),
          },
        ]
      : []),
  ]);
  const phone = usePhone();
  const invite = mayInvite ? () => setInviting(true) : null;
  const mark = role === 'viewer' && (
    <span className={`${shapes.softXs} ${shapes.chip} ${styles.projectRole}`}>{t('common.roles.viewer')}</span>
  );
  const rest = (
    <>
      {inviting && <InviteDialog projectId={project.id} name={project.name} onClose={() => setInviting(false)} />}
      {making === 'access' && (
        <AccessDialog object={project.id} projectId={project.id} onClosed={() => setMaking(null)} />
      )}
      {making === 'feed' && (
        <FeedDialog of="project" id={project.id} name={project.name} onClose={() => setMaking(null)} />
      )}
      {making === 'share' && (
        <ShareDialog projectId={project.id} taskId={null} name={project.name} onClose={() => setMaking(null)} />
      )}
      {making === 'export' && <ExportDialog project={project} onClose={() => setMaking(null)} />}
      {making === 'copy' && <CopyProject project={project} onClose={() => setMaking(null)} />}
      {making === 'template' && (
        <SaveTemplate
          kind="project"
          of={project.id}
          projectId={project.id}
          name={project.name}
          onClose={() => setMaking(null)}
        />
      )}
    </>
  );
  if (phone)
    return (
      <>
        <InTopBar>
          <ProjectPicture project={project} />
          <h1>{project.name}</h1>
          {mark}
          <People projectId={project.id} onInvite={null} />
          <ViewMenu projectId={project.id} view={view} onInvite={invite} onSubscribe={() => setMaking('feed')} />
        </InTopBar>
        {rest}
      </>
    );
  return (
    <div className={`${shapes.rigid} ${styles.projectHeadRoom}`}>
      <header className={`${shapes.row} ${shapes.ruledBelow} ${styles.projectHead}`}>
        <div className={`${shapes.rowS4} ${shapes.slim} ${styles.projectLine}`}>
          <ProjectPicture project={project} />
          <h1 className={shapes.cut} title={project.name}>
            {project.name}
          </h1>
          {mark}
        </div>
        <Tabs projectId={project.id} view={view} />
        <People projectId={project.id} onInvite={invite} />
        {rest}
      </header>
    </div>
  );
}

function Tabs({ projectId, view }: { projectId: string; view: ProjectView }) {
  const saved = useQuery(savedViewsOf, projectId);
  const [params] = useSearchParams();
  const opened = saved.some(({ id }) => id === params.get('view'));
  const hasViews = saved.length > 0;
  const shown = useTabs(projectId, view);
  const drawn = shown.map(({ view: to, icon: Icon }) => {
    const name = t(`projects.views.${to}`);
    const aside = isAside(to);
    return (
      <Link
        key={to}
        href={paths.project(projectId, to)}
        className={`${shapes.inlineS3} ${styles.tab} ${aside ? styles.aside : ''}`}
        aria-current={to === view && !opened ? 'page' : undefined}
        title={name}
      >
        <Icon size={15} aria-hidden="true" />
        <span>{name}</span>
      </Link>
    );
  });
  const asides = shown.findIndex(({ view: to }) => isAside(to));
  return (
    <nav className={styles.tabs} aria-label={t('projects.viewsLabel')} data-views={hasViews || undefined}>
      {drawn.slice(0, asides)}
      {hasViews && (
        <ViewTabs
          projectId={projectId}
          layout={isAside(view) ? null : view}
          className={styles.tab}
          meanwhile={<div className={styles.tabsWait} />}
        />
      )}
      {drawn.slice(asides)}
    </nav>
  );
}

interface ViewMenuProps {
  readonly projectId: string;
  readonly view: ProjectView;
  readonly onInvite: (() => void) | null;
  readonly onSubscribe: () => void;
}

/** On a phone the views stand behind one button, which says where one is. */
function ViewMenu({ projectId, view, onInvite, onSubscribe }: ViewMenuProps) {
  const [, go] = useLocation();
  const saved = useQuery(savedViewsOf, projectId);
  const [params] = useSearchParams();
  const shown = useTabs(projectId, view);
  const opened = saved.find(({ id }) => id === params.get('view'));
  const name = opened?.name ?? t(`projects.views.${view}`);
  const label = t('common.pair', { name: t('projects.viewsLabel'), value: name });
  return (
    <Menu
      label={t('projects.viewsLabel')}
      trigger={
        <button
          type="button"
          className={`${shapes.inlineS2} ${shapes.press} ${shapes.value} ${shapes.rigid} ${styles.viewButton}`}
          aria-label={label}
        >
          <span className={shapes.words}>{name}</span>
          <ChevronDown size={14} aria-hidden="true" />
        </button>
      }
      items={[
        ...shown.map(({ view: to, icon: Icon }) => ({
          id: to,
          label: t(`projects.views.${to}`),
          icon: <Icon size={16} />,
          checked: to === view && opened === undefined,
          onPick: () => go(paths.project(projectId, to)),
        })),
        ...saved.map((one, at) => ({
          id: one.id,
          label: one.name,
          icon: <Bookmark size={16} />,
          checked: one === opened,
          apart: at === 0,
          onPick: () => go(viewPath(one)),
        })),
        {
          id: 'subscribe',
          label: t('projects.subscribe'),
          icon: <Rss size={16} />,
          apart: true,
          onPick: onSubscribe,
        },
        ...(onInvite
          ? [
              {
                id: 'invite',
                label: t('projects.invite'),
                icon: <UserPlus size={16} />,
                onPick: onInvite,
              },
            ]
          : []),
      ]}
    />
  );
}
