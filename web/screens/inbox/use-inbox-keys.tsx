// Keys of the inbox: j and k go along it, e is done, r comments, u read or unread, h snoozes, x selects. They apply to the selection, or else to the
// current entry.

import { AlarmClock, ArrowDown, ArrowUp, Check, MailOpen, MessageSquare, SquareCheck } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useActions } from '../../actions/registry.tsx';
import { openTask } from '../../actions/target.ts';
import { markDone, markRead, snooze, useAct } from '../../commands.ts';
import { type InboxGroup, mayComment, rightsOn, useReader, useUserId } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import { askForComment } from '../task/comment-wish.ts';
import { placeOf } from './entry-row.tsx';

const none: ReadonlySet<string> = new Set();

interface Given {
  readonly groups: readonly InboxGroup[];
  readonly opened: InboxGroup | undefined;
  readonly list: RefObject<HTMLUListElement | null>;
}

const idsOf = (some: readonly InboxGroup[]) => some.flatMap((group) => group.entries.map((entry) => entry.id));

export function useInboxKeys({ groups, opened, list }: Given) {
  const act = useAct();
  const [, go] = useLocation();
  const search = useSearch();
  const [chosen, setChosen] = useState(none);
  const [focused, setFocused] = useState('');
  const [snoozing, setSnoozing] = useState<{ readonly id: string; readonly times: number } | null>(null);
  /** The entry that was ticked last, by its id: what comes in above it does not move it. */
  const ticked = useRef('');
  /** Gets the focus as soon as it is drawn. */
  const nextFocus = useRef<string | null>(null);
  const selected = groups.filter((group) => chosen.has(group.id));
  const at = groups.findIndex((group) => group.id === (opened?.id ?? focused));
  const current = groups[at] ?? (opened ? undefined : groups[0]);
  const meant = selected.length > 0 ? selected : current ? [current] : [];

  useEffect(() => {
    if (nextFocus.current === null) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(nextFocus.current)}"] [data-way]`);
    nextFocus.current = null;
    row?.focus();
  });

  /** With a task open its neighbour opens, else it gets the focus. */
  function goTo(group: InboxGroup | undefined): void {
    if (group === undefined) {
      if (opened) go(paths.inbox + (search && `?${search}`));
      return;
    }
    setFocused(group.id);
    const place = placeOf(group);
    if (opened && place?.startsWith(paths.inbox)) go(place + (search && `?${search}`));
    else nextFocus.current = group.id;
  }

  /** Takes them out of sight: what follows the last of them comes next. */
  function leave(gone: readonly InboxGroup[]): void {
    const last = groups.findLastIndex((group) => gone.includes(group));
    const left = (group: InboxGroup): boolean => !gone.includes(group);
    if (current && gone.includes(current))
      goTo(groups.slice(last + 1).find(left) ?? groups.slice(0, last).findLast(left));
    setChosen(none);
  }

  function finish(some: readonly InboxGroup[]): void {
    if (some.length === 0) return;
    leave(some);
    void act(markDone, idsOf(some));
  }

  function putOff(some: readonly InboxGroup[], until: string): void {
    leave(some);
    void act(snooze, idsOf(some), until);
  }

  function read(): void {
    void act(
      markRead,
      idsOf(meant),
      meant.some((group) => group.unread),
    );
    setChosen(none);
  }

  /** `range`: all from the one that was ticked last to this one. */
  function select(group: InboxGroup, range = false): void {
    const next = new Set(chosen);
    const from = range ? groups.findIndex((one) => one.id === ticked.current) : -1;
    const to = groups.findIndex((one) => one.id === group.id);
    if (from < 0 || to < 0) {
      ticked.current = group.id;
      if (!next.delete(group.id)) next.add(group.id);
    } else for (const one of groups.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(one.id);
    setChosen(next);
  }

  function askUntil(group: InboxGroup): void {
    setSnoozing({ id: group.id, times: (snoozing?.times ?? 0) + 1 });
  }

  const comment = useComment(groups, current);
  const step = (by: 1 | -1) => {
    // Nothing is current yet: the first one.
    if (!opened && focused === '') goTo(groups[0]);
    else if (groups[at + by]) goTo(groups[at + by]);
  };

  useInboxActions({
    next: () => step(1),
    previous: () => step(-1),
    done: () => finish(meant),
    comment,
    read,
    readsUnread: meant.some((group) => group.unread),
    snooze: () => current && askUntil(current),
    select: () => current && select(current),
  });

  return {
    selected,
    current: current?.id ?? '',
    snoozing,
    select,
    focus: (group: InboxGroup) => setFocused(group.id),
    selectAll: (all: boolean) => setChosen(all ? new Set(groups.map((group) => group.id)) : none),
    done: () => finish(meant),
    read,
    finish,
    putOff,
    askUntil,
  };
}

/** Comments on the open task, or else on that of the current entry, which opens. */
function useComment(groups: readonly InboxGroup[], current: InboxGroup | undefined): () => void {
  const store = useReader();
  const userId = useUserId();
  const [, go] = useLocation();
  const search = useSearch();
  return () => {
    const taskId = openTask()?.taskId ?? current?.taskId;
    const group = groups.find((one) => one.taskId === taskId);
    const projectId = store.get('tasks', taskId ?? '')?.project_id ?? group?.projectId;
    if (!taskId || !projectId) return;
    // A task that was not opened yet is not known here.
    const comments = mayComment.read(store, projectId, userId) || rightsOn.read(store, taskId, userId).comments;
    if (!comments) showMessage(t('task.keys.readOnly'));
    else askForComment(taskId, () => group && go((placeOf(group) ?? paths.inbox) + (search && `?${search}`)));
  };
}

interface InboxEffects
  extends Readonly<Record<'next' | 'previous' | 'done' | 'comment' | 'read' | 'snooze' | 'select', () => void>> {
  /** Else it makes them unread again. */
  readonly readsUnread: boolean;
}

function useInboxActions(can: InboxEffects): void {
  useActions([
    {
      id: 'inbox-next',
      label: t('inbox.next'),
      group: 'general',
      keys: 'j',
      icon: <ArrowDown size={16} />,
      effect: can.next,
    },
    {
      id: 'inbox-previous',
      label: t('inbox.previous'),
      group: 'general',
      keys: 'k',
      icon: <ArrowUp size={16} />,
      effect: can.previous,
    },
    {
      id: 'inbox-done',
      label: t('inbox.done'),
      group: 'general',
      keys: 'e',
      icon: <Check size={16} />,
      effect: can.done,
    },
    {
      // In place of the one that would lead to the project.
      id: 'task-comment',
      label: t('task.comment'),
      group: 'general',
      keys: 'r',
      icon: <MessageSquare size={16} />,
      hidden: true,
      effect: can.comment,
    },
    {
      id: 'inbox-read',
      label: can.readsUnread ? t('inbox.read') : t('inbox.unreadAgain'),
      group: 'general',
      keys: 'u',
      icon: <MailOpen size={16} />,
      effect: can.read,
    },
    {
      id: 'inbox-snooze',
      label: t('inbox.snooze'),
      group: 'general',
      keys: 'h',
      icon: <AlarmClock size={16} />,
      effect: can.snooze,
    },
    {
      id: 'inbox-select',
      label: t('inbox.tick'),
      group: 'general',
      keys: 'x',
      icon: <SquareCheck size={16} />,
      effect: can.select,
    },
  ]);
}
