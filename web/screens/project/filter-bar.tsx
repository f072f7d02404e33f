// Narrowing what a board or a list shows.

import { ListFilter, X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { memo, useEffect, useRef } from 'react';
import { useActions } from '../../actions/registry.tsx';
import { PriorityMark } from '../../pieces/marks.tsx';
import type { DueFilter } from '../../queries.ts';
import { labelsOf, membersOf, useQuery } from '../../queries.ts';
import { words } from '../../strings/words.ts';
import type { Priority } from '../../sync/rows.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { useDraft } from '../../ui/draft.ts';
import { Picker, type PickerItem } from '../../ui/picker.tsx';
import { Skeleton } from '../../ui/state.tsx';
import type { FilterHandle } from './task-filter.ts';
import './filter-bar.css';

const say = words.board.filters;
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
      label: say.text,
      group: 'project',
      keys: 'f',
      icon: <ListFilter size={16} />,
      effect: () => text.current?.focus(),
    },
  ]);
  return (
    <search className="filters" aria-label={say.label}>
      <FilterText handle={handle} field={text} />
      <FilterPick
        label={say.assignee}
        chosen={filter.assignees}
        onChoose={(assignees) => handle.set({ assignees })}
        items={[
          { id: '', label: say.nobody },
          ...members.map((member) => ({
            id: member.userId,
            label: member.name,
            icon: <Avatar name={member.name} url={member.avatarUrl} seed={member.userId} size={20} />,
          })),
        ]}
      />
      {labels.length > 0 && (
        <FilterPick
          label={say.labelOf}
          chosen={filter.labels}
          onChoose={(chosen) => handle.set({ labels: chosen })}
          items={labels.map((label) => ({
            id: label.id,
            label: label.name,
            icon: <span className="label-dot" style={{ background: label.color ?? 'var(--edge)' }} />,
          }))}
        />
      )}
      <FilterPick
        label={say.priority}
        chosen={filter.priorities}
        onChoose={(chosen) => handle.set({ priorities: chosen as Priority[] })}
        items={priorities.map((priority) => ({
          id: priority,
          label: words.common.priorities[priority],
          icon: <PriorityMark priority={priority} />,
        }))}
      />
      <FilterPick
        label={say.due}
        chosen={filter.due ? [filter.due] : undefined}
        onChoose={(chosen) => handle.set({ due: chosen.at(-1) as DueFilter | undefined })}
        items={dues.map((due) => ({ id: due, label: say.dues[due] }))}
      />
      {handle.active && (
        <>
          <Button look="quiet" icon={<X size={14} />} onClick={handle.clear}>
            {say.clear}
          </Button>
          <span className="filter-count numbers" role="status">
            {say.showing(shown, total)}
          </span>
        </>
      )}
      {children && <div className="filters-more">{children}</div>}
    </search>
  );
});

/** Its place, until there is something to filter. */
export function FilterBarSkeleton() {
  return (
    <div className="filters" aria-hidden="true">
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
        <button type="button" className={`filter-pick ${names.length > 0 ? 'filter-on' : ''}`}>
          {label}
          {names.length > 0 && <span className="filter-what">{names.length === 1 ? names[0] : names.length}</span>}
        </button>
      }
    />
  );
}

/** Typing is answered at once; the board follows when the fingers rest. */
function FilterText({ handle, field }: { handle: FilterHandle; field: RefObject<HTMLInputElement | null> }) {
  const stored = handle.filter.text ?? '';
  const draft = useDraft(stored);
  const latest = useRef(handle);
  latest.current = handle;
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
      className="input filter-text"
      type="search"
      aria-label={say.text}
      placeholder={say.textPlaceholder}
      value={text}
      onChange={(event) => draft.set(event.target.value)}
    />
  );
}
