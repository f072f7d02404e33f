// One task in the list. Its title opens it; every other value is a button that changes it, for those who may.

import { Ban, CalendarDays, ListChecks, MessageSquare, Pencil, Tag, UserRound } from 'lucide-react';
import type { CSSProperties } from 'react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useSearch } from 'wouter';
import { editTasks, useAct } from '../../commands.ts';
import { DueMark, KindMark, LabelChip, PriorityMark } from '../../pieces/marks.tsx';
import { sayDay } from '../../queries/days.ts';
import { cardFactsOf, useQuery } from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { ColumnRow, TaskRow } from '../../sync/rows.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { AssigneePicker, ColumnPicker, DuePicker, LabelPicker, PriorityPicker } from './pickers.tsx';

const say = words.list;

export interface RowProps {
  readonly task: TaskRow;
  readonly column: ColumnRow | undefined;
  readonly index: number;
  readonly start: number;
  readonly selected: boolean;
  readonly editing: boolean;
  readonly canWrite: boolean;
  readonly onSelect: (index: number, range: boolean) => void;
  readonly onEdit: (taskId: string | null, index: number) => void;
}

export const Row = memo(function Row({
  task,
  column,
  index,
  start,
  selected,
  editing,
  canWrite,
  onSelect,
  onEdit,
}: RowProps) {
  const facts = useQuery(cardFactsOf, task.id);
  const search = useSearch();
  const labels = useMemo(() => JSON.parse(facts?.labels ?? '[]') as [string, string | null][], [facts?.labels]);
  const people = useMemo(() => JSON.parse(facts?.people ?? '[]') as [string, string, string | null][], [facts?.people]);
  if (facts === null) return null;
  const { project_id: projectId } = task;
  const ids = [task.id];
  const priority = words.common.priorities[task.priority];
  const avatars = people
    .slice(0, 3)
    .map(([id, name, url]) => <Avatar key={id} name={name} url={url} seed={id} size={20} />);
  const chips = labels.slice(0, 3).map(([name, color]) => <LabelChip key={name} name={name} color={color} />);
  const more = labels.length > 3 && (
    <span className="label-chip numbers" aria-hidden="true">
      +{labels.length - 3}
    </span>
  );
  const status = (
    <>
      {column && <KindMark kind={column.kind} color={column.color} />}
      <span className="row-column-name">{column?.name}</span>
    </>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows come and go while scrolling; a table element could not be laid out so
    <div
      role="row"
      tabIndex={-1}
      className={`row ${selected ? 'row-selected' : ''} ${task.completed_at ? 'row-done' : ''}`}
      style={{ '--start': `${start}px` } as CSSProperties}
      aria-rowindex={index + 2}
      aria-selected={canWrite ? selected : undefined}
      data-row={index}
    >
      {/* biome-ignore-start lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore-start lint/a11y/useFocusableInteractive: cells are not stops, the controls in them are */}
      <div role="cell" className="cell cell-check">
        {canWrite && (
          <input
            type="checkbox"
            className="check"
            aria-label={say.select(facts.key)}
            checked={selected}
            onChange={(event) => onSelect(index, (event.nativeEvent as MouseEvent).shiftKey)}
          />
        )}
      </div>
      <div role="cell" className="cell cell-key numbers">
        {facts.key}
      </div>
      <div role="cell" className="cell cell-priority">
        {canWrite ? (
          <PriorityPicker
            projectId={projectId}
            taskIds={ids}
            label={words.task.priority}
            trigger={
              <button type="button" className="cell-button" aria-label={say.set.priority(facts.key, priority)}>
                <PriorityMark priority={task.priority} />
              </button>
            }
          />
        ) : (
          <PriorityMark priority={task.priority} />
        )}
      </div>
      <div role="cell" className="cell cell-title">
        {editing ? (
          <TitleField task={task} label={say.editTitle(facts.key)} onDone={() => onEdit(null, index)} />
        ) : (
          <>
            <Link
              className="row-link"
              href={`${paths.task(projectId, addressOf(task), 'list')}${search && `?${search}`}`}
              data-row-link={index}
              data-task-id={task.id}
              title={task.title}
            >
              {task.title}
            </Link>
            {canWrite && (
              <button
                type="button"
                className="row-pencil"
                tabIndex={-1}
                aria-label={say.editTitle(facts.key)}
                title={words.common.edit}
                onClick={() => onEdit(task.id, index)}
              >
                <Pencil size={13} />
              </button>
            )}
            <span className="row-facts">
              {facts.blockedBy && (
                <span className="card-blocked" title={words.board.blockedBy(facts.blockedBy)}>
                  <Ban size={13} aria-hidden="true" />
                  <span className="only-spoken">{words.board.blockedBy(facts.blockedBy)}</span>
                </span>
              )}
              {facts.items > 0 && (
                <span className="card-fact numbers" title={words.board.checklist(facts.itemsDone, facts.items)}>
                  <ListChecks size={13} aria-hidden="true" />
                  {facts.itemsDone}/{facts.items}
                </span>
              )}
              {facts.comments > 0 && (
                <span className="card-fact numbers" title={words.board.comments(facts.comments)}>
                  <MessageSquare size={13} aria-hidden="true" />
                  {facts.comments}
                </span>
              )}
            </span>
          </>
        )}
      </div>
      <div role="cell" className="cell cell-labels">
        {canWrite ? (
          <LabelPicker
            projectId={projectId}
            taskIds={ids}
            label={words.task.labels}
            trigger={
              <button
                type="button"
                className="cell-button cell-many"
                aria-label={say.set.labels(facts.key, labels.map(([name]) => name).join(' '))}
              >
                {chips.length > 0 ? chips : <Tag size={14} className="cell-ghost" />}
                {more}
              </button>
            }
          />
        ) : (
          <>
            {chips}
            {more}
          </>
        )}
      </div>
      <div role="cell" className="cell cell-column">
        {canWrite ? (
          <ColumnPicker
            projectId={projectId}
            taskIds={ids}
            label={words.task.status}
            trigger={
              <button type="button" className="cell-button" aria-label={say.set.column(facts.key, column?.name ?? '')}>
                {status}
              </button>
            }
          />
        ) : (
          status
        )}
      </div>
      <div role="cell" className="cell cell-people">
        {canWrite ? (
          <AssigneePicker
            projectId={projectId}
            taskIds={ids}
            label={words.task.assignees}
            trigger={
              <button type="button" className="cell-button">
                <span className="only-spoken">{say.set.assignees(facts.key, people.length === 0)}</span>
                {avatars.length > 0 ? (
                  <span className="avatars">{avatars}</span>
                ) : (
                  <UserRound size={15} className="cell-ghost" />
                )}
                {people.length > 3 && (
                  <span className="numbers" aria-hidden="true">
                    +{people.length - 3}
                  </span>
                )}
              </button>
            }
          />
        ) : (
          <span className="avatars">{avatars}</span>
        )}
      </div>
      <div role="cell" className="cell cell-due">
        {canWrite ? (
          <DuePicker
            taskIds={ids}
            label={words.task.due}
            trigger={
              <button
                type="button"
                className="cell-button"
                aria-label={say.set.due(facts.key, task.due_date ? sayDay(task.due_date) : '')}
              >
                {task.due_date ? (
                  <DueMark due={task.due_date} completed={task.completed_at} />
                ) : (
                  <CalendarDays size={14} className="cell-ghost" aria-hidden="true" />
                )}
              </button>
            }
          />
        ) : (
          task.due_date && <DueMark due={task.due_date} completed={task.completed_at} />
        )}
      </div>
      {/* biome-ignore-end lint/a11y/useFocusableInteractive: as above */}
      {/* biome-ignore-end lint/a11y/useSemanticElements: as above */}
    </div>
  );
});

/** Enter and leaving keep what was typed; Escape does not. */
function TitleField({ task, label, onDone }: { task: TaskRow; label: string; onDone: () => void }) {
  const { store } = useSync();
  const act = useAct();
  const field = useRef<HTMLInputElement>(null);
  const [title, setTitle] = useState(task.title);
  useEffect(() => field.current?.select(), []);
  const finished = useRef(false);
  function finish(keep: boolean): void {
    if (finished.current) return;
    finished.current = true;
    const typed = title.trim();
    if (keep && typed !== '' && typed !== store.get('tasks', task.id)?.title)
      void act(editTasks, [task.id], { title: typed });
    onDone();
  }
  return (
    <input
      ref={field}
      className="input row-title-field"
      aria-label={label}
      maxLength={500}
      value={title}
      onChange={(event) => setTitle(event.target.value)}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(true);
        if (event.key === 'Escape') {
          event.stopPropagation();
          finish(false);
        }
      }}
    />
  );
}
