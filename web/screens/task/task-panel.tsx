// One task, beside the board or list it was opened from; its address can be sent to someone.

import { Archive, ArchiveRestore, ChevronDown, ChevronUp, Ellipsis, Link2, Trash2, X } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import { heardKeys, useActions } from '../../actions/registry.tsx';
import { archiveTasks, deleteTasks, unarchiveTask, useAct } from '../../commands.ts';
import { boardOf, groupedListOf, mayWrite, roleIn, taskAt, taskKey, useQuery, useScope } from '../../queries.ts';
import { addressOf, type ProjectView, paths } from '../../routes.ts';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { ProjectRow, TaskRow } from '../../sync/rows.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { Menu } from '../../ui/menu.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { EmptyState, Loading, Notice, Skeleton } from '../../ui/state.tsx';
import { tellCopied } from '../../ui/toaster.tsx';
import { useListOptions } from '../list/list-options.ts';
import { useTaskFilter } from '../project/task-filter.ts';
import { Activity } from './activity.tsx';
import { Checklist } from './checklist.tsx';
import { Comments } from './comments.tsx';
import { Dependencies } from './dependencies.tsx';
import { Description } from './description.tsx';
import { Properties } from './properties.tsx';
import { TaskTitle } from './task-title.tsx';
import './task-part.css';
import './task-panel.css';

const say = words.task;

