// Line of a saved view in the sidebar: put to another place by its grip, renamed in place, with its menu.

import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { SavedViewRow } from '../queries.ts';
import { viewPath } from '../routes.ts';
import { ViewMenu, ViewNameField } from '../screens/views/view-menu.tsx';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { useSortableLine } from '../ui/lists/sortable.tsx';
import styles from './nav-views.module.css';
import shellStyles from './shell.module.css';

interface NavViewLineProps {
  readonly view: SavedViewRow;
  readonly icon: ReactNode;
  readonly current: boolean;
  /** It stays in its place. */
  readonly fixed: boolean;
  readonly title?: string | undefined;
  /** Behind the name. */
  readonly children?: ReactNode;
}

export function NavViewLine({ view, icon, current, fixed, title, children }: NavViewLineProps) {
  const [renaming, setRenaming] = useState(false);
  const { line, moving, grip } = useSortableLine(view.id, fixed);
  return (
    <li {...line} className={`${shapes.row} ${shapes.holder} ${styles.line} ${moving ? styles.moving : ''}`}>
      {!fixed && <span className={styles.grip}>{grip(t('common.moveNamed', { name: view.name }))}</span>}
      {renaming ? (
        <ViewNameField view={view} className={styles.field} onDone={() => setRenaming(false)} />
      ) : (
        <Link
          href={viewPath(view)}
          className={`${shapes.rowS3} ${shapes.pressInk} ${shapes.soft} ${shellStyles.navItem} ${shapes.fill} ${styles.link}`}
          aria-current={current ? 'page' : undefined}
          title={title}
        >
          <span className={`${shapes.middle} ${shapes.rigid} ${shellStyles.navIcon}`}>{icon}</span>
          <span className={`${shapes.words} ${shapes.fill} ${shellStyles.navWords}`}>{view.name}</span>
          {children}
        </Link>
      )}
      <ViewMenu view={view} className={styles.dots} onRename={() => setRenaming(true)} />
    </li>
  );
}
