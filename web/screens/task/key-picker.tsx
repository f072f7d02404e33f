// Picker that a key opens over its task: for one property, or the menu of all actions.

import { Archive, Eye, EyeOff, Link2, SquareArrowOutUpRight, Trash2 } from 'lucide-react';

import { useLocation } from 'wouter';
import type { Action } from '../../actions/registry.tsx';
import { archiveTasks, deleteTasks, useAct, watchTask } from '../../commands.ts';
import { isWatching, useQuery, useReader, useScope, useUserId } from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { Picker } from '../../ui/fields/picker.tsx';
import { later } from '../../ui/later.tsx';
import { showCopied } from '../../ui/overlays/toaster.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import { DuePicker } from './due-picker.tsx';
import { useEndWords } from './going-along.ts';
import { type KeyTarget, withTarget } from './key-target.ts';
import { AssigneePicker, ColumnPicker, LabelPicker, PriorityPicker } from './pickers.tsx';
import { addressBeside } from './use-peek.ts';

const pickers = {
  column: ColumnPicker,
  assignee: AssigneePicker,
  priority: PriorityPicker,
  label: LabelPicker,
  due: DuePicker,
};

export type Picked = keyof typeof pickers;
export type Opened = Picked | 'menu' | 'project' | 'template';

const SaveTemplate = later(() => import('../templates/save-dialog.tsx'), ['starters']);
const CarryDialog = later(() => import('./carry-dialog.tsx'), ['carry']);

export interface Target extends KeyTarget {
  readonly projectId: string;
  /** Else this person may only look. */
  readonly writes: boolean;
}

interface KeyPickerProps extends Target {
  readonly what: Opened;
  /** What the menu offers beside what only it knows. */
  readonly changes: readonly Action[];
  readonly onClosed: () => void;
}

export default function KeyPicker({ what, changes, onClosed, ...target }: KeyPickerProps) {
  const { projectId } = target;
  // Met outside its project, people and labels are not known yet; who watches it comes with the task.
  useScope(
    what === 'menu' ? { kind: 'task', projectId, taskId: target.taskIds[0] ?? '' } : { kind: 'project', projectId },
  );
  if (what === 'menu') return <TaskMenu target={target} changes={changes} onClosed={onClosed} />;
  if (what === 'template') return <KeepTask target={target} onClosed={onClosed} />;
  if (what === 'project') return <CarryDialog taskIds={target.taskIds} onClosed={onClosed} />;
  const TaskPicker = pickers[what];
  return <TaskPicker {...target} trigger={target} label={t(`task.keys.${what}`)} startOpen onClosed={onClosed} />;
}

function KeepTask({ target: { taskIds, projectId }, onClosed }: { target: Target; onClosed: () => void }) {
  const store = useReader();
  const [taskId = ''] = taskIds;
  const name = store.get('tasks', taskId)?.title ?? '';
  return <SaveTemplate kind="task" of={taskId} projectId={projectId} name={name} onClose={onClosed} />;
}

/** All that can be done, found by typing; who may only look is offered what looking is. */
function TaskMenu({ target, changes, onClosed }: { target: Target; changes: readonly Action[]; onClosed: () => void }) {
  const store = useReader();
  const act = useAct();
  const [path, go] = useLocation();
  const userId = useUserId();
  const [first = ''] = target.taskIds;
  const watching = useQuery(isWatching, first, userId);
  const isOne = target.taskIds.length === 1;
  const endWords = useEndWords(target.taskIds);

  async function copyLink(): Promise<void> {
    const task = store.get('tasks', first);
    if (task) showCopied(await copyText(location.origin + paths.task(task.project_id, addressOf(task))));
  }
  const openIt: Action = {
    id: 'open',
    label: t('board.keys.open'),
    group: 'task',
    icon: <SquareArrowOutUpRight size={16} />,
    effect: () => go(addressBeside(store, path, first) ?? path),
  };
  const link: Action = {
    id: 'link',
    label: t('common.copyLink'),
    group: 'task',
    icon: <Link2 size={16} />,
    effect: () => void copyLink(),
  };
  const watch: Action = {
    id: 'watch',
    label: watching ? t('common.inbox.stop') : t('common.inbox.watch'),
    group: 'task',
    icon: watching ? <EyeOff size={16} /> : <Eye size={16} />,
    effect: () => void act(watchTask, { id: first, project_id: target.projectId }, userId, !watching),
  };
  const writing = (): readonly Action[] => [
    // A template is of one task.
    ...changes.filter(({ id }) => isOne || id !== 'task-keep'),
    {
      id: 'archive',
      label: endWords.archive,
      group: 'task',
      icon: <Archive size={16} />,
      effect: () => void act(archiveTasks, target.taskIds),
    },
    {
      id: 'delete',
      label: endWords.remove,
      group: 'task',
      icon: <Trash2 size={16} />,
      effect: () => void act(deleteTasks, target.taskIds),
    },
  ];
  const isOpen = target.back !== undefined;
  const menu: readonly Action[] = [
    ...(isOne && !isOpen ? [openIt] : []),
    ...(isOne ? [link, watch] : []),
    ...(target.writes ? writing() : []),
  ];
  return (
    <Picker
      trigger={target}
      label={t('task.keys.menu')}
      items={menu}
      startOpen
      bare
      onClosed={onClosed}
      onPick={(id) => {
        // The focus is back where it was first.
        setTimeout(() => withTarget(target, () => menu.find((one) => one.id === id)?.effect()));
      }}
    />
  );
}
