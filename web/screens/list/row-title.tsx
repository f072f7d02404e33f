// The title of a row: it opens the task, its pencil turns it into a field; beside it, what else a glance needs.

import { Ban, ListChecks, ListTree, MessageSquare, Pencil } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { editTasks, useAct } from '../../commands.ts';
import { RecurrenceMark } from '../../pieces/recurrence-mark.tsx';
import { RestrictedMark } from '../../pieces/restricted-mark.tsx';
import marksStyles from '../../pieces/task-badges.module.css';
import type { CardFacts, TaskRow } from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { useSaveOnLeaving } from '../../ui/fields/draft.ts';
import fieldStyles from '../../ui/fields/field.module.css';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { RowLink } from '../../ui/lists/row-link.tsx';
import { ReplayKeys } from '../../ui/overlays/buffered-keys.ts';
import { useOwnSearch } from '../project/view-handle.ts';
import type { OnEdit } from './edited-title.ts';
import styles from './list.module.css';

interface RowTitleProps {
  readonly task: TaskRow;
  readonly facts: CardFacts;
  readonly index: number;
  readonly editing: boolean;
  readonly canWrite: boolean;
  readonly onEdit: OnEdit;
}

export function RowTitle({ task, facts, index, editing, canWrite, onEdit }: RowTitleProps) {
  const search = useOwnSearch();
  const { key } = facts;
  if (editing)
    return (
      <TitleField
        task={task}
        label={t('list.editTitle', { key })}
        onDone={(isLeft) => onEdit(isLeft ? 'left' : 'done', index)}
      />
    );
  return (
    <>
      <RowLink
        className={`${shapes.words} ${shapes.underlined} ${shapes.medium} ${styles.rowLink}`}
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
          className={`${shapes.middle} ${shapes.rigid} ${shapes.quiet} ${shapes.roundS} ${styles.rowPencil}`}
          tabIndex={-1}
          aria-label={t('list.editTitle', { key })}
          title={t('common.edit')}
          onClick={() => onEdit('open', index)}
        >
          <Pencil size={13} />
        </button>
      )}
      <RowFacts facts={facts} />
    </>
  );
}

function RowFacts({ facts }: { facts: CardFacts }) {
  const blocked = facts.blockedBy.length > 0 && t('board.blockedBy', { keys: facts.blockedBy.join(', ') });
  return (
    <span className={`${shapes.tools} ${styles.rowFacts}`}>
      {blocked && (
        <span className={marksStyles.factBlocked} title={blocked}>
          <Ban size={13} aria-hidden="true" />
          <span className="only-spoken">{blocked}</span>
        </span>
      )}
      {facts.restricted && <RestrictedMark className={styles.rowFact} />}
      {facts.repeats && <RecurrenceMark className={styles.rowFact} />}
      {facts.subtasks > 0 && (
        <span
          className={`${marksStyles.fact} ${styles.rowFact} numbers`}
          title={t('board.subtasks', { done: facts.subtasksDone, all: facts.subtasks })}
        >
          <ListTree size={13} aria-hidden="true" />
          {facts.subtasksDone}/{facts.subtasks}
        </span>
      )}
      {facts.items > 0 && (
        <span
          className={`${marksStyles.fact} ${styles.rowFact} numbers`}
          title={t('board.checklist', { done: facts.itemsDone, all: facts.items })}
        >
          <ListChecks size={13} aria-hidden="true" />
          {facts.itemsDone}/{facts.items}
        </span>
      )}
      {facts.comments > 0 && (
        <span
          className={`${marksStyles.fact} ${styles.rowFact} numbers`}
          title={t('board.comments', { n: facts.comments })}
        >
          <MessageSquare size={13} aria-hidden="true" />
          {facts.comments}
        </span>
      )}
    </span>
  );
}

interface TitleFieldProps {
  readonly task: TaskRow;
  readonly label: string;
  readonly onDone: (isLeft: boolean) => void;
}

/** Enter and leaving keep what was typed; Escape does not. Nothing typed is nothing kept, whatever someone else wrote since. */
function TitleField({ task, label, onDone }: TitleFieldProps) {
  const act = useAct();
  const field = useRef<HTMLInputElement>(null);
  const [begun] = useState(task.title);
  const [title, setTitle] = useState(begun);
  useLayoutEffect(() => field.current?.select(), []);
  const finished = useRef(false);
  function save(): void {
    const typed = title.trim();
    if (typed !== '' && typed !== begun && typed !== task.title) void act(editTasks, [task.id], { title: typed });
  }
  function finish(keep: boolean, isLeft = false): void {
    if (finished.current) return;
    finished.current = true;
    if (keep) save();
    onDone(isLeft);
  }
  useSaveOnLeaving(() => finished.current || save());
  return (
    <>
      <ReplayKeys />
      <input
        ref={field}
        className={`${fieldStyles.input} ${styles.rowTitleField}`}
        aria-label={label}
        {...limitTo(500)}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        onBlur={(event) => finish(true, event.relatedTarget !== null)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish(true);
          if (event.key === 'Escape') {
            event.stopPropagation();
            finish(false);
          }
        }}
      />
    </>
  );
}
