// Actions for all selected tasks at once: one command, one undo.

import { Ellipsis, X } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { perform, useActions } from '../../actions/registry.tsx';
import { useSelectedTasks } from '../../actions/target.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import { useLatest } from '../../ui/use-latest.ts';
import { isPicked, type Picked, TaskPicker } from '../task/pickers.tsx';
import { useTaskOffers } from '../task/task-actions.ts';
import styles from './bulk-bar.module.css';

interface Shown {
  /** The property or action. */
  readonly of: Picked | 'project' | 'duplicate' | 'archive' | 'delete';
  /** A shorter word than a menu has. */
  readonly label?: () => string;
}

const shown: readonly Shown[] = [
  { of: 'column', label: () => t('list.bulk.move') },
  { of: 'priority', label: () => t('property.priority') },
  { of: 'assignee', label: () => t('list.bulk.assign') },
  { of: 'label', label: () => t('property.label') },
  { of: 'due_date', label: () => t('property.due_date') },
  { of: 'project', label: () => t('property.project') },
  { of: 'duplicate' },
  { of: 'archive' },
  { of: 'delete' },
];

export function BulkBar({
  projectId,
  taskIds,
  onClear,
  onLeft,
}: {
  projectId: string;
  taskIds: readonly string[];
  onClear: () => void;
  /** It goes, and had the focus: `taskId` was ticked last. */
  onLeft?: (taskId: string) => void;
}) {
  const offers = useTaskOffers(taskIds);
  useActions([
    {
      id: 'clear-selection',
      label: t('common.clearSelection'),
      group: 'task',
      keys: 'escape',
      icon: <X size={16} />,
      effect: onClear,
    },
  ]);
  const bar = useRef<HTMLDivElement>(null);
  useSelectedTasks({ taskIds, bar, clear: onClear });
  const left = useLatest(() => {
    const last = taskIds.at(-1);
    if (last !== undefined && bar.current?.contains(document.activeElement)) onLeft?.(last);
  });
  useLayoutEffect(() => () => left.current(), [left]);
  return (
    <div
      ref={bar}
      className={`${shapes.row} ${shapes.outlined} ${shapes.roundL} ${shapes.over} ${styles.bulk}`}
      role="toolbar"
      data-bulk-bar
      tabIndex={-1}
      aria-label={t('list.bulk.label')}
    >
      <span className={`${shapes.strong} ${styles.count} numbers`} role="status">
        {t('common.selected', { n: taskIds.length })}
      </span>
      {shown.map(({ of, label: short }) => {
        const id = `task-${of}`;
        const offer = offers.find((one) => one.id === id);
        if (offer === undefined) return null;
        const { icon: Icon, danger } = offer;
        const label = short?.() ?? offer.label;
        const button = { look: 'quiet', icon: <Icon size={15} />, children: label } as const;
        if (isPicked(of))
          return <TaskPicker key={id} {...{ of, projectId, taskIds, label }} trigger={<Button {...button} />} />;
        return <Button key={id} {...button} className={danger ? styles.remove : ''} onClick={() => perform(id)} />;
      })}
      <IconButton label={t('common.more')} onClick={() => perform('task-menu')}>
        <Ellipsis size={16} />
      </IconButton>
      <IconButton label={t('common.clearSelection')} onClick={onClear}>
        <X size={16} />
      </IconButton>
    </div>
  );
}
