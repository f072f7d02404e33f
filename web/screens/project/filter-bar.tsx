// Narrowing what a board or a list shows.

import { ListFilter, X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { memo, useEffect, useRef } from 'react';
import { useActions } from '../../actions/registry.tsx';
import marksStyles from '../../pieces/marks.module.css';
import { PriorityMark } from '../../pieces/marks.tsx';
import { type DueFilter, labelsOf, membersOf, type Priority, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { useDraft } from '../../ui/draft.ts';
import fieldStyles from '../../ui/field.module.css';
import { Picker, type PickerItem } from '../../ui/picker.tsx';
import { Skeleton } from '../../ui/state.tsx';
import { useLatest } from '../../ui/use-latest.ts';
import { DensityButton } from './density.tsx';
import styles from './filter-bar.module.css';
import type { FilterHandle } from './task-filter.ts';

const priorities: readonly Priority[] = ['p0', 'p1', 'p2'];
const dues: readonly DueFilter[] = ['overdue', 'today', 'week', 'none'];

export const FilterBar = memo(function FilterBar({
  projectId,
  handle,
  shown,
  total,
  children,
}: {
  projectId: string;
  handle: FilterHandle;
  shown: number;
  total: number;
  children?: ReactNode;
}) {
  const { filter } = handle;
  const members = useQuery(membersOf, projectId);
  const labels = useQuery(labelsOf, projectId);
  const text = useRef<HTMLInputElement>(null);
  useActions([
    {
      id: 'filter',
      label: t('board.filters.text'),
      group: 'project',
      keys: 'f',
      icon: <ListFilter size={16} />,
      effect: () => text.current?.focus(),
    },
  ]);
  return (
    <search className={styles.filters} aria-label={t('board.filters.label')}>
      <FilterText handle={handle} field={text} />
      <FilterPick
        label={t('board.filters.assignee')}
        chosen={filter.assignees}
        onChoose={(assignees) => handle.set({ assignees })}
        items={[
          { id: '', label: t('board.filters.nobody') },
          ...members.map((member) => ({
            id: member.userId,
            label: member.name,
            icon: <Avatar name={member.name} url={member.avatarUrl} seed={member.userId} size={20} />,
          })),
        ]}
      />
      {labels.length > 0 && (
        <FilterPick
          label={t('board.filters.labelOf')}
          chosen={filter.labels}
          onChoose={(chosen) => handle.set({ labels: chosen })}
          items={labels.map((label) => ({
            id: label.id,
            label: label.name,
            icon: <span className={marksStyles.labelDot} style={{ background: label.color ?? 'var(--edge)' }} />,
          }))}
        />
      )}
      <FilterPick
        label={t('board.filters.priority')}
        chosen={filter.priorities}
        onChoose={(chosen) => handle.set({ priorities: chosen as Priority[] })}
        items={priorities.map((priority) => ({
          id: priority,
          label: t(`common.priorities.${priority}`),
          icon: <PriorityMark priority={priority} />,
        }))}
      />
      <FilterPick
        label={t('board.filters.due')}
        chosen={filter.due ? [filter.due] : undefined}
        onChoose={(chosen) => handle.set({ due: chosen.at(-1) as DueFilter | undefined })}
        items={dues.map((due) => ({ id: due, label: t(`board.filters.dues.${due}`) }))}
      />
      {handle.active && (
        <>
          <Button look="quiet" icon={<X size={14} />} onClick={handle.clear}>
            {t('board.filters.clear')}
          </Button>
          <span className={`${styles.filterCount} numbers`} role="status">
            {t('board.filters.showing', { n: shown, all: total })}
          </span>
        </>
      )}
      <div className={styles.filtersMore}>
        {children}
        <DensityButton />
      </div>
    </search>
  );
});

/** Its place, until there is something to filter. */
export function FilterBarSkeleton() {
  return (
    <div className={styles.filters} aria-hidden="true">
      {[12, 5, 4, 4.5, 3.25].map((width) => (
        <Skeleton key={width} width={`${width}rem`} height="var(--control)" />
      ))}
    </div>
  );
}

function FilterPick({
  label,
  items,
  chosen = [],
  onChoose,
}: {
  label: string;
  items: readonly PickerItem[];
  chosen?: readonly string[] | undefined;
  onChoose: (ids: string[]) => void;
}) {
  const names = items.filter((item) => chosen.includes(item.id)).map((item) => item.label);
  return (
    <Picker
      label={label}
      several
      items={items.map((item) => ({ ...item, id: item.id || 'nobody', chosen: chosen.includes(item.id) }))}
      onPick={(picked) => {
        const id = picked === 'nobody' ? '' : picked;
        onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
      }}
      trigger={
        <button type="button" className={`${styles.filterPick} ${names.length > 0 ? styles.filterOn : ''}`}>
          {label}
          {names.length > 0 && (
            <span className={styles.filterWhat}>{names.length === 1 ? names[0] : names.length}</span>
          )}
        </button>
      }
    />
  );
}

/** Typing is answered at once; the board follows when the fingers rest. */
function FilterText({ handle, field }: { handle: FilterHandle; field: RefObject<HTMLInputElement | null> }) {
  const stored = handle.filter.text ?? '';
  const draft = useDraft(stored);
  const latest = useLatest(handle);
  const { text, dirty, settle } = draft;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the timer is for the text alone
  useEffect(() => {
    if (!dirty) return;
    const timer = setTimeout(() => {
      latest.current.set({ text });
      settle();
    }, 140);
    return () => clearTimeout(timer);
  }, [text, dirty]);
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
