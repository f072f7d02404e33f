// The bar over a task: what can be done with the task as a whole, by its buttons, its menu and their keys.

import {
  Archive,
  ArchiveRestore,
  ChevronDown,
  ChevronUp,
  Copy,
  Ellipsis,
  Eye,
  EyeOff,
  Link2,
  Trash2,
  X,
} from 'lucide-react';
import { type Action, listedKeys, useActions } from '../../actions/registry.tsx';
import { t } from '../../strings/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import styles from './task-panel.module.css';

interface TaskBarProps {
  readonly name: string;
  readonly archived: boolean;
  readonly canWrite: boolean;
  readonly watching: boolean;
  /** What it stands beside has keys of its own: those to step and to archive are left to it. */
  readonly foreignKeys: boolean;
  /** Undefined where there is no neighbour. */
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
  readonly onWatch: () => void;
  readonly onCopyLink: () => void;
  readonly onDuplicate: () => void;
  readonly onArchive: () => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

export function TaskBar(bar: TaskBarProps) {
  useActions(actionsOf(bar));
  return (
    <header className={styles.taskBar}>
      <span className={`${styles.taskKey} numbers`}>{bar.name}</span>
      <IconButton label={t('task.previous')} disabled={!bar.onPrevious} onClick={bar.onPrevious}>
        <ChevronUp size={16} />
      </IconButton>
      <IconButton label={t('task.next')} disabled={!bar.onNext} onClick={bar.onNext}>
        <ChevronDown size={16} />
      </IconButton>
      <span className={styles.taskBarRoom} />
      <IconButton label={bar.watching ? t('common.inbox.stop') : t('common.inbox.watch')} onClick={bar.onWatch}>
        {bar.watching ? <Eye size={16} /> : <EyeOff size={16} />}
      </IconButton>
      <IconButton label={t('common.copyLink')} onClick={bar.onCopyLink}>
        <Link2 size={16} />
      </IconButton>
      {bar.canWrite && (
        <Menu
          label={t('common.more')}
          trigger={
            <IconButton label={t('common.more')}>
              <Ellipsis size={16} />
            </IconButton>
          }
          items={[
            {
              id: 'duplicate',
              label: t('task.duplicate'),
              icon: <Copy size={16} />,
              onPick: bar.onDuplicate,
            },
            {
              id: 'archive',
              label: bar.archived ? t('task.unarchive') : t('task.archive'),
              icon: bar.archived ? <ArchiveRestore size={16} /> : <Archive size={16} />,
              ...(bar.foreignKeys ? {} : { keys: 'e' }),
              onPick: bar.onArchive,
            },
            {
              id: 'delete',
              label: t('task.remove'),
              icon: <Trash2 size={16} />,
              keys: 'mod+backspace',
              danger: true,
              apart: true,
              onPick: bar.onRemove,
            },
          ]}
        />
      )}
      <IconButton label={t('task.close')} onClick={bar.onClose}>
        <X size={16} />
      </IconButton>
    </header>
  );
}

function actionsOf(bar: TaskBarProps): Action[] {
  return [
    {
      id: 'task-next',
      label: t('task.next'),
      group: 'task',
      ...(bar.foreignKeys ? {} : { keys: 'j' }),
      icon: <ChevronDown size={16} />,
      effect: () => bar.onNext?.(),
    },
    {
      id: 'task-previous',
      label: t('task.previous'),
      group: 'task',
      ...(bar.foreignKeys ? {} : { keys: 'k' }),
      icon: <ChevronUp size={16} />,
      effect: () => bar.onPrevious?.(),
    },
    {
      id: 'task-watch',
      label: bar.watching ? t('common.inbox.stop') : t('common.inbox.watch'),
      group: 'task',
      keys: 'w',
      icon: bar.watching ? <EyeOff size={16} /> : <Eye size={16} />,
      effect: bar.onWatch,
    },
    {
      id: 'task-link',
      label: t('common.copyLink'),
      group: 'task',
      keys: 'mod+shift+c',
      icon: <Link2 size={16} />,
      effect: bar.onCopyLink,
    },
    {
      id: 'task-close',
      label: t('task.close'),
      group: 'task',
      keys: 'escape',
      icon: <X size={16} />,
      effect: bar.onClose,
    },
    ...(bar.canWrite
      ? [
          {
            id: 'task-duplicate',
            label: t('task.duplicate'),
            group: 'task' as const,
            icon: <Copy size={16} />,
            effect: bar.onDuplicate,
          },
          {
            id: 'task-archive',
            label: bar.archived ? t('task.unarchive') : t('task.archive'),
            group: 'task' as const,
            ...(bar.foreignKeys ? {} : { keys: 'e' }),
            icon: bar.archived ? <ArchiveRestore size={16} /> : <Archive size={16} />,
            effect: bar.onArchive,
          },
          {
            id: 'task-delete',
            label: t('task.remove'),
            group: 'task' as const,
            keys: 'mod+backspace',
            icon: <Trash2 size={16} />,
            effect: bar.onRemove,
          },
          ...listedKeys('field', 'task', [['mod+enter', t('task.saveWritten')]]),
        ]
      : []),
  ];
}
