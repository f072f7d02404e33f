// Frame of every layout across projects: the view's name, the number of tasks found, filters, errors and limits.

import type { ReactNode } from 'react';
import type { Found } from '../../queries/tasks/found-tasks.ts';
import type { SourceState } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { ScreenTitle } from '../../ui/top-bar-slot.tsx';
import { usePhone } from '../../ui/use-narrow.ts';
import { FailedScope } from '../project/failed-scope.tsx';
import { FilterBar } from '../project/filter-bar.tsx';
import type { ViewHandle } from '../project/view-handle.ts';
import styles from './across-frame.module.css';

const ViewSaving = lazyComponent(() => import('./view-saving.tsx'), ['views']);

interface AcrossFrameProps {
  readonly handle: ViewHandle;
  /** Null: there is no answer yet. Without ids all of them are meant. */
  readonly found: (Pick<Found, 'total'> & Partial<Found>) | null;
  readonly state: SourceState;
  /** Where one chooses the layout. */
  readonly layouts: ReactNode;
  /** Opens the display of the view. */
  readonly choices?: ReactNode;
  readonly children: ReactNode;
}

export function AcrossFrame({ handle, found, state, layouts, choices, children }: AcrossFrameProps) {
  const total = found?.total ?? 0;
  const shown = found?.ids?.length ?? total;
  // On a phone it is among the filters.
  const phone = usePhone();
  return (
    <>
      <header className={`${shapes.row} ${shapes.rigid} ${styles.head}`}>
        <ScreenTitle>{handle.saved?.name}</ScreenTitle>
        {found && <p className={`${shapes.quiet} ${shapes.rigid} numbers`}>{t('common.tasks', { n: total })}</p>}
        {!phone && handle.changed && <ViewSaving projectId="" handle={handle} />}
        <div className={styles.layouts}>{layouts}</div>
      </header>
      <FilterBar projectId="" handle={handle} shown={shown} total={total}>
        {choices}
      </FilterBar>
      <FailedScope state={state} />
      {total > shown && <Notice tone="warn">{t('views.tooMany', { n: shown, all: total })}</Notice>}
      {found ? children : state.phase !== 'failed' && <Loading whole label={t('common.loading')} />}
    </>
  );
}
