// What stands over the rows: the menus for grouping and sorting, the column heads that sort, the heads of groups.

import { ArrowDownUp, ArrowDownWideNarrow, ArrowUpNarrowWide, ChevronDown, Rows3 } from 'lucide-react';
import type { CSSProperties } from 'react';
import { KindMark, PriorityMark } from '../../pieces/marks.tsx';
import { groupings, type Sorting, sortings, type TaskGroup } from '../../queries.ts';
import { words } from '../../strings/words.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { ListOptions } from './list-options.ts';

const say = words.list;

export function OptionMenus({ options }: { options: ListOptions }) {
  return (
    <>
      <Menu
        label={say.group}
        trigger={
          <Button look="quiet" icon={<Rows3 size={15} />}>
            {say.group}: {say.groups[options.grouping]}
          </Button>
        }
        items={groupings.map((grouping) => ({
          id: grouping,
          label: say.groups[grouping],
          checked: grouping === options.grouping,
          onPick: () => options.set({ grouping }),
        }))}
      />
      <Menu
        label={say.sort}
        trigger={
          <Button look="quiet" icon={<ArrowDownUp size={15} />}>
            {say.sort}: {say.sorts[options.sorting]}
          </Button>
        }
        items={[
          ...sortings.map((sorting) => ({
            id: sorting,
            label: say.sorts[sorting],
            checked: sorting === options.sorting,
            onPick: () => options.set({ sorting, backwards: false }),
          })),
          {
            id: 'backwards',
            label: say.backwards,
            checked: options.backwards,
            apart: true,
            onPick: () => options.set({ backwards: !options.backwards }),
          },
        ]}
      />
    </>
  );
}

/* biome-ignore-start lint/a11y/useSemanticElements: rows come and go while scrolling; a table element could not be laid out so */
/* biome-ignore-start lint/a11y/useFocusableInteractive: heads are not stops, the buttons in them are */

export function ColumnHeads({ options }: { options: ListOptions }) {
  return (
    <div role="row" className="row list-head" aria-rowindex={1}>
      <div role="columnheader" className="cell cell-check">
        <span className="only-spoken">{say.columns.select}</span>
      </div>
      <Head of="number" name={say.columns.key} className="cell-key" options={options} />
      <Head of="priority" name={say.columns.priority} bare className="cell-priority" options={options} />
      <Head of="title" name={say.columns.title} className="cell-title" options={options} />
      <div role="columnheader" className="cell cell-labels">
        {say.columns.labels}
      </div>
      <Head of="rank" name={say.columns.column} className="cell-column" options={options} />
      <div role="columnheader" className="cell cell-people">
        <span className="only-spoken">{say.columns.assignee}</span>
      </div>
      <Head of="due" name={say.columns.due} className="cell-due" options={options} />
    </div>
  );
}

function Head({
  of,
  name,
  bare = false,
  className,
  options,
}: {
  of: Sorting;
  name: string;
  bare?: boolean;
  className: string;
  options: ListOptions;
}) {
  const current = options.sorting === of;
  const Arrow = options.backwards ? ArrowUpNarrowWide : ArrowDownWideNarrow;
  return (
    <div
      role="columnheader"
      className={`cell ${className}`}
      aria-sort={current ? (options.backwards ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" className="head-button" title={say.sortBy(name)} onClick={() => options.sortBy(of)}>
        <span className={bare ? 'only-spoken' : ''}>{name}</span>
        {(current || bare) && <Arrow size={13} aria-hidden="true" className={current ? '' : 'cell-ghost'} />}
      </button>
    </div>
  );
}

export function GroupHead({
  group,
  grouping,
  index,
  start,
  open,
  onFold,
  canWrite,
  selected,
  onSelect,
}: {
  group: TaskGroup;
  grouping: ListOptions['grouping'];
  index: number;
  start: number;
  open: boolean;
  onFold: () => void;
  canWrite: boolean;
  selected: ReadonlySet<string>;
  onSelect: (ids: readonly string[], on: boolean) => void;
}) {
  const name = group.priority
    ? words.common.priorities[group.priority]
    : group.name || (grouping === 'label' ? say.noLabel : say.nobody);
  const ids = group.tasks.map((task) => task.id);
  const some = ids.filter((id) => selected.has(id)).length;
  const all = some > 0 && some === ids.length;
  return (
    <div
      role="row"
      className="group-head"
      style={{ '--start': `${start}px` } as CSSProperties}
      aria-rowindex={index + 2}
    >
      <div role="cell" className="cell cell-check">
        {canWrite && (
          <input
            type="checkbox"
            className="check"
            aria-label={say.selectGroup(name)}
            checked={all}
            ref={(box) => {
              if (box) box.indeterminate = some > 0 && !all;
            }}
            onChange={() => onSelect(ids, !all)}
          />
        )}
      </div>
      <div role="cell" className="cell" aria-colspan={7}>
        <button type="button" className="group-button" aria-expanded={open} data-group={index} onClick={onFold}>
          <ChevronDown size={14} aria-hidden="true" className={open ? '' : 'group-folded'} />
          {group.kind && <KindMark kind={group.kind} color={group.color ?? null} />}
          {group.priority && <PriorityMark priority={group.priority} />}
          {grouping === 'label' && group.id !== '' && (
            <span className="label-dot" style={{ background: group.color ?? 'var(--edge)' }} />
          )}
          <span className="group-name">{name}</span>
          <span className="group-count numbers">{group.tasks.length.toLocaleString()}</span>
        </button>
      </div>
    </div>
  );
}

/* biome-ignore-end lint/a11y/useFocusableInteractive: as above */
/* biome-ignore-end lint/a11y/useSemanticElements: as above */
