// The saved views at the side: those across projects, and on a phone those of the project that is open. Put into order by drag and keys, and
// each with a menu.

import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { editView, positionAt, useAct } from '../commands.ts';
import { type SavedViewRow, savedViewsOf, useQuery, useUserId } from '../queries.ts';
import { viewPath } from '../routes.ts';
import { SharedMark, useOpenViews, ViewMenu, ViewNameField } from '../screens/views/view-menu.tsx';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { SortableLines, useSortableLine } from '../ui/lists/sortable.tsx';
import styles from './nav-views.module.css';
import shellStyles from './shell.module.css';

/** `projectId` is empty for views across projects; they have a head of their own where there are any. */
export default function NavViews({ projectId, location }: { projectId: string; location: string }) {
  const userId = useUserId();
  const views = useQuery(savedViewsOf, projectId);
  const act = useAct();
  const [params] = useSearchParams();
  useOpenViews(views, projectId === '' ? 'general' : 'project');
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
        <ViewNameField view={view} className={styles.field} onDone={() => setRenaming(false)} />
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
          {view.is_shared && <SharedMark className={styles.shared} />}
        </Link>
      )}
      <ViewMenu view={view} className={styles.dots} onRename={() => setRenaming(true)} />
    </li>
  );
}
