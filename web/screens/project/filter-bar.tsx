// Filter bar of a board or a list: the filter in one box, how much it leaves, the saved view, and what is chosen of the display.

import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { memo } from 'react';
import { partsOf } from '../../../contract/views.ts';
import { isGuest, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { Notice, Skeleton } from '../../ui/list-states.tsx';
import { useNarrow, usePhone } from '../../ui/use-narrow.ts';
import { BarPlace } from './bar-room.tsx';
import { FilterBox } from './filter/filter-box.tsx';
import styles from './filter-bar.module.css';
import { FilterSlot } from './filter-slot.tsx';
import type { ViewHandle } from './view-handle.ts';

const ViewSaving = lazyComponent(() => import('../views/view-saving.tsx'), ['views']);

interface FilterBarProps {
  readonly projectId: string;
  readonly handle: ViewHandle;
  /** How many tasks pass, of how many. */
  readonly shown: number;
  readonly total: number;
  /** What else is chosen here: the display, a new task. */
  readonly children?: ReactNode;
}

export const FilterBar = memo(function FilterBar(props: FilterBarProps) {
  const { projectId, handle, shown, total, children } = props;
  const narrow = useNarrow();
  const guest = useQuery(isGuest, projectId, useUserId());
  // Elsewhere its tab has what is done with changes; across projects the line of its name.
  const here = usePhone() || (projectId !== '' && handle.saved?.project_id !== projectId);
  return (
    <FilterSlot count={partsOf(handle.view.filter).length}>
      <FilterBox projectId={projectId} handle={handle} />
      {handle.active && (
        <>
          <Button look="quiet" shrinks icon={<X size={14} />} onClick={handle.clear}>
            {t('board.filters.clear')}
          </Button>
          <span className={`${shapes.quiet} ${shapes.rigid} numbers`} role="status">
            {t('common.numberOf', { n: shown, all: total })}
          </span>
        </>
      )}
      {here && !guest && (handle.saved !== null || handle.changed || handle.state === 'missing') && (
        <ViewSaving projectId={projectId} handle={handle} />
      )}
      {!narrow && <BarPlace />}
      <div className={`${shapes.tools} ${styles.filtersMore}`}>{children}</div>
      {handle.fault !== null && <Notice tone="warn">{t('board.filters.unread', { why: handle.fault })}</Notice>}
    </FilterSlot>
  );
});

/** Its place, until there is something to filter. */
export function FilterBarSkeleton() {
  return (
    <div
      className={`${shapes.flowS3} ${shapes.onScreen} ${shapes.holder} ${styles.filters} ${styles.filtersWaiting}`}
      aria-hidden="true"
    >
      <Skeleton width="20rem" height="var(--control)" />
    </div>
  );
}
