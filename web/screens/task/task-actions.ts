// Actions of a task, each said once: its words, icon and key, when it is offered and what it does. Keys, the palette, the menu of a task,
// the bar over it, the bar of a selection and the tools of a card show entries of this list.

import {
  Archive,
  ArchiveRestore,
  Ban,
  Bot,
  CalendarClock,
  CalendarDays,
  Check,
  Columns3,
  Copy,
  Ellipsis,
  Eye,
  EyeOff,
  FileStack,
  FolderInput,
  Hourglass,
  Link2,
  ListTree,
  Lock,
  LockOpen,
  MessageSquare,
  Repeat,
  RotateCcw,
  SignalHigh,
  Spline,
  SquareArrowOutUpRight,
  Tag,
  Trash2,
  UserCheck,
  UserPlus,
  UserRound,
  UsersRound,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { leaveTasks, openTask } from '../../actions/target.ts';
import {
  type Act,
  archiveTasks,
  assign,
  columnFor,
  completeTasks,
  deleteTasks,
  duplicateTask,
  duplicateTasks,
  newId,
  restrictTask,
  unarchiveTask,
  unassign,
  watchTask,
} from '../../commands.ts';
import { agentsIn } from '../../queries/agents/at-work.ts';
import {
  commonAssignees,
  countAffectedSubtasks,
  isWatching,
  type Reader,
  rightsOn,
  roleIn,
  type TaskRights,
  type TaskRow,
  useQuery,
  useUserId,
} from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { showCopied } from '../../ui/overlays/toaster.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import { useIsOperator } from '../access/use-explains-access.ts';
import { askForComment } from './comment-wish.ts';
import type { Picked } from './pickers.tsx';
import type { Relation } from './relations.ts';
import { addressBeside } from './use-peek.ts';

/** Tasks that something is done with, the first of them, and by whom. */
export interface MeantTasks {
  readonly taskIds: readonly string[];
  readonly task: TaskRow;
  /** What this person may do with all of them. */
  readonly writes: boolean;
  readonly edits: boolean;
  readonly comments: boolean;
  /** Its panel is what is meant, not a line of it. */
  readonly open: boolean;
  /** Of this server. */
  readonly operator: boolean;
  readonly store: Reader;
  readonly userId: string;
}

export type ActionIcon = ComponentType<{ readonly size: number }>;

/** Opens over its task: a picker of one property, a dialog, or the menu of all actions. */
export type Opened = Picked | Relation | 'access' | 'delegate' | 'menu' | 'project' | 'repeat' | 'share' | 'template';

/** By which an action does its work. */
export interface ActionContext {
  readonly act: Act;
  readonly path: string;
  readonly go: (path: string) => void;
  readonly show: (what: Opened) => void;
}

interface TaskAction {
  readonly id: `task-${string}`;
  readonly keys?: string;
  /** Without tasks as the list of keys says it. */
  readonly label: (of?: MeantTasks) => string;
  readonly icon: (of?: MeantTasks) => ActionIcon;
  /** For those who write in the project. */
  readonly changes?: boolean;
  /** Also for guests who may edit the task. */
  readonly edits?: boolean;
  /** Not for those who may not comment. */
  readonly comments?: boolean;
  /** Of a single task. */
  readonly single?: boolean;
  readonly offered?: (of: MeantTasks) => boolean;
  /** Left out of menus and the palette: it leads to them. */
  readonly leads?: boolean;
  readonly danger?: boolean;
  readonly run: (of: MeantTasks, by: ActionContext) => void;
}

const isArchived = (of: MeantTasks | undefined): boolean => typeof of?.task.archived_at === 'string';
const isWatched = (of: MeantTasks): boolean => isWatching.read(of.store, of.task.id, of.userId);

/** All of them. */
const isDone = ({ store, taskIds }: MeantTasks): boolean =>
  taskIds.every((id) => (store.get('tasks', id)?.completed_at ?? null) !== null);

/** A picker over the task. */
function picks(
  what: Picked | Relation | 'repeat',
  keys: string,
  icon: ActionIcon,
  by: 'changes' | 'edits' = 'edits',
): TaskAction {
  return {
    id: `task-${what}`,
    keys,
    label: () => t(`task.keys.${what}`),
    icon: () => icon,
    [by]: true,
    run: (_, { show }) => show(what),
  };
}

export const taskActions: readonly TaskAction[] = [
  {
    id: 'task-open',
    label: () => t('common.openIt'),
    icon: () => SquareArrowOutUpRight,
    single: true,
    offered: ({ open }) => !open,
    run: ({ store, task }, { path, go }) => go(addressBeside(store, path, task.id) ?? path),
  },
  {
    id: 'task-link',
    keys: 'mod+shift+c',
    label: () => t('common.copyLink'),
    icon: () => Link2,
    single: true,
    run: ({ task }) => void copyText(location.origin + paths.task(task.project_id, addressOf(task))).then(showCopied),
  },
  {
    id: 'task-share',
    label: () => t('task.share'),
    icon: () => UserPlus,
    single: true,
    offered: ({ store, task, userId }) => roleIn.read(store, task.project_id, userId) === 'owner',
    run: (_, { show }) => show('share'),
  },
  {
    id: 'task-watch',
    keys: 'w',
    label: (of) => (of && isWatched(of) ? t('common.inbox.stop') : t('common.inbox.watch')),
    icon: (of) => (of && isWatched(of) ? EyeOff : Eye),
    single: true,
    run: (of, { act }) => void act(watchTask, of.task, of.userId, !isWatched(of)),
  },
  {
    id: 'task-access',
    label: () => t('common.canSee'),
    icon: () => UsersRound,
    single: true,
    offered: ({ store, task, userId, operator }) => operator || roleIn.read(store, task.project_id, userId) === 'owner',
    run: (_, { show }) => show('access'),
  },
  {
    id: 'task-complete',
    keys: 'v',
    label: (of) => (of && isDone(of) ? t('task.reopen') : t('task.complete')),
    icon: (of) => (of && isDone(of) ? RotateCcw : Check),
    edits: true,
    offered: (of) => columnFor(of.store, of.task, !isDone(of)) !== undefined,
    run(of, { act }) {
      const done = !isDone(of);
      const column = columnFor(of.store, of.task, done);
      if (column !== undefined) void act(completeTasks, of.taskIds, column.id);
    },
  },
  picks('column', 's', Columns3),
  picks('assignee', 'a', UserRound, 'changes'),
  picks('priority', 'p', SignalHigh),
  picks('label', 'l', Tag),
  picks('due_date', 'd', CalendarDays),
  picks('start_date', 'shift+s', CalendarClock),
  picks('estimate', 'shift+e', Hourglass),
  picks('repeat', 'shift+r', Repeat, 'changes'),
  picks('blocked_by', 'shift+b', Ban, 'changes'),
  picks('blocks', 'shift+x', Spline, 'changes'),
  picks('parent', 'shift+u', ListTree, 'changes'),
  {
    id: 'task-me',
    keys: 'm',
    label: () => t('task.keys.me'),
    icon: () => UserCheck,
    changes: true,
    run({ store, taskIds, userId }, { act }) {
      const mine = commonAssignees.read(store, taskIds.join()).includes(userId);
      void act(mine ? unassign : assign, taskIds, userId);
    },
  },
  {
    id: 'task-delegate',
    label: () => t('task.delegate'),
    icon: () => Bot,
    comments: true,
    single: true,
    offered: ({ store, task }) => agentsIn.read(store, task.project_id).length > 0,
    run: (_, { show }) => show('delegate'),
  },
  {
    id: 'task-comment',
    keys: 'r',
    label: () => t('task.comment'),
    icon: () => MessageSquare,
    comments: true,
    single: true,
    run({ store, task }, { path, go }) {
      askForComment(task.id, () => go(addressBeside(store, path, task.id) ?? path));
    },
  },
  {
    id: 'task-project',
    keys: 'shift+p',
    label: () => t('task.keys.project'),
    icon: () => FolderInput,
    changes: true,
    run: (_, { show }) => show('project'),
  },
  {
    id: 'task-duplicate',
    keys: 'shift+y',
    label: () => t('common.duplicate'),
    icon: () => Copy,
    changes: true,
    run({ task, taskIds }, { act }) {
      if (taskIds.length > 1) return void act(duplicateTasks, taskIds);
      const id = newId();
      void act(duplicateTask, task.id, id);
      // In the place of the first, where that is open.
      if (openTask()?.taskId === task.id) openTask()?.show(id);
    },
  },
  {
    id: 'task-template',
    label: () => t('task.saveAsTemplate'),
    icon: () => FileStack,
    changes: true,
    single: true,
    run: (_, { show }) => show('template'),
  },
  {
    id: 'task-restrict',
    label: (of) => t(of?.task.is_restricted ? 'task.unrestrict' : 'task.restrict'),
    icon: (of) => (of?.task.is_restricted ? LockOpen : Lock),
    changes: true,
    single: true,
    // What is under another task is restricted with it.
    offered: ({ task }) => (task.parent_id ?? null) === null,
    run: ({ task, userId }, { act }) => void act(restrictTask, task.id, userId, task.is_restricted !== true),
  },
  {
    id: 'task-archive',
    keys: 'e',
    label(of) {
      if (isArchived(of)) return t('common.restore');
      const along = of ? countAffectedSubtasks.read(of.store, of.taskIds, 'archived') : 0;
      return along > 0 ? t('task.archiveWith', { n: along }) : t('task.archive');
    },
    icon: (of) => (isArchived(of) ? ArchiveRestore : Archive),
    changes: true,
    run(of, { act }) {
      if (isArchived(of)) void act(unarchiveTask, of.task.id);
      else {
        leaveTasks(of.taskIds);
        void act(archiveTasks, of.taskIds);
      }
    },
  },
  {
    id: 'task-delete',
    keys: 'mod+backspace',
    label(of) {
      const along = of ? countAffectedSubtasks.read(of.store, of.taskIds, 'deleted') : 0;
      return along > 0 ? t('task.removeWith', { n: along }) : t('common.delete');
    },
    icon: () => Trash2,
    changes: true,
    danger: true,
    run({ taskIds }, { act }) {
      leaveTasks(taskIds);
      void act(deleteTasks, taskIds);
    },
  },
  {
    id: 'task-menu',
    keys: '.',
    label: () => t('task.keys.menu'),
    icon: () => Ellipsis,
    leads: true,
    run: (_, { show }) => show('menu'),
  },
];

/** `open`: their panel is what is meant. Undefined: they are not known here. */
export function meantTasks(
  store: Reader,
  userId: string,
  taskIds: readonly string[],
  open: boolean,
  operator = false,
): MeantTasks | undefined {
  const task = store.get('tasks', taskIds[0] ?? '');
  if (task === undefined) return undefined;
  const rights = taskIds.map((id) => rightsOn.read(store, id, userId));
  const all = (right: keyof TaskRights): boolean => rights.every((one) => one[right]);
  const may = { writes: all('writes'), edits: all('edits'), comments: all('comments') };
  return { taskIds, task, ...may, open, operator, store, userId };
}

/** Whether these may do it. */
export const allows = (of: TaskRights, { changes, edits, comments }: TaskAction): boolean =>
  (!changes || of.writes) && (!edits || of.edits) && (!comments || of.comments);

export function isFor(action: TaskAction, of: MeantTasks): boolean {
  return allows(of, action) && (!action.single || of.taskIds.length === 1) && (action.offered?.(of) ?? true);
}

/** An action as it stands in a menu. */
export interface TaskOffer {
  readonly id: string;
  readonly label: string;
  readonly icon: ActionIcon;
  readonly danger: boolean;
}

/** What can be done with these tasks, with words that say what goes along. */
export function offersOf(of: MeantTasks): TaskOffer[] {
  return taskActions
    .filter((action) => !action.leads && isFor(action, of))
    .map(({ id, label, icon, danger = false }) => ({ id, label: label(of), icon: icon(of), danger }));
}

const taskOffers = {
  read(
    store: Reader,
    userId: string,
    taskIds: readonly string[],
    open: boolean,
    operator: boolean,
  ): readonly TaskOffer[] {
    const of = meantTasks(store, userId, taskIds, open, operator);
    return of === undefined ? [] : offersOf(of);
  },
} as const;

export const useTaskOffers = (taskIds: readonly string[], open = false): readonly TaskOffer[] =>
  useQuery(taskOffers, useUserId(), taskIds, open, useIsOperator());
