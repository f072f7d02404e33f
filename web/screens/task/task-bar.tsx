// The bar over a task: steps to its neighbours, and what can be done with the task as a whole, by buttons, by a menu and by keys.

import { ArrowLeft, ChevronDown, ChevronUp, Ellipsis, X } from 'lucide-react';
import { keysOf, listedKeys, perform, useActions } from '../../actions/registry.tsx';
import { openTarget, withTarget } from '../../actions/target.ts';
import type { TaskRights } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { usePhone } from '../../ui/use-narrow.ts';
import { useTaskOffers } from './task-actions.ts';
import styles from './task-panel.module.css';

interface TaskBarProps {
  readonly taskId: string;
  readonly name: string;
  readonly rights: TaskRights;
  /** What it stands beside has keys of its own: those to step are left to it. */
  readonly foreignKeys: boolean;
  /** Undefined where there is no neighbour. */
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
  readonly onClose: () => void;
}

const buttons: readonly string[] = ['task-watch', 'task-link'];

export function TaskBar({ taskId, name, rights, foreignKeys, onPrevious, onNext, onClose }: TaskBarProps) {
  useActions([
    {
      id: 'task-next',
      label: t('task.next'),
      group: 'task',
      ...(foreignKeys ? {} : { keys: 'j' }),
      icon: <ChevronDown size={16} />,
      effect: () => onNext?.(),
    },
    {
      id: 'task-previous',
      label: t('task.previous'),
      group: 'task',
      ...(foreignKeys ? {} : { keys: 'k' }),
      icon: <ChevronUp size={16} />,
      effect: () => onPrevious?.(),
    },
    {
      id: 'task-close',
      label: t('task.close'),
      group: 'task',
      keys: 'escape',
      icon: <X size={16} />,
      effect: onClose,
    },
    ...(rights.comments ? listedKeys('field', 'task', [['mod+enter', t('task.saveWritten')]]) : []),
    ...(rights.writes
      ? listedKeys('field', 'task', [
          ['tab', t('plan.subtasks.indent')],
          ['shift+tab', t('plan.subtasks.outdent')],
          ['mod+shift+enter', t('plan.subtasks.convert')],
        ])
      : []),
  ]);
  const offers = useTaskOffers([taskId], true);
  const phone = usePhone();
  const close = (
    <IconButton label={t('task.close')} onClick={onClose}>
      {phone ? <ArrowLeft size={18} /> : <X size={16} />}
    </IconButton>
  );
  return (
    <header className={`${shapes.rowS2} ${shapes.rigid} ${shapes.ruledBelow} ${styles.taskBar}`}>
      {/* Where it has the whole screen, the way back is where one looks for it. */}
      {phone && close}
      <span className={`${shapes.quiet} ${styles.taskKey} numbers`}>{name}</span>
      <IconButton label={t('task.previous')} disabled={!onPrevious} onClick={onPrevious}>
        <ChevronUp size={16} />
      </IconButton>
      <IconButton label={t('task.next')} disabled={!onNext} onClick={onNext}>
        <ChevronDown size={16} />
      </IconButton>
      <span className={styles.taskBarRoom} />
      {offers
        .filter(({ id }) => buttons.includes(id))
        .map(({ id, label, icon: Icon }) => (
          <IconButton key={id} label={label} onClick={() => withTarget(openTarget(), () => perform(id))}>
            <Icon size={16} />
          </IconButton>
        ))}
      {rights.edits && offers.length > 0 && (
        <Menu
          label={t('common.more')}
          trigger={
            <IconButton label={t('common.more')}>
              <Ellipsis size={16} />
            </IconButton>
          }
          items={offers.map(({ id, label, icon: Icon, danger }) => ({
            id,
            label,
            icon: <Icon size={16} />,
            keys: keysOf(id),
            danger,
            apart: danger,
            // The focus is back in the panel first: what opens gives it back there.
            onPick: () => setTimeout(() => withTarget(openTarget(), () => perform(id))),
          }))}
        />
      )}
      {!phone && close}
    </header>
  );
}
