// The saved views at the side: those across projects, and on a phone those of the project that is open. Put into order by drag and keys, and
// each with a menu.

import { Bookmark } from 'lucide-react';
import { useSearchParams } from 'wouter';
import { editView, positionAt, useAct } from '../commands.ts';
import { listedViewsOf, useQuery, useUserId } from '../queries.ts';
import { viewOfPath } from '../routes.ts';
import { SharedMark, useOpenViews } from '../screens/views/view-menu.tsx';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { SortableLines } from '../ui/lists/sortable.tsx';
import { NavViewLine } from './nav-view-line.tsx';
import styles from './nav-views.module.css';
import shellStyles from './shell.module.css';
import { useFirstViews } from './use-first-views.tsx';

/** `projectId` is empty for views across projects; they have a head of their own where there are any. */
export default function NavViews({ projectId, location }: { projectId: string; location: string }) {
  const userId = useUserId();
  const views = useQuery(listedViewsOf, projectId);
  const act = useAct();
  const [params] = useSearchParams();
  useOpenViews(views, projectId === '' ? 'general' : 'project');
  const opened = projectId === '' ? viewOfPath(location) : params.get('view');
  const { shown, list, more } = useFirstViews(views, opened);
  return (
    <>
      {projectId === '' && (
        <div className={`${shapes.row} ${shellStyles.navHead}`}>
          <h2>{t('views.across')}</h2>
        </div>
      )}
      <SortableLines
        lines={shown.map(({ id, name }) => ({ id, name }))}
        onMove={(id, index) => void act(editView, id, { position: positionAt(views, id, index) })}
      >
        <ul
          ref={list}
          tabIndex={-1}
          className={`${shapes.unringed} ${shellStyles.navList} ${projectId === '' ? '' : styles.under}`}
          aria-label={projectId === '' ? t('views.across') : t('views.ofProject')}
        >
          {shown.map((view) => (
            <NavViewLine
              key={view.id}
              view={view}
              icon={<Bookmark size={14} aria-hidden="true" />}
              fixed={view.owner_id !== userId}
              current={opened === view.id}
            >
              {view.is_shared && <SharedMark className={styles.shared} />}
            </NavViewLine>
          ))}
        </ul>
      </SortableLines>
      {more}
    </>
  );
}
