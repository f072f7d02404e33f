// A project's name, people and views; each view has its own address.

import { ChevronDown, Copy, Download, FileStack, Rss, Settings, UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useActions } from '../../actions/registry.tsx';
import { ProjectPicture } from '../../pieces/project-picture.tsx';
import { type ProjectRow, roleIn, useQuery, useUserId } from '../../queries.ts';
import { type ProjectView, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Notice } from '../../ui/list-states.tsx';
import { lazyOverlay } from '../../ui/overlays/lazy-overlay.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { InTopBar } from '../../ui/top-bar-slot.tsx';
import { usePhone } from '../../ui/use-narrow.ts';
import { layoutIcons } from './layout-icons.ts';
import { People } from './people.tsx';
import styles from './project.module.css';

const CopyProject = lazyOverlay(() => import('../templates/duplicate-project-dialog.tsx'), ['starters']);
const SaveTemplate = lazyOverlay(() => import('../templates/save-template-dialog.tsx'), ['starters']);
const FeedDialog = lazyOverlay(() => import('./feed-dialog.tsx'), ['people']);
const ExportDialog = lazyOverlay(() => import('../exports/export-dialog.tsx'), ['exports']);
const InviteDialog = lazyOverlay(() => import('../people/invite-dialog.tsx'), ['people']);

const tabs: readonly { view: ProjectView; icon: typeof Settings; keys: string }[] = [
  { view: 'board', icon: layoutIcons.board, keys: 'g b' },
  { view: 'list', icon: layoutIcons.list, keys: 'g l' },
  { view: 'calendar', icon: layoutIcons.calendar, keys: 'g c' },
  { view: 'timeline', icon: layoutIcons.timeline, keys: 'g t' },
  { view: 'dashboard', icon: layoutIcons.dashboard, keys: 'g f' },
  { view: 'people', icon: Users, keys: 'g o' },
  { view: 'settings', icon: Settings, keys: 'g s' },
];

export function ProjectHeader({ project, view }: { project: ProjectRow; view: ProjectView }) {
  const userId = useUserId();
  const [, go] = useLocation();
  const role = useQuery(roleIn, project.id, userId);
  const [inviting, setInviting] = useState(false);
  const [making, setMaking] = useState<'copy' | 'template' | 'export' | 'feed' | null>(null);
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
      {making === 'feed' && (
        <FeedDialog of="project" id={project.id} name={project.name} onClose={() => setMaking(null)} />
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
      {project.archived_at && <Notice tone="warn">{t('projects.archivedNotice')}</Notice>}
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
    <div className={styles.projectHeadRoom}>
      <header className={styles.projectHead}>
        <div className={`${shapes.rowS4} ${styles.projectLine}`}>
          <ProjectPicture project={project} />
          <h1 title={project.name}>{project.name}</h1>
          {mark}
        </div>
        <nav className={styles.tabs} aria-label={t('projects.viewsLabel')}>
          {tabs.map(({ view: to, icon: Icon }) => (
            <Link
              key={to}
              href={paths.project(project.id, to)}
              className={`${shapes.inlineS3} ${styles.tab}`}
              aria-current={to === view ? 'page' : undefined}
            >
              <Icon size={15} aria-hidden="true" />
              {t(`projects.views.${to}`)}
            </Link>
          ))}
        </nav>
        <People projectId={project.id} onInvite={invite} />
        {rest}
      </header>
    </div>
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
  const label = t('common.pair', { name: t('projects.viewsLabel'), value: t(`projects.views.${view}`) });
  return (
    <Menu
      label={t('projects.viewsLabel')}
      trigger={
        <button
          type="button"
          className={`${shapes.inlineS2} ${shapes.press} ${shapes.value} ${styles.viewButton}`}
          aria-label={label}
        >
          <span>{t(`projects.views.${view}`)}</span>
          <ChevronDown size={14} aria-hidden="true" />
        </button>
      }
      items={[
        ...tabs.map(({ view: to, icon: Icon }) => ({
          id: to,
          label: t(`projects.views.${to}`),
          icon: <Icon size={16} />,
          checked: to === view,
          onPick: () => go(paths.project(projectId, to)),
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
