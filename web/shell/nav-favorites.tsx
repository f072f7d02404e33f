// Favorites in the sidebar: saved views of any project and across projects, each with the number of tasks it finds, in an order of one's own.

import { useSearchParams } from 'wouter';
import { moveFavorite, useAct } from '../commands.ts';
import { useViewCount } from '../queries/views/view-count.ts';
import { favoriteViews, projectOf, type SavedViewRow, useQuery, useUserId } from '../queries.ts';
import { viewOfPath } from '../routes.ts';
import { LayoutIcon } from '../screens/views/layout-icon.tsx';
import { useOpenViews } from '../screens/views/view-menu.tsx';
import { sayNumber, t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { SortableLines } from '../ui/lists/sortable.tsx';
import { useHiddenEnds } from '../ui/lists/use-hidden-ends.ts';
import { NavViewLine } from './nav-view-line.tsx';
import styles from './nav-views.module.css';
import shellStyles from './shell.module.css';
import { useFirstViews } from './use-first-views.tsx';

export default function NavFavorites({ location }: { location: string }) {
  const userId = useUserId();
  const views = useQuery(favoriteViews);
  const act = useAct();
  const [params] = useSearchParams();
  useOpenViews(views, 'general');
  const opened = viewOfPath(location) ?? params.get('view');
  const { shown, list, more } = useFirstViews(views, opened);
  useHiddenEnds(list);
  return (
    <>
      <div className={`${shapes.row} ${shellStyles.navHead}`}>
        <h2>{t('views.favorites')}</h2>
      </div>
      <SortableLines
        lines={shown.map(({ id, name }) => ({ id, name }))}
        onMove={(id, index) => void act(moveFavorite, userId, id, index)}
      >
        <ul
          ref={list}
          tabIndex={-1}
          className={`${shapes.unringed} ${shellStyles.navList} ${shapes.rigid} ${styles.favorites}`}
          aria-label={t('views.favorites')}
        >
          {shown.map((view) => (
            <Favorite
              key={view.id}
              view={view}
              current={opened === view.id}
              isNamesake={views.some(({ id, name }) => id !== view.id && name === view.name)}
            />
          ))}
        </ul>
      </SortableLines>
      {more}
    </>
  );
}

/** `isNamesake`: another has the same name. */
function Favorite({ view, current, isNamesake }: { view: SavedViewRow; current: boolean; isNamesake: boolean }) {
  const n = useViewCount(view);
  const project = useQuery(projectOf, view.project_id ?? '')?.name ?? t('views.whereAll');
  return (
    <NavViewLine
      view={view}
      icon={<LayoutIcon of={view} size={14} />}
      fixed={false}
      current={current}
      title={`${view.name} · ${project}`}
    >
      {isNamesake && <span className={`${shapes.words} ${styles.project}`}>{project}</span>}
      <span className={`${shapes.quietXs} ${shapes.rigid} ${shapes.plain} ${styles.count} numbers`} aria-hidden="true">
        {n === null ? '' : sayNumber(n)}
      </span>
      {n !== null && <span className="only-spoken">{t('common.tasks', { n })}</span>}
    </NavViewLine>
  );
}
