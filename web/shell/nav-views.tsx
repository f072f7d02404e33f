// The saved views at the side: those of the project that is open, or those across projects. Put into order by drag and keys, and each
// with a menu.

import { Bookmark, Ellipsis, Link2, Pencil, Rss, Star, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useActions } from '../actions/registry.tsx';
import { chooseFirstView, deleteView, editView, positionAt, useAct } from '../commands.ts';
import { defaultViewsOf, mayWrite, roleIn, type SavedViewRow, savedViewsOf, useQuery, useUserId } from '../queries.ts';
import { viewPath } from '../routes.ts';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import fieldStyles from '../ui/fields/field.module.css';
import { limitTo } from '../ui/fields/limit-to.ts';
import { SortableLines, useSortableLine } from '../ui/lists/sortable.tsx';
import { lazyOverlay } from '../ui/overlays/lazy-overlay.tsx';
import { Menu, type MenuItem } from '../ui/overlays/menu.tsx';
import { showCopied } from '../ui/overlays/toaster.tsx';
import { copyText } from '../ui/text/copy-text.ts';
import styles from './nav-views.module.css';
import shellStyles from './shell.module.css';

const FeedDialog = lazyOverlay(() => import('../screens/project/feed-dialog.tsx'), ['people']);

/** `projectId` is empty for views across projects; they have a head of their own where there are any. */
export default function NavViews({ projectId, location }: { projectId: string; location: string }) {
  const userId = useUserId();
  const views = useQuery(savedViewsOf, projectId);
  const act = useAct();
  const [params] = useSearchParams();
  const [, go] = useLocation();
  useActions(
    views.map((view) => ({
      id: `view-${view.id}`,
      label: t('views.open', { name: view.name }),
      group: projectId === '' ? 'general' : 'project',
      icon: <Bookmark size={16} />,
      effect: () => go(viewPath(view)),
    })),
  );
  const lines = views.map(({ id, name }) => ({ id, name }));
  const opened = projectId === '' ? /^\/app\/views\/([^/]+)/.exec(location)?.[1] : params.get('view');
  return (
    <>
      {projectId === '' && (
        <div className={`${shapes.row} ${shellStyles.navHead}`}>
          <h2>{t('views.across')}</h2>
        </div>
      )}
      <SortableLines
        lines={lines}
        onMove={(id, index) => void act(editView, id, { position: positionAt(views, id, index) })}
      >
        <ul
          className={`${shellStyles.navList} ${projectId === '' ? '' : styles.under}`}
          aria-label={projectId === '' ? t('views.across') : t('views.ofProject')}
        >
          {views.map((view) => (
            <ViewLine key={view.id} view={view} mine={view.owner_id === userId} current={opened === view.id} />
          ))}
        </ul>
      </SortableLines>
    </>
  );
}

function ViewLine({ view, mine, current }: { view: SavedViewRow; mine: boolean; current: boolean }) {
  const [renaming, setRenaming] = useState(false);
  const { line, moving, grip } = useSortableLine(view.id, !mine);
  return (
    <li {...line} className={`${shapes.row} ${shapes.holder} ${styles.line} ${moving ? styles.moving : ''}`}>
      {mine && <span className={styles.grip}>{grip(t('common.moveNamed', { name: view.name }))}</span>}
      {renaming ? (
        <NameField view={view} onDone={() => setRenaming(false)} />
      ) : (
        <Link
          href={viewPath(view)}
          className={`${shapes.rowS3} ${shapes.pressInk} ${shapes.soft} ${shellStyles.navItem} ${shapes.fill} ${styles.link}`}
          aria-current={current ? 'page' : undefined}
        >
          <span className={`${shapes.middle} ${shellStyles.navIcon}`}>
            <Bookmark size={14} aria-hidden="true" />
          </span>
          <span className={`${shapes.words} ${shapes.fill} ${shellStyles.navWords}`}>{view.name}</span>
          {view.is_shared && (
            <span className={styles.shared} title={t('views.isShared')}>
              <Users size={12} aria-hidden="true" />
              <span className="only-spoken">{t('views.isShared')}</span>
            </span>
          )}
        </Link>
      )}
      <ViewMenu view={view} mine={mine} onRename={() => setRenaming(true)} />
    </li>
  );
}

