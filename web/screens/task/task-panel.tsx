// One task, beside the board or list it was opened from; its address can be sent to someone.

import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useOpenTask } from '../../actions/target.ts';
import { attachFiles } from '../../files/attach-files.ts';
import { useUploads } from '../../files/react.ts';
import { useRemember } from '../../queries/tasks/recent.ts';
import { scheduledTasksOf } from '../../queries/views/scheduled-tasks.ts';
import { timelineOf } from '../../queries/views/timeline.ts';
import {
  boardOf,
  cellsOf,
  groupedListOf,
  type ProjectRow,
  rightsOn,
  type TaskRow,
  taskAt,
  taskKey,
  useQuery,
  useSayPresence,
  useScope,
  useUserId,
} from '../../queries.ts';
import { addressOf, type ProjectView, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Loading, Notice, Skeleton } from '../../ui/list-states.tsx';
import { DropKeys } from '../../ui/overlays/buffered-keys.ts';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { FailedState } from '../project/failed-scope.tsx';
import { useView } from '../project/view-handle.ts';
import { useFileDrop } from './attachments/use-file-drop.ts';
import { endOtherWish } from './comment-wish.ts';
import { PanelEdge } from './panel-edge.tsx';
import { RedirectToMovedTask } from './redirect-to-moved-task.tsx';
import { TaskBar } from './task-bar.tsx';
import styles from './task-panel.module.css';
import { TaskSections } from './task-sections.tsx';
import { isPeeking } from './use-peek.ts';

/** Where it stands beside something else than a view of its project: how to go on from there. */
interface Beside {
  readonly back: string;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
}

interface TaskPanelProps {
  readonly project: ProjectRow;
  readonly address: string;
  readonly view: ProjectView;
  readonly beside?: Beside;
}

export default function TaskPanel({ project, address, view, beside }: TaskPanelProps) {
  const [, go] = useLocation();
  const search = useSearch();
  const task = useQuery(taskAt, project.id, address);
  const state = useScope({ kind: 'project', projectId: project.id });
  const panel = useRef<HTMLElement>(null);
  const shown = useLatest(task?.id ?? '');
  const back = (beside?.back ?? paths.project(project.id, view)) + (search && `?${search}`);
  /** Whose card gets the focus when this task leaves the board. */
  const nextFocus = useRef('');
  const close = (next?: TaskRow): void => {
    nextFocus.current = next?.id ?? '';
    go(back);
  };

  // Whoever opened it gets the focus back when it closes.
  useEffect(() => {
    const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    if (!isPeeking()) panel.current?.focus({ preventScroll: true });
    return () => {
      if (isPeeking()) return;
      // The card of the task that was looked at last, or else what was focused before.
      const id = nextFocus.current || shown.current;
      const card = document.querySelector<HTMLElement>(`[data-task-id="${CSS.escape(id)}"]`);
      const back = card ?? (opener?.isConnected && opener !== document.body ? opener : null);
      back?.focus({ preventScroll: true });
    };
  }, [shown]);

  const openId = task?.id;
  useEffect(() => {
    if (openId !== undefined) endOtherWish(openId);
  }, [openId]);

  // What was opened stays in sight beside it.
  useEffect(() => {
    if (openId === undefined || beside !== undefined) return;
    const card = document.querySelector(`[data-task-id="${CSS.escape(openId)}"]`);
    card?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [openId, beside]);

  return (
    <aside
      className={`${shapes.column} ${shapes.unringed} ${shapes.surface} ${shapes.over} ${styles.taskPanel}`}
      data-open-task={task?.id}
      ref={panel}
      tabIndex={-1}
      aria-label={task ? t('task.panel', { key: taskKey(project, task) }) : t('common.loading')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        close();
      }}
    >
      {beside === undefined && <PanelEdge />}
      {task ? (
        <TaskBody {...{ project, task, view, search, beside, panel }} onClose={close} />
      ) : state.phase === 'fresh' ? (
        <RedirectToMovedTask projectId={project.id} address={address} view={view}>
          <EmptyState
            title={t('common.failed.goneTitle')}
            action={<Button onClick={() => close()}>{t('task.close')}</Button>}
          >
            <DropKeys />
            <p>{t('common.failed.goneWords')}</p>
          </EmptyState>
        </RedirectToMovedTask>
      ) : state.phase === 'failed' ? (
        <FailedState wayOut={<Button onClick={() => close()}>{t('task.close')}</Button>} />
      ) : (
        <Loading whole label={t('common.loading')}>
          <div className={`${shapes.stackS5} ${styles.taskWaiting}`}>
            <Skeleton width="20%" />
            <Skeleton width="70%" height="1.5rem" />
            <Skeleton />
            <Skeleton width="85%" />
          </div>
        </Loading>
      )}
    </aside>
  );
}

