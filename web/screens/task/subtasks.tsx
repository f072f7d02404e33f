// Subtasks of a task as an outline: ticked, renamed, indented and outdented by Tab, moved by mouse, touch or keys.

import { CornerDownRight, ListChecks, ListTree, Trash2 } from 'lucide-react';
import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { columnFor, deleteTasks, editTasks, moveTask, nestTasks, taskToItem, useAct } from '../../commands.ts';
import {
  assigneesOf,
  countAffectedSubtasks,
  deepest,
  type OutlineLine,
  outlineOf,
  type ProjectRow,
  parentOf,
  rightsOn,
  type TaskRow,
  taskKey,
  useQuery,
  useReader,
  useUserId,
} from '../../queries.ts';
import { addressOf, type ProjectView, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { useSavedField } from '../../ui/fields/draft.ts';
import { limitTo } from '../../ui/fields/limit-to.ts';
import sortableStyles from '../../ui/lists/sortable.module.css';
import { SortableLines, useSortableLine } from '../../ui/lists/sortable.tsx';
import checklistStyles from './checklist.module.css';
import { LineMenu } from './line-menu.tsx';
import { placeInOutline } from './outline-places.ts';
import styles from './subtasks.module.css';

export interface SubtasksProps {
  readonly project: ProjectRow;
  readonly task: TaskRow;
  readonly canWrite: boolean;
  readonly view: ProjectView;
}

/** What the task itself is a part of. */
export function PartOf({ project, task, view }: Omit<SubtasksProps, 'canWrite'>) {
  const parent = useQuery(parentOf, task.id);
  if (parent === undefined) return null;
  const words = t('plan.subtasks.partOf', { key: taskKey(project, parent), title: parent.title });
  return (
    <Link
      href={paths.task(project.id, addressOf(parent), view)}
      className={`${shapes.inlineS2} ${shapes.quietS} ${shapes.within} ${styles.partOf}`}
    >
      <CornerDownRight size={14} aria-hidden="true" />
      <span className={`${shapes.words} ${shapes.slim}`}>{words}</span>
    </Link>
  );
}

export function Subtasks({ project, task, canWrite, view }: SubtasksProps) {
  const act = useAct();
  const lines = useQuery(outlineOf, task.id);
  const list = useRef<HTMLUListElement>(null);
  /** Whose field has the focus once the outline is drawn anew: it may have changed its place. */
  const [refocused, setRefocused] = useState<string | null>(null);
  useEffect(() => {
    if (refocused === null) return;
    list.current?.querySelector<HTMLElement>(`[data-subtask="${CSS.escape(refocused)}"] [data-title-field]`)?.focus();
    setRefocused(null);
  }, [refocused]);

  function put(id: string, parentId: string | null, index?: number): void {
    void act(nestTasks, [id], parentId, index);
    setRefocused(id);
  }

  return (
    <SortableLines
      lines={lines.map((line) => ({ id: line.task.id, name: line.task.title }))}
      onMove={(id, index) => {
        const place = placeInOutline(lines, task.id, id, index);
        if (place !== null) void act(nestTasks, [id], place.parentId, place.index);
      }}
    >
      <ul ref={list} className={styles.outline}>
        {lines.map((line, at) => (
          <Line
            key={line.task.id}
            project={project}
            line={line}
            above={lines.slice(0, at).findLast((one) => one.depth <= line.depth) ?? null}
            outer={task}
            canWrite={canWrite}
            view={view}
            onPut={put}
            onNext={() => {
              const next = lines[at + 1];
              const part = list.current?.closest('[data-subtasks]');
              const field = part?.querySelector<HTMLElement>('[data-first-field="subtasks"]');
              if (next) setRefocused(next.task.id);
              else field?.focus();
            }}
          />
        ))}
      </ul>
    </SortableLines>
  );
}

interface LineProps extends Omit<SubtasksProps, 'task'> {
  readonly line: OutlineLine;
  /** The nearest line above that is no deeper. */
  readonly above: OutlineLine | null;
  /** Whose outline it is. */
  readonly outer: TaskRow;
  readonly onPut: (id: string, parentId: string | null, index?: number) => void;
  readonly onNext: () => void;
}

function Line({ project, line, above, outer, canWrite, view, onPut, onNext }: LineProps) {
  const act = useAct();
  const store = useReader();
  const { task, depth } = line;
  const { line: place, moving, grip } = useSortableLine(task.id, !canWrite);
  const people = useQuery(assigneesOf, task.id);
  const { edits } = useQuery(rightsOn, task.id, useUserId());
  const key = taskKey(project, task);
  const title = useSavedField(task.title, (text) => {
    if (text !== '') void act(editTasks, [task.id], { title: text });
    return null;
  });
  // Under the one right above it on its own level; out of its parent, right behind that.
  const indent = above?.depth === depth && depth + 2 < deepest ? () => onPut(task.id, above.task.id) : null;
  const outdent = depth > 0 ? () => putBehindParent() : null;
  const other = columnFor(store, task, task.completed_at === null);

  function putBehindParent(): void {
    const parent = store.get('tasks', task.parent_id ?? '');
    if (!parent?.parent_id) return;
    const siblings = store
      .where('tasks', 'parent_id', parent.parent_id)
      .filter((one) => (one.subtask_position ?? 0) <= (parent.subtask_position ?? 0) && one.archived_at === null);
    onPut(task.id, parent.parent_id, siblings.length);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const step = canWrite ? keyStep(event, { indent, outdent, place: line.place, of: line.of }) : null;
    if (step === null) {
      title.field.onKeyDown(event);
      if (event.key === 'Enter' && !event.nativeEvent.isComposing) onNext();
      return;
    }
    event.preventDefault();
    if (step === 'indent') indent?.();
    else if (step === 'outdent') outdent?.();
    else if (step === 'item') void act(taskToItem, task.id);
    else onPut(task.id, task.parent_id ?? outer.id, line.place + (step === 'up' ? -1 : 1));
  }

  const struck = `${checklistStyles.checkTitle} ${task.completed_at ? checklistStyles.checkDone : ''}`;
  return (
    <li
      ref={place.ref}
      style={{ ...place.style, '--depth': depth } as CSSProperties}
      data-subtask={task.id}
      className={`${shapes.rowS3} ${shapes.holder} ${shapes.roundM} ${shapes.surface} ${shapes.control} ${styles.line} ${moving ? sortableStyles.checkMoving : ''}`}
    >
      {canWrite && grip(t('plan.subtasks.move', { title: task.title }))}
      <input
        type="checkbox"
        aria-label={t('plan.subtasks.done', { key })}
        checked={task.completed_at !== null}
        disabled={!edits || other === undefined}
        onChange={() => other && void act(moveTask, task.id, { columnId: other.id, beforeId: null })}
      />
      {edits ? (
        <input
          className={struck}
          aria-label={t('plan.subtasks.name', { level: depth + 1 })}
          title={canWrite ? t('plan.subtasks.hint') : undefined}
          {...limitTo(500)}
          data-title-field
          {...title.field}
          onKeyDown={onKeyDown}
        />
      ) : (
        <span className={struck}>{task.title}</span>
      )}
      {people.slice(0, 2).map((one) => (
        <Avatar key={one.userId} name={one.name} url={one.avatarUrl} seed={one.userId} size={20} />
      ))}
      <Link
        href={paths.task(project.id, addressOf(task), view)}
        className={`${shapes.quietS} ${shapes.pressInk} ${shapes.rigid} ${shapes.roundS} ${styles.open} numbers`}
        aria-label={t('plan.subtasks.open', { key, title: task.title })}
      >
        {key}
      </Link>
      {canWrite && <PartMenu task={task} indent={indent} outdent={outdent} />}
    </li>
  );
}

/** What can be done with a part, beside what is done in its line. */
function PartMenu({
  task,
  indent,
  outdent,
}: {
  task: TaskRow;
  indent: (() => void) | null;
  outdent: (() => void) | null;
}) {
  const act = useAct();
  const endWords = useDeletionTexts([task.id]);
  return (
    <LineMenu
      label={t('plan.subtasks.more', { title: task.title })}
      items={[
        {
          id: 'in',
          label: t('plan.subtasks.indent'),
          keys: 'tab',
          disabled: indent === null,
          onPick: () => indent?.(),
        },
        {
          id: 'out',
          label: t('plan.subtasks.outdent'),
          keys: 'shift+tab',
          disabled: outdent === null,
          onPick: () => outdent?.(),
        },
        {
          id: 'own',
          label: t('plan.subtasks.own'),
          icon: <ListTree size={16} />,
          apart: true,
          onPick: () => void act(nestTasks, [task.id], null),
        },
        {
          id: 'item',
          label: t('plan.subtasks.toItem'),
          icon: <ListChecks size={16} />,
          keys: 'mod+shift+enter',
          onPick: () => void act(taskToItem, task.id),
        },
        {
          id: 'delete',
          label: endWords.remove,
          icon: <Trash2 size={16} />,
          danger: true,
          apart: true,
          onPick: () => void act(deleteTasks, [task.id]),
        },
      ]}
    />
  );
}

type Step = 'indent' | 'outdent' | 'up' | 'down' | 'item';

/** What a key asks of a line; null: it is for the field, as is a Tab that has nowhere to go. */
function keyStep(
  event: KeyboardEvent,
  { indent, outdent, place, of }: { indent: unknown; outdent: unknown; place: number; of: number },
): Step | null {
  const { key, altKey, shiftKey, ctrlKey, metaKey } = event;
  if (key === 'Tab' && !altKey && !ctrlKey && !metaKey) {
    if (shiftKey) return outdent === null ? null : 'outdent';
    return indent === null ? null : 'indent';
  }
  if (key === 'Enter' && shiftKey && (ctrlKey || metaKey)) return 'item';
  if (altKey && key === 'ArrowUp') return place > 0 ? 'up' : null;
  if (altKey && key === 'ArrowDown') return place < of - 1 ? 'down' : null;
  return null;
}

/** With the number of subtasks that are affected. */
function useDeletionTexts(taskIds: readonly string[]): { readonly remove: string; readonly archive: string } {
  const removed = useQuery(countAffectedSubtasks, taskIds, 'deleted');
  const archived = useQuery(countAffectedSubtasks, taskIds, 'archived');
  return {
    remove: removed > 0 ? t('task.removeWith', { n: removed }) : t('common.delete'),
    archive: archived > 0 ? t('task.archiveWith', { n: archived }) : t('task.archive'),
  };
}
