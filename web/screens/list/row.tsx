// One task in the list. Its title opens it; every other value is a button that changes it, for those who may.

import { Ban, CalendarDays, ListChecks, MessageSquare, Pencil, Tag, UserRound } from 'lucide-react';
import type { CSSProperties } from 'react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import { editTasks, useAct } from '../../commands.ts';
import { DueMark, KindMark, LabelChip, PriorityMark } from '../../pieces/marks.tsx';
import { sayDay } from '../../queries/days.ts';
import { cardFactsOf, useQuery } from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { ColumnRow, TaskRow } from '../../sync/rows.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { useSaveOnLeaving } from '../../ui/draft.ts';
import { RowLink } from '../../ui/row-link.tsx';
import { Cell, ValueCell } from './cells.tsx';
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
  const { key } = facts;
  const status = column && (
    <>
      <KindMark kind={column.kind} color={column.color} />
      <span className="row-column-name">{column.name}</span>
    </>
  );
  const names = labels.map(([name]) => name);
  const chips = labels.length > 0 && (
    <>
      {labels.slice(0, 2).map(([name, color]) => (
        <LabelChip key={name} name={name} color={color} />
      ))}
      {labels.length > 2 && (
        <span className="row-more numbers" aria-hidden="true">
          +{labels.length - 2}
        </span>
      )}
    </>
  );
  const avatars = people.length > 0 && (
    <>
      <span className="avatars">
        {people.slice(0, people.length > 3 ? 2 : 3).map(([id, name, url]) => (
          <Avatar key={id} name={name} url={url} seed={id} size={20} />
        ))}
      </span>
      {people.length > 3 && (
        <span className="row-more numbers" aria-hidden="true">
          +{people.length - 2}
        </span>
      )}
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
      <Cell name="check">
        {canWrite && (
          <input
            type="checkbox"
            className="check"
            aria-label={say.select(key)}
            checked={selected}
            onChange={(event) => onSelect(index, (event.nativeEvent as MouseEvent).shiftKey)}
          />
        )}
      </Cell>
      <Cell name="key numbers">{key}</Cell>
      <ValueCell
        name="priority"
        picker={PriorityPicker}
        label={words.task.priority}
        spoken={say.set.priority(key, words.common.priorities[task.priority])}
        value={<PriorityMark priority={task.priority} />}
        {...{ task, canWrite }}
      />
      <Cell name="title">
        {editing ? (
          <TitleField task={task} label={say.editTitle(key)} onDone={() => onEdit(null, index)} />
        ) : (
          <>
            <RowLink
              className="row-link"
              href={`${paths.task(task.project_id, addressOf(task), 'list')}${search && `?${search}`}`}
              data-row-link={index}
              data-task-id={task.id}
              title={task.title}
            >
              {task.title}
            </RowLink>
            {canWrite && (
              <button
                type="button"
                className="row-pencil"
                tabIndex={-1}
                aria-label={say.editTitle(key)}
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
      </Cell>
      <ValueCell
        name="labels"
        picker={LabelPicker}
        label={words.task.labels}
        spoken={say.set.labels(key, names.join(' '))}
        many
        value={chips || null}
        ghost={<Tag size={14} className="cell-ghost" />}
        {...{ task, canWrite }}
      />
      <ValueCell
        name="column"
        picker={ColumnPicker}
        label={words.task.status}
        spoken={say.set.column(key, column?.name ?? '')}
        value={status}
        {...{ task, canWrite }}
      />
      <ValueCell
        name="people"
        picker={AssigneePicker}
        label={words.task.assignees}
        spoken={say.set.assignees(key, people.map(([, name]) => name).join(', '))}
        value={avatars || null}
        ghost={<UserRound size={15} className="cell-ghost" />}
        {...{ task, canWrite }}
      />
      <ValueCell
        name="due"
        picker={DuePicker}
        label={words.task.due}
        spoken={say.set.due(key, task.due_date ? sayDay(task.due_date) : '')}
        value={task.due_date && <DueMark due={task.due_date} completed={task.completed_at} />}
        ghost={<CalendarDays size={14} className="cell-ghost" aria-hidden="true" />}
        {...{ task, canWrite }}
      />
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
  function save(): void {
    const typed = title.trim();
    if (typed !== '' && typed !== store.get('tasks', task.id)?.title) void act(editTasks, [task.id], { title: typed });
  }
  function finish(keep: boolean): void {
    if (finished.current) return;
    finished.current = true;
    if (keep) save();
    onDone();
  }
  useSaveOnLeaving(() => finished.current || save());
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