/** The tasks as the view beside the panel shows them, one after the other; those without a day come last where days decide. */
function useOrder(projectId: string, view: ProjectView): readonly TaskRow[] {
  const layout = view === 'list' || view === 'calendar' || view === 'timeline' ? view : 'board';
  const {
    filter,
    view: { grouping, lanes, sort },
  } = useView(layout);
  // Only one of them is asked for something.
  const asked = (of: typeof layout): string => (of === layout ? projectId : '');
  const board = useQuery(boardOf, asked('board'), filter, grouping, lanes, sort);
  const list = useQuery(groupedListOf, asked('list'), filter, grouping, sort);
  const calendar = useQuery(scheduledTasksOf, asked('calendar'), filter);
  const timeline = useQuery(timelineOf, asked('timeline'), filter, grouping === 'project' ? null : grouping, sort);
  return useMemo(() => {
    const inGroups = (groups: readonly { readonly tasks: readonly TaskRow[] }[]) =>
      groups.flatMap(({ tasks }) => tasks);
    const tasks = {
      board: () => inGroups(cellsOf(board)),
      list: () => inGroups(list.groups),
      calendar: () => [...calendar.dated, ...calendar.undated],
      timeline: () => [...inGroups(timeline.groups), ...timeline.undated],
    };
    return [...new Set(tasks[layout]())];
  }, [layout, board, list, calendar, timeline]);
}

interface BodyProps {
  readonly project: ProjectRow;
  readonly task: TaskRow;
  readonly view: ProjectView;
  readonly search: string;
  readonly beside: Beside | undefined;
  readonly panel: RefObject<HTMLElement | null>;
  readonly onClose: (next?: TaskRow) => void;
}

function TaskBody({ project, task, view, search, beside, panel, onClose }: BodyProps) {
  const userId = useUserId();
  const [, go] = useLocation();
  const rights = useQuery(rightsOn, task.id, userId);
  const scope = { kind: 'task', projectId: project.id, taskId: task.id } as const;
  useScope(scope);
  useSayPresence(project.id, 'open', task.id);
  useRemember(task.id);
  const key = task.number === null ? t('task.newKey') : taskKey(project, task);
  usePageTitle(`${key} ${task.title}`);
  const order = useOrder(beside ? '' : project.id, view);
  const at = order.findIndex((one) => one.id === task.id);
  const neighbour = order[at + 1] ?? order[at - 1];
  const uploads = useUploads();
  const drop = useFileDrop(rights.edits, (files) => {
    if (files.length === 0) showMessage(t('files.nothing'));
    attachFiles(uploads, task, files);
  });

  const show = (address: string | number): void => go(paths.task(project.id, address, view) + (search && `?${search}`));
  function step(by: 1 | -1): void {
    const next = order[at + by];
    if (next) show(addressOf(next));
  }
  useOpenTask({
    taskId: task.id,
    panel,
    leave: () => onClose(neighbour),
    show(id) {
      if (!beside) show(id);
    },
  });

  return (
    <>
      <TaskBar
        taskId={task.id}
        name={key}
        rights={rights}
        foreignKeys={beside !== undefined}
        onPrevious={beside ? beside.onPrevious : at > 0 ? () => step(-1) : undefined}
        onNext={beside ? beside.onNext : at >= 0 && at < order.length - 1 ? () => step(1) : undefined}
        onClose={() => onClose()}
      />
      <div className={`${shapes.column} ${shapes.rolls} ${styles.taskScroll}`} {...drop.handlers}>
        {drop.over && (
          <div className={`${shapes.middle} ${shapes.strong} ${shapes.over} ${styles.taskDrop}`}>
            <span>{t('files.dropHere', { key })}</span>
          </div>
        )}
        {task.archived_at && <Notice tone="warn">{t('task.archivedNotice')}</Notice>}
        <TaskSections project={project} task={task} name={key} rights={rights} view={view} />
      </div>
    </>
  );
}
