// Actions for all selected tasks at once: one command, one undo.

import { Archive, CalendarDays, Columns3, FolderInput, SignalHigh, Tag, Trash2, UserRound, X } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { perform, useActions } from '../../actions/registry.tsx';
import { archiveTasks, deleteTasks, useAct } from '../../commands.ts';
import { t } from '../../strings/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useLatest } from '../../ui/use-latest.ts';
import { DuePicker } from '../task/due-picker.tsx';
import { useEndWords } from '../task/going-along.ts';
import { AssigneePicker, ColumnPicker, LabelPicker, PriorityPicker } from '../task/pickers.tsx';
import styles from './bulk-bar.module.css';

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
  const act = useAct();
  const endWords = useEndWords(taskIds);
  const archive = (): void => {
    void act(archiveTasks, taskIds);
    onClear();
  };
  const remove = (): void => {
    void act(deleteTasks, taskIds);
    onClear();
  };
  useActions([
    {
      id: 'archive-selected',
      label: t('list.bulk.archiveSelected'),
      group: 'task',
      icon: <Archive size={16} />,
      effect: archive,
    },
    {
      id: 'delete-selected',
      label: t('list.bulk.removeSelected'),
      group: 'task',
      icon: <Trash2 size={16} />,
      effect: remove,
    },
    {
      id: 'clear-selection',
      label: t('list.clearSelection'),
      group: 'task',
      keys: 'escape',
      icon: <X size={16} />,
      effect: onClear,
    },
  ]);
  const bar = useRef<HTMLDivElement>(null);
  const left = useLatest(() => {
    const last = taskIds.at(-1);
    if (last !== undefined && bar.current?.contains(document.activeElement)) onLeft?.(last);
  });
  useLayoutEffect(() => () => left.current(), [left]);
  const shared = { projectId, taskIds };
  return (
    <div ref={bar} className={styles.bulk} role="toolbar" data-bulk-bar tabIndex={-1} aria-label={t('list.bulk.label')}>
      <span className={`${styles.count} numbers`} role="status">
        {t('list.selected', { n: taskIds.length })}
      </span>
      <ColumnPicker
        {...shared}
        label={t('list.bulk.move')}
        trigger={<BulkButton icon={<Columns3 size={15} />} label={t('list.bulk.move')} />}
      />
      <PriorityPicker
        {...shared}
        label={t('list.bulk.priority')}
        trigger={<BulkButton icon={<SignalHigh size={15} />} label={t('list.bulk.priority')} />}
      />
      <AssigneePicker
        {...shared}
        label={t('list.bulk.assign')}
        trigger={<BulkButton icon={<UserRound size={15} />} label={t('list.bulk.assign')} />}
      />
      <LabelPicker
        {...shared}
        label={t('list.bulk.label_')}
        trigger={<BulkButton icon={<Tag size={15} />} label={t('list.bulk.label_')} />}
      />
      <DuePicker
        taskIds={taskIds}
        label={t('list.bulk.due')}
        trigger={<BulkButton icon={<CalendarDays size={15} />} label={t('list.bulk.due')} />}
      />
      <Button look="quiet" icon={<FolderInput size={15} />} onClick={() => perform('task-project')}>
        {t('list.bulk.project')}
      </Button>
      <Button look="quiet" icon={<Archive size={15} />} onClick={archive}>
        {endWords.archive}
      </Button>
      <Button look="quiet" className={styles.remove} icon={<Trash2 size={15} />} onClick={remove}>
        {endWords.remove}
      </Button>
      <IconButton label={t('list.clearSelection')} onClick={onClear}>
        <X size={16} />
      </IconButton>
    </div>
  );
}

/** Hands the popover's own properties on to the button. */
function BulkButton({ icon, label, ...rest }: { icon: ReactNode; label: string }) {
  return (
    <Button look="quiet" icon={icon} {...rest}>
      {label}
    </Button>
  );
}
