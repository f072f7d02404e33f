// Saved view's menu and the field for its name, in its tab and in the sidebar.

import {
  Bookmark,
  BookmarkPlus,
  Ellipsis,
  Globe,
  Link2,
  Pencil,
  Pin,
  RotateCcw,
  Rss,
  Save,
  Trash2,
  Users,
} from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useActions } from '../../actions/registry.tsx';
import { chooseFirstView, deleteView, editView, useAct } from '../../commands.ts';
import { defaultViewsOf, mayWrite, roleIn, type SavedViewRow, useQuery, useUserId } from '../../queries.ts';
import { viewPath } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import fieldStyles from '../../ui/fields/field.module.css';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { lazyOverlay } from '../../ui/overlays/lazy-overlay.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { showCopied } from '../../ui/overlays/toaster.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import { useFavor } from './use-favor.tsx';
import type { ViewSaving } from './use-view-saving.tsx';

const ShareDialog = lazyOverlay(() => import('../shared/share-dialog.tsx'), ['shared', 'people']);
const FeedDialog = lazyOverlay(() => import('../project/feed-dialog.tsx'), ['people']);

/** Each is opened by its name from the palette. */
export function useOpenViews(views: readonly SavedViewRow[], group: 'general' | 'project'): void {
  const [, go] = useLocation();
  useActions(
    views.map((view) => ({
      id: `view-${view.id}`,
      label: t('views.open', { name: view.name }),
      group,
      icon: <Bookmark size={16} />,
      effect: () => go(viewPath(view)),
    })),
  );
}

export function SharedMark({ className }: { className: string | undefined }) {
  return (
    <span className={className} title={t('views.isShared')}>
      <Users size={12} aria-hidden="true" />
      <span className="only-spoken">{t('views.isShared')}</span>
    </span>
  );
}

interface ViewMenuProps {
  readonly view: SavedViewRow;
  readonly className: string | undefined;
  /** What to do with its changes, where it has some. */
  readonly saving?: ViewSaving | null;
  readonly onRename: () => void;
}

export function ViewMenu({ view, className, saving = null, onRename }: ViewMenuProps) {
  const [open, setOpen] = useState<'feed' | 'share' | null>(null);
  const own = useViewItems(view, onRename, setOpen);
  const items =
    saving === null
      ? own
      : [...savingItems(saving), ...own.map((one, at) => (at === 0 ? { ...one, apart: true } : one))];
  const label = t('views.menu', { name: view.name });
  return (
    <>
      <Menu
        label={label}
        trigger={
          <button
            type="button"
            className={`${shapes.middle} ${shapes.pressInk} ${shapes.soft} ${className}`}
            aria-label={label}
            title={label}
          >
            <Ellipsis size={15} />
          </button>
        }
        items={items}
      />
      {open === 'feed' && <FeedDialog of="view" id={view.id} name={view.name} onClose={() => setOpen(null)} />}
      {open === 'share' && view.project_id !== null && (
        <ShareDialog
          projectId={view.project_id}
          taskId={null}
          viewId={view.id}
          name={view.name}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

function savingItems({ save, saveNew, drop }: ViewSaving): readonly MenuItem[] {
  return [
    ...(save ? [{ id: 'save', label: t('common.save'), icon: <Save size={15} />, onPick: save }] : []),
    { id: 'save-new', label: t('views.saveNew'), icon: <BookmarkPlus size={15} />, onPick: saveNew },
    { id: 'drop', label: t('views.drop'), icon: <RotateCcw size={15} />, onPick: drop },
  ];
}

function useViewItems(
  view: SavedViewRow,
  onRename: () => void,
  onOpen: (dialog: 'feed' | 'share') => void,
): readonly MenuItem[] {
  const userId = useUserId();
  const act = useAct();
  const mine = view.owner_id === userId;
  const projectId = view.project_id ?? '';
  const role = useQuery(roleIn, projectId, userId);
  const first = useQuery(defaultViewsOf, projectId, userId);
  const favor = useFavor(view.id);
  const choose = (whose: string | null, is: boolean): void =>
    void act(chooseFirstView, projectId, whose, is ? null : view.id);
  const some = (is: boolean, item: MenuItem): MenuItem[] => (is ? [item] : []);
  return [
    { id: 'favor', label: favor.label, icon: <favor.Icon size={15} />, onPick: favor.does },
    ...some(mine, { id: 'rename', label: t('common.rename'), icon: <Pencil size={15} />, onPick: onRename }),
    ...some(mine && (projectId === '' || mayWrite(role)), {
      id: 'share',
      label: view.is_shared ? t('views.unshare') : t('views.share'),
      icon: <Users size={15} />,
      onPick: () => void act(editView, view.id, { is_shared: !view.is_shared }),
    }),
    {
      id: 'link',
      label: t('common.copyLink'),
      icon: <Link2 size={15} />,
      onPick: () => void copyText(`${window.location.origin}/app/views/${view.id}`).then(showCopied),
    },
    { id: 'subscribe', label: t('projects.subscribe'), icon: <Rss size={15} />, onPick: () => onOpen('feed') },
    ...some(role === 'owner' && projectId !== '', {
      id: 'public',
      label: t('common.publicLink'),
      icon: <Globe size={15} />,
      onPick: () => onOpen('share'),
    }),
    ...some(projectId !== '', {
      id: 'first',
      label: t(first.mine === view.id ? 'views.notFirst' : 'views.first'),
      icon: <Pin size={15} />,
      apart: true,
      onPick: () => choose(userId, first.mine === view.id),
    }),
    ...some(role === 'owner' && view.is_shared, {
      id: 'first-all',
      label: t(first.all === view.id ? 'views.notFirstForAll' : 'views.firstForAll'),
      icon: <Pin size={15} />,
      onPick: () => choose(null, first.all === view.id),
    }),
    ...some(mine || role === 'owner', {
      id: 'delete',
      label: t('common.delete'),
      icon: <Trash2 size={15} />,
      danger: true,
      apart: true,
      onPick: () => void act(deleteView, view.id),
    }),
  ];
}

interface ViewNameFieldProps {
  readonly view: SavedViewRow;
  readonly className: string | undefined;
  readonly onDone: () => void;
}

export function ViewNameField({ view, className, onDone }: ViewNameFieldProps) {
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
      className={`${fieldStyles.input} ${className}`}
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
