// Keys that change a task wherever one meets it, on the board, in a list or in its panel, or all tasks that are selected.

import {
  CalendarDays,
  Columns3,
  Ellipsis,
  Eye,
  FileStack,
  FolderInput,
  SignalHigh,
  Tag,
  UserCheck,
  UserRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { isOffered } from '../../actions/keys.ts';
import { type Action, useActions } from '../../actions/registry.tsx';
import { assign, unassign, useAct } from '../../commands.ts';
import {
  commonAssignees,
  mayWrite,
  projectOf,
  roleIn,
  useQuery,
  useReader,
  useUserId,
  writableProjects,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { later } from '../../ui/later.tsx';
import { holdKeys } from '../../ui/overlays/held-keys.ts';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import type { Opened, Picked, Target } from './key-picker.tsx';
import { keyTarget } from './key-target.ts';
import { usePeek } from './use-peek.ts';

/** What a key opens is fetched when it is first pressed; what is typed meanwhile waits for it. */
const KeyPicker = later(() => import('./key-picker.tsx'));

const ways: readonly (readonly [what: Picked, keys: string, icon: ReactNode])[] = [
  ['column', 's', <Columns3 key="s" size={16} />],
  ['assignee', 'a', <UserRound key="a" size={16} />],
  ['priority', 'p', <SignalHigh key="p" size={16} />],
  ['label', 'l', <Tag key="l" size={16} />],
  ['due', 'd', <CalendarDays key="d" size={16} />],
];

/** What the key means, if this person may change it or `looks` alone; otherwise says why nothing happens. */
function useTarget(): (looks?: boolean) => Target | undefined {
  const store = useReader();
  const userId = useUserId();
  return (looks = false) => {
    const target = keyTarget();
    const projectId = store.get('tasks', target?.taskIds[0] ?? '')?.project_id;
    if (target === undefined || projectId === undefined) {
      showMessage(t('task.keys.noTask'));
      return undefined;
    }
    const isArchived = typeof projectOf.read(store, projectId)?.archived_at === 'string';
    const writes = !isArchived && mayWrite(roleIn.read(store, projectId, userId));
    if (!writes && !looks) {
      showMessage(t('task.keys.readOnly'));
      return undefined;
    }
    return { ...target, projectId, writes };
  };
}

/** `peeks`: there is a view here beside which a task can be shown. `projectId`: of the only project there is here. */
export function TaskKeys({ peeks = true, projectId }: { peeks?: boolean; projectId?: string }) {
  const [open, setOpen] = useState<(Target & { readonly what: Opened }) | null>(null);
  const store = useReader();
  const userId = useUserId();
  const act = useAct();
  const writable = useQuery(writableProjects, userId);
  const changes = projectId === undefined ? writable.length > 0 : writable.some(({ id }) => id === projectId);
  const target = useTarget();
  const peek = usePeek();

  const show = (what: Opened) => (): void => {
    const found = target(what === 'menu');
    if (found === undefined) return;
    holdKeys(isOffered);
    setOpen({ ...found, what });
  };
  function toggleMe(): void {
    const taskIds = target()?.taskIds;
    if (taskIds === undefined) return;
    const mine = commonAssignees.read(store, taskIds.join()).includes(userId);
    void act(mine ? unassign : assign, taskIds, userId);
  }
  const asked: Action[] = ways.map(([what, keys, icon]) => ({
    id: `task-${what}`,
    label: t(`task.keys.${what}`),
    group: 'task',
    keys,
    icon,
    effect: show(what),
  }));
  const me: Action = {
    id: 'task-me',
    label: t('task.keys.me'),
    group: 'task',
    keys: 'm',
    icon: <UserCheck size={16} />,
    effect: toggleMe,
  };
  const looking: Action = {
    id: 'task-peek',
    label: t('task.keys.peek'),
    group: 'task',
    keys: 'space',
    icon: <Eye size={16} />,
    hidden: true,
    effect: peek,
  };
  const carry: Action = {
    id: 'task-project',
    label: t('task.keys.project'),
    group: 'task',
    keys: 'shift+p',
    icon: <FolderInput size={16} />,
    effect: show('project'),
  };
  /** Only in the menu: the panel of a task has it among its own. */
  const keep: Action = {
    id: 'task-keep',
    label: t('task.keepAsTemplate'),
    group: 'task',
    icon: <FileStack size={16} />,
    effect: show('template'),
  };
  const writing = [...asked, me, carry];
  useActions([
    ...(changes ? writing : writing.map((action) => ({ ...action, refused: true }))),
    ...(peeks ? [looking] : []),
    {
      id: 'task-menu',
      label: t('task.keys.menu'),
      group: 'task',
      keys: '.',
      icon: <Ellipsis size={16} />,
      hidden: true,
      effect: show('menu'),
    },
  ]);

  if (open === null) return null;
  return <KeyPicker {...open} changes={[...writing, keep]} onClosed={() => setOpen(null)} />;
}