export default function TaskPanel({
  project,
  address,
  view,
}: {
  project: ProjectRow;
  address: string;
  view: ProjectView;
}) {
  const [, go] = useLocation();
  const search = useSearch();
  const task = useQuery(taskAt, project.id, address);
  const state = useScope({ kind: 'project', projectId: project.id });
  const panel = useRef<HTMLElement>(null);
  const shown = useRef('');
  shown.current = task?.id ?? '';
  const back = paths.project(project.id, view) + (search && `?${search}`);
  /** Whose card gets the focus when this task leaves the board. */
  const heir = useRef('');
  const close = (next?: TaskRow): void => {
    heir.current = next?.id ?? '';
    go(back);
  };

  // Whoever opened it gets the focus back when it closes.
  useEffect(() => {
    const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    panel.current?.focus({ preventScroll: true });
    return () => {
      // The card of the task that was looked at last, or else what was focused before.
      const id = heir.current || shown.current;
      const card = document.querySelector<HTMLElement>(`[data-task-id="${CSS.escape(id)}"]`);
      const back = card ?? (opener?.isConnected && opener !== document.body ? opener : null);
      back?.focus({ preventScroll: true });
    };
  }, []);

  return (
    <aside
      className="task-panel"
      ref={panel}
      tabIndex={-1}
      aria-label={task ? say.panel(taskKey(project, task)) : words.common.loading}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        close();
      }}
    >
      {task ? (
        <TaskBody project={project} task={task} view={view} search={search} onClose={close} />
      ) : state.phase === 'fresh' || (state.phase === 'failed' && state.remembered) ? (
        <EmptyState title={words.common.failed.goneTitle} action={<Button onClick={() => close()}>{say.close}</Button>}>
          <p>{words.common.failed.goneWords}</p>
        </EmptyState>
      ) : (
        <Loading label={words.common.loading}>
          <div className="task-waiting">
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

/** The tasks as the view beside the panel shows them, one after the other. */
function useOrder(projectId: string, view: ProjectView): readonly TaskRow[] {
  const filter = useTaskFilter().text;
  const { grouping, sorting, backwards } = useListOptions();
  const listed = view === 'list';
  // Only one of them is asked for something.
  const board = useQuery(boardOf, listed ? '' : projectId, filter);
  const list = useQuery(groupedListOf, listed ? projectId : '', filter, grouping, sorting, backwards);
  return useMemo(
    () => (listed ? list.groups.flatMap((group) => group.tasks) : board.columns.flatMap((shelf) => shelf.tasks)),
    [listed, list, board],
  );
}

interface BodyProps {
  readonly project: ProjectRow;
  readonly task: TaskRow;
  readonly view: ProjectView;
  readonly search: string;
  readonly onClose: (next?: TaskRow) => void;
}

function TaskBody({ project, task, view, search, onClose }: BodyProps) {
  const { userId, journal, watch } = useSync();
  const [, go] = useLocation();
  const act = useAct();
  const canWrite = mayWrite(useQuery(roleIn, project.id, userId)) && project.archived_at === null;
  const scope = { kind: 'task', projectId: project.id, taskId: task.id } as const;
  useScope(scope);
  const key = task.number === null ? say.newKey : taskKey(project, task);
  usePageTitle(`${key} ${task.title}`);
  const order = useOrder(project.id, view);
  const at = order.findIndex((one) => one.id === task.id);
  const neighbour = order[at + 1] ?? order[at - 1];
  const taskId = task.id;
  // What was clicked on is there first; the rest of it follows in the next picture.
  const whole = useDeferredValue(true, false);

  // The server writes history with every change: read it again when one was kept.
  useEffect(
    () =>
      journal.subscribe((news) => {
        if (news.kind === 'kept') void watch.refresh({ kind: 'task', projectId: project.id, taskId });
      }),
    [journal, watch, project.id, taskId],
  );

  function step(by: 1 | -1): void {
    const next = order[at + by];
    if (next) go(paths.task(project.id, addressOf(next), view) + (search && `?${search}`));
  }

  async function copyLink(): Promise<void> {
    tellCopied(await copyText(location.origin + paths.task(project.id, addressOf(task))));
  }

  function remove(): void {
    onClose(neighbour);
    void act(deleteTasks, [task.id]);
  }

  function archive(): void {
    if (task.archived_at) void act(unarchiveTask, task.id);
    else {
      onClose(neighbour);
      void act(archiveTasks, [task.id]);
    }
  }

  useActions([
    {
      id: 'task-next',
      label: say.next,
      group: 'task',
      keys: 'j',
      icon: <ChevronDown size={16} />,
      effect: () => step(1),
    },
    {
      id: 'task-previous',
      label: say.previous,
      group: 'task',
      keys: 'k',
      icon: <ChevronUp size={16} />,
      effect: () => step(-1),
    },
    {
      id: 'task-link',
      label: words.common.copyLink,
      group: 'task',
      keys: 'mod+shift+c',
      icon: <Link2 size={16} />,
      effect: () => void copyLink(),
    },
    {
      id: 'task-close',
      label: say.close,
      group: 'task',
      keys: 'escape',
      icon: <X size={16} />,
      effect: () => onClose(),
    },
    ...(canWrite
      ? [
          {
            id: 'task-archive',
            label: task.archived_at ? say.unarchive : say.archive,
            group: 'task' as const,
            keys: 'e',
            icon: task.archived_at ? <ArchiveRestore size={16} /> : <Archive size={16} />,
            effect: archive,
          },
          {
            id: 'task-delete',
            label: say.remove,
            group: 'task' as const,
            keys: 'mod+backspace',
            icon: <Trash2 size={16} />,
            effect: remove,
          },
          ...heardKeys('field', 'task', [['mod+enter', say.saveWritten]]),
        ]
      : []),
  ]);

  return (
    <>
      <header className="task-bar">
        <span className="task-key numbers">{key}</span>
        <IconButton label={say.previous} disabled={at <= 0} onClick={() => step(-1)}>
          <ChevronUp size={16} />
        </IconButton>
        <IconButton label={say.next} disabled={at < 0 || at >= order.length - 1} onClick={() => step(1)}>
          <ChevronDown size={16} />
        </IconButton>
        <span className="task-bar-room" />
        <IconButton label={words.common.copyLink} onClick={() => void copyLink()}>
          <Link2 size={16} />
        </IconButton>
        {canWrite && (
          <Menu
            label={words.common.more}
            trigger={
              <IconButton label={words.common.more}>
                <Ellipsis size={16} />
              </IconButton>
            }
            items={[
              {
                id: 'archive',
                label: task.archived_at ? say.unarchive : say.archive,
                icon: task.archived_at ? <ArchiveRestore size={16} /> : <Archive size={16} />,
                keys: 'e',
                onPick: archive,
              },
              {
                id: 'delete',
                label: say.remove,
                icon: <Trash2 size={16} />,
                keys: 'mod+backspace',
                danger: true,
                apart: true,
                onPick: remove,
              },
            ]}
          />
        )}
        <IconButton label={say.close} onClick={() => onClose()}>
          <X size={16} />
        </IconButton>
      </header>
      <div className="task-scroll">
        {task.archived_at && <Notice tone="warn">{say.archivedNotice}</Notice>}
        <TaskTitle task={task} canWrite={canWrite} />
        <Properties task={task} canWrite={canWrite} />
        <Description task={task} canWrite={canWrite} />
        {whole && (
          <>
            <Checklist taskId={task.id} canWrite={canWrite} />
            <Dependencies project={project} task={task} canWrite={canWrite} view={view} />
            <Comments task={task} canWrite={canWrite} />
            <Activity task={task} />
          </>
        )}
      </div>
    </>
  );
}
