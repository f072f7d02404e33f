// Filter bar of a board or a list: typed words, and conditions as chips (filter/filter-chips.tsx, fetched when there are any).

import { ListFilter, TextSearch, X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { memo, useEffect, useRef, useState } from 'react';
import { partsOf } from '../../../contract/views.ts';
import { useActions } from '../../actions/registry.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { useDraft, useSaveOnLeaving } from '../../ui/fields/draft.ts';
import fieldStyles from '../../ui/fields/field.module.css';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { Notice, Skeleton } from '../../ui/list-states.tsx';
import { HoldKeys } from '../../ui/overlays/buffered-keys.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import { BarPlace } from './bar-room.tsx';
import { putTyped, typedAt, typedIn } from './filter/edit-filter.ts';
import styles from './filter-bar.module.css';
import { FilterSlot } from './filter-slot.tsx';
import type { ViewHandle } from './view-handle.ts';

const ViewSaving = lazyComponent(() => import('../views/view-saving.tsx'), ['views']);
const FilterChips = lazyComponent(() => import('./filter/filter-chips.tsx'), ['views']);

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
  const { filter } = handle.view;
  const text = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [adding, setAdding] = useState(false);
  const narrow = useNarrow();
  const chips = partsOf(filter).length > (typedAt(filter) < 0 ? 0 : 1);
  useActions([
    {
      id: 'filter',
      label: t('board.filters.add'),
      group: 'project',
      keys: 'f',
      icon: <ListFilter size={16} />,
      effect: () => setAdding(true),
    },
    {
      id: 'filter-text',
      label: t('board.filters.text'),
      group: 'project',
      keys: 'shift+f',
      icon: <TextSearch size={16} />,
      effect: () => text.current?.focus(),
    },
  ]);
  return (
    <FilterSlot count={partsOf(filter).length}>
      <FilterText handle={handle} field={text} />
      <button
        ref={button}
        type="button"
        className={`${shapes.inlineS3} ${shapes.pressInk} ${shapes.soft} ${styles.filterPick}`}
        aria-haspopup="dialog"
        aria-expanded={adding}
        onClick={() => setAdding(true)}
        onPointerEnter={FilterChips.fetch}
        onFocus={FilterChips.fetch}
      >
        <ListFilter size={15} aria-hidden="true" />
        {t('board.filters.add')}
      </button>
      {(chips || adding) && (
        <FilterChips
          projectId={projectId}
          filter={filter}
          onChange={(next) => handle.set({ filter: next })}
          adding={adding}
          button={button}
          onAdded={() => setAdding(false)}
          meanwhile={adding && <HoldKeys />}
        />
      )}
      {handle.active && (
        <>
          <Button look="quiet" icon={<X size={14} />} onClick={handle.clear}>
            {t('board.filters.clear')}
          </Button>
          <span className={`${shapes.quiet} ${shapes.rigid} numbers`} role="status">
            {t('common.numberOf', { n: shown, all: total })}
          </span>
        </>
      )}
      {(handle.saved !== null || handle.changed || handle.state === 'missing') && (
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
      className={`${shapes.flowS3} ${shapes.onScreen} ${styles.filters} ${styles.filtersWaiting}`}
      aria-hidden="true"
    >
      {[12, 5].map((width) => (
        <Skeleton key={width} width={`${width}rem`} height="var(--control)" />
      ))}
    </div>
  );
}

/** Typing is answered at once; the board follows when the fingers rest. */
function FilterText({ handle, field }: { handle: ViewHandle; field: RefObject<HTMLInputElement | null> }) {
  const stored = typedIn(handle.view.filter);
  const draft = useDraft(stored);
  const latest = useLatest(handle);
  const { text, dirty, settle } = draft;
  const apply = (): void => {
    const { current: now } = latest;
    now.set({ filter: putTyped(now.view.filter, text) });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the timer is for the text alone
  useEffect(() => {
    if (!dirty) return;
    const timer = setTimeout(() => {
      apply();
      settle();
    }, 140);
    return () => clearTimeout(timer);
  }, [text, dirty]);
  // A sheet that closes at once takes the field with it.
  useSaveOnLeaving(() => dirty && apply());
  return (
    <input
      ref={field}
      className={`${fieldStyles.input} ${styles.filterText}`}
      type="search"
      aria-label={t('board.filters.text')}
      placeholder={t('board.filters.textPlaceholder')}
      value={text}
      onChange={(event) => draft.set(event.target.value)}
    />
  );
}