function ViewMenu({ view, mine, onRename }: { view: SavedViewRow; mine: boolean; onRename: () => void }) {
  const userId = useUserId();
  const act = useAct();
  const projectId = view.project_id ?? '';
  const role = useQuery(roleIn, projectId, userId);
  const first = useQuery(defaultViewsOf, projectId, userId);
  const choose = (whose: string | null, is: boolean): void =>
    void act(chooseFirstView, projectId, whose, is ? null : view.id);
  const [subscribing, setSubscribing] = useState(false);
  const items: MenuItem[] = [
    ...(mine
      ? [
          { id: 'rename', label: t('common.rename'), icon: <Pencil size={15} />, onPick: onRename },
          ...(projectId === '' || mayWrite(role)
            ? [
                {
                  id: 'share',
                  label: view.is_shared ? t('views.unshare') : t('views.share'),
                  icon: <Users size={15} />,
                  onPick: () => void act(editView, view.id, { is_shared: !view.is_shared }),
                },
              ]
            : []),
        ]
      : []),
    {
      id: 'link',
      label: t('common.copyLink'),
      icon: <Link2 size={15} />,
      onPick: () => void copyText(`${window.location.origin}/app/views/${view.id}`).then(showCopied),
    },
    {
      id: 'subscribe',
      label: t('projects.subscribe'),
      icon: <Rss size={15} />,
      onPick: () => setSubscribing(true),
    },
    ...(projectId === ''
      ? []
      : [
          {
            id: 'first',
            label: t(first.mine === view.id ? 'views.notFirst' : 'views.first'),
            icon: <Star size={15} />,
            apart: true,
            onPick: () => choose(userId, first.mine === view.id),
          },
        ]),
    ...(role === 'owner' && view.is_shared
      ? [
          {
            id: 'first-all',
            label: t(first.all === view.id ? 'views.notFirstForAll' : 'views.firstForAll'),
            icon: <Star size={15} />,
            onPick: () => choose(null, first.all === view.id),
          },
        ]
      : []),
    ...(mine || role === 'owner'
      ? [
          {
            id: 'delete',
            label: t('common.delete'),
            icon: <Trash2 size={15} />,
            danger: true,
            apart: true,
            onPick: () => void act(deleteView, view.id),
          },
        ]
      : []),
  ];
  const label = t('views.menu', { name: view.name });
  return (
    <>
      <Menu
        label={label}
        trigger={
          <button
            type="button"
            className={`${shapes.middle} ${shapes.pressInk} ${shapes.soft} ${styles.dots}`}
            aria-label={label}
            title={label}
          >
            <Ellipsis size={15} />
          </button>
        }
        items={items}
      />
      {subscribing && <FeedDialog of="view" id={view.id} name={view.name} onClose={() => setSubscribing(false)} />}
    </>
  );
}

function NameField({ view, onDone }: { view: SavedViewRow; onDone: () => void }) {
  const act = useAct();
  const [begun] = useState(view.name);
  const [name, setName] = useState(begun);
  function finish(keep: boolean): void {
    const typed = name.trim();
    if (keep && typed !== '' && typed !== begun && typed !== view.name) void act(editView, view.id, { name: typed });
    onDone();
  }
  return (
    <input
      ref={(field) => field?.focus()}
      className={`${fieldStyles.input} ${styles.field}`}
      aria-label={t('views.name')}
      {...limitTo(200)}
      value={name}
      onChange={(event) => setName(event.target.value)}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(true);
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        finish(false);
      }}
    />
  );
}
