// The bar over a task: what can be done with the task as a whole, by its buttons, its menu and their keys.

import {
  Archive,
  ArchiveRestore,
  ArrowLeft,
  ChevronDown,
  ChevronUp,
  Copy,
  Ellipsis,
  Eye,
  EyeOff,
  FileStack,
  FolderInput,
  Link2,
  Trash2,
  X,
} from 'lucide-react';
import { type Action, listedKeys, perform, useActions } from '../../actions/registry.tsx';
import { t } from '../../strings/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { usePhone } from '../../ui/use-narrow.ts';
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
  readonly onKeep: () => void;
  readonly onArchive: () => void;
  readonly onRemove: () => void;
  /** They say what is under it and goes along. */
  readonly removeWords: string;
  readonly archiveWords: string;
  readonly onClose: () => void;
}

export function TaskBar(bar: TaskBarProps) {
  useActions(actionsOf(bar));
  const phone = usePhone();
  const close = (
    <IconButton label={t('task.close')} onClick={bar.onClose}>
      {phone ? <ArrowLeft size={18} /> : <X size={16} />}
    </IconButton>
  );
  return (
    <header className={styles.taskBar}>
      {/* Where it has the whole screen, the way back is where one looks for it. */}
      {phone && close}
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
              id: 'template',
              label: t('task.keepAsTemplate'),
              icon: <FileStack size={16} />,
              onPick: bar.onKeep,
            },
            // Where the keys of a task are not, it is not either.
            ...(bar.foreignKeys
              ? []
              : [
                  {
                    id: 'project',
                    label: t('task.keys.project'),
                    icon: <FolderInput size={16} />,
                    keys: 'shift+p',
                    // The focus is back in the panel first: it says which task is meant.
                    onPick: () => setTimeout(() => perform('task-project')),
                  },
                ]),
            {
              id: 'archive',
              label: bar.archived ? t('task.unarchive') : bar.archiveWords,
              icon: bar.archived ? <ArchiveRestore size={16} /> : <Archive size={16} />,
              ...(bar.foreignKeys ? {} : { keys: 'e' }),
              onPick: bar.onArchive,
            },
            {
              id: 'delete',
              label: bar.removeWords,
              icon: <Trash2 size={16} />,
              keys: 'mod+backspace',
              danger: true,
              apart: true,
              onPick: bar.onRemove,
            },
          ]}
        />
      )}
      {!phone && close}
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
            id: 'task-template',
            label: t('task.keepAsTemplate'),
            group: 'task' as const,
            icon: <FileStack size={16} />,
            effect: bar.onKeep,
          },
          {
            id: 'task-archive',
            label: bar.archived ? t('task.unarchive') : bar.archiveWords,
            group: 'task' as const,
            ...(bar.foreignKeys ? {} : { keys: 'e' }),
            icon: bar.archived ? <ArchiveRestore size={16} /> : <Archive size={16} />,
            effect: bar.onArchive,
          },
          {
            id: 'task-delete',
            label: bar.removeWords,
            group: 'task' as const,
            keys: 'mod+backspace',
            icon: <Trash2 size={16} />,
            effect: bar.onRemove,
          },
          ...listedKeys('field', 'task', [
            ['mod+enter', t('task.saveWritten')],
            ['tab', t('plan.subtasks.indent')],
            ['shift+tab', t('plan.subtasks.outdent')],
            ['mod+shift+enter', t('plan.subtasks.convert')],
          ]),
        ]
      : []),
  ];
}
