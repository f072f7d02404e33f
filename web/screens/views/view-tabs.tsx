// Saved views of a project as tabs beside its layouts: put into order by drag and keys, each with a menu; those without room stand in another.

import { ChevronDown, Save } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import type { Layout } from '../../../contract/views.ts';
import { editView, positionAt, useAct } from '../../commands.ts';
import { type SavedViewRow, savedViewsOf, useQuery, useUserId } from '../../queries.ts';
import { viewPath } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { SortableLines, useSortableLine } from '../../ui/lists/sortable.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { useView } from '../project/view-handle.ts';
import { LayoutIcon } from './layout-icon.tsx';
import { useRoomFor } from './room-for-tabs.ts';
import { UnsavedMark } from './unsaved-mark.tsx';
import { useViewSaving, type ViewSaving } from './use-view-saving.tsx';
import { SharedMark, useOpenViews, ViewMenu, ViewNameField } from './view-menu.tsx';
import styles from './view-tabs.module.css';

interface ViewTabsProps {
  readonly projectId: string;
  /** Of the page; null: it has no tasks to look at. */
  readonly layout: Layout | null;
  /** Of each tab of the row. */
  readonly className: string | undefined;
}

export default function ViewTabs({ projectId, layout, className }: ViewTabsProps) {
  const views = useQuery(savedViewsOf, projectId);
  const act = useAct();
  const [, go] = useLocation();
  const [params] = useSearchParams();
  const opened = params.get('view') ?? '';
  useOpenViews(views, 'project');
  const handle = useView(layout ?? 'board');
  const saving = useViewSaving(projectId, handle, layout !== null && handle.saved?.project_id === projectId);
  const ids = views.map(({ id }) => id);
  const { room, ahead, hidden } = useRoomFor(ids, opened);
  const rest = views.filter(({ id }) => hidden.includes(id));
  const more = t('views.more', { n: rest.length });
  return (
    <div ref={room} className={`${shapes.row} ${styles.room}`}>
      <SortableLines
        across
        lines={views.map(({ id, name }) => ({ id, name }))}
        onMove={(id, index) => void act(editView, id, { position: positionAt(views, id, index) })}
      >
        <ul className={`${shapes.slim} ${shapes.flex} ${styles.tabs}`} aria-label={t('views.ofProject')}>
          {views.map((view) => (
            <ViewTab
              key={view.id}
              view={view}
              current={view.id === opened}
              ahead={view.id === ahead}
              hidden={hidden.includes(view.id)}
              saving={view.id === opened && saving.changed ? saving : null}
              className={className}
            />
          ))}
        </ul>
      </SortableLines>
      {rest.length > 0 && (
        <Menu
          label={more}
          trigger={
            <button type="button" className={`${shapes.inlineS2} ${shapes.press} ${shapes.value} ${styles.more}`}>
              {more}
              <ChevronDown size={14} aria-hidden="true" />
            </button>
          }
          items={rest.map((view) => ({
            id: view.id,
            label: view.name,
            icon: <LayoutIcon of={view} />,
            onPick: () => go(viewPath(view)),
          }))}
        />
      )}
      {saving.dialog}
    </div>
  );
}

interface ViewTabProps {
  readonly view: SavedViewRow;
  readonly current: boolean;
  /** It stands first, having no room where it belongs. */
  readonly ahead: boolean;
  /** It has no room. */
  readonly hidden: boolean;
  /** Null: it is as it was saved. */
  readonly saving: ViewSaving | null;
  readonly className: string | undefined;
}

function ViewTab({ view, current, ahead, hidden, saving, className }: ViewTabProps) {
  const mine = view.owner_id === useUserId();
  const [renaming, setRenaming] = useState(false);
  const link = useRef<HTMLAnchorElement>(null);
  const { line, moving, grip } = useSortableLine(view.id, !mine, true);
  return (
    <li
      {...line}
      className={`${shapes.holder} ${shapes.row} ${shapes.rigid} ${shapes.tall} ${styles.tab} ${moving ? styles.moving : ''}`}
      data-ahead={ahead || undefined}
      data-current={current || undefined}
      data-unsaved={saving === null ? undefined : saving.save ? 'mine' : 'theirs'}
      data-view-tab={view.id}
      inert={hidden}
    >
      {mine && !renaming && <span className={styles.grip}>{grip(t('common.moveNamed', { name: view.name }))}</span>}
      {renaming ? (
        <ViewNameField view={view} className={styles.field} onDone={() => setRenaming(false)} />
      ) : (
        <Link
          ref={link}
          href={viewPath(view)}
          className={`${shapes.inlineS3} ${className} ${styles.link}`}
          aria-current={current ? 'page' : undefined}
          title={view.name}
        >
          <LayoutIcon of={view} />
          <span className={shapes.words}>{view.name}</span>
          {view.is_shared && <SharedMark className={styles.shared} />}
        </Link>
      )}
      {saving && !renaming && <UnsavedMark className={styles.mark} />}
      {saving?.save && !renaming && (
        <button
          type="button"
          className={`${shapes.middle} ${shapes.pressInk} ${styles.save}`}
          aria-label={t('common.save')}
          title={t('common.save')}
          onClick={() => {
            // It goes away, and the focus with it.
            link.current?.focus();
            saving.save?.();
          }}
        >
          <Save size={14} />
        </button>
      )}
      <ViewMenu view={view} className={styles.dots} saving={saving} onRename={() => setRenaming(true)} />
    </li>
  );
}
