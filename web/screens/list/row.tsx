// One task in the list. Its title opens it; every other value is a button that changes it, for those who may.

import { CalendarDays, Tag, UserRound } from 'lucide-react';
import type { CSSProperties } from 'react';
import { memo } from 'react';
import { DueMark, KindMark, LabelChip, PriorityMark } from '../../pieces/marks.tsx';
import { sayDay } from '../../queries/days.ts';
import { type CardFacts, type ColumnRow, cardFactsOf, type TaskRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import avatarStyles from '../../ui/avatar.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import fieldStyles from '../../ui/field.module.css';
import { DuePicker } from '../task/due-picker.tsx';
import { AssigneePicker, ColumnPicker, LabelPicker, PriorityPicker } from '../task/pickers.tsx';
import { Cell, ValueCell } from './cells.tsx';
import styles from './list.module.css';
import { RowTitle } from './row-title.tsx';

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
  if (facts === null) return null;
  const { key, labels, people } = facts;
  const status = column && (
    <>
      <KindMark kind={column.kind} color={column.color} />
      <span className={styles.rowColumnName}>{column.name}</span>
    </>
  );
  const names = labels.map(({ name }) => name);
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows come and go while scrolling; a table element could not be laid out so
    <div
      role="row"
      tabIndex={-1}
      className={`${styles.row} ${selected ? styles.rowSelected : ''} ${task.completed_at ? styles.rowDone : ''}`}
      style={{ '--start': `${start}px` } as CSSProperties}
      aria-rowindex={index + 2}
      aria-selected={canWrite ? selected : undefined}
      data-row={index}
    >
      <Cell name="check">
        {canWrite && (
          <input
            type="checkbox"
            className={fieldStyles.check}
            aria-label={t('list.select', { key })}
            checked={selected}
            onChange={(event) => onSelect(index, (event.nativeEvent as MouseEvent).shiftKey)}
          />
        )}
      </Cell>
      <Cell name="key">
        <span className="numbers">{key}</span>
      </Cell>
      <ValueCell
        name="priority"
        picker={PriorityPicker}
        label={t('task.priority')}
        spoken={t('list.set.priority', { key, now: t(`common.priorities.${task.priority}`) })}
        value={<PriorityMark priority={task.priority} />}
        {...{ task, canWrite }}
      />
      <Cell name="title">
        <RowTitle {...{ task, facts, index, editing, canWrite, onEdit }} />
      </Cell>
      <ValueCell
        name="labels"
        picker={LabelPicker}
        label={t('task.labels')}
        spoken={t('list.set.labels', { key, now: names.join(' ') || t('list.set.none') })}
        many
        value={labels.length > 0 ? <RowLabels labels={labels} /> : null}
        ghost={<Tag size={14} className={styles.cellGhost} />}
        {...{ task, canWrite }}
      />
      <ValueCell
        name="column"
        picker={ColumnPicker}
        label={t('task.status')}
        spoken={t('list.set.column', { key, now: column?.name ?? '' })}
        value={status}
        {...{ task, canWrite }}
      />
      <ValueCell
        name="people"
        picker={AssigneePicker}
        label={t('task.assignees')}
        spoken={t('list.set.assignees', {
          key,
          now: people.map(({ name }) => name).join(', ') || t('list.set.nobody'),
        })}
        value={people.length > 0 ? <RowPeople people={people} /> : null}
        ghost={<UserRound size={15} className={styles.cellGhost} />}
        {...{ task, canWrite }}
      />
      <ValueCell
        name="due"
        picker={DuePicker}
        label={t('task.due')}
        spoken={t('list.set.due', { key, now: task.due_date ? sayDay(task.due_date) : t('list.set.none') })}
        value={task.due_date && <DueMark due={task.due_date} completed={task.completed_at} />}
        ghost={<CalendarDays size={14} className={styles.cellGhost} aria-hidden="true" />}
        {...{ task, canWrite }}
      />
    </div>
  );
});

function RowLabels({ labels }: Pick<CardFacts, 'labels'>) {
  return (
    <>
      {labels.slice(0, 2).map(({ id, name, color }) => (
        <LabelChip key={id} className={styles.rowLabel} name={name} color={color} />
      ))}
      {labels.length > 2 && (
        <span className={`${styles.rowMore} numbers`} aria-hidden="true">
          +{labels.length - 2}
        </span>
      )}
    </>
  );
}

function RowPeople({ people }: Pick<CardFacts, 'people'>) {
  return (
    <>
      <span className={avatarStyles.avatars}>
        {people.slice(0, people.length > 3 ? 2 : 3).map(({ userId, name, avatarUrl }) => (
          <Avatar key={userId} name={name} url={avatarUrl} seed={userId} size={20} />
        ))}
      </span>
      {people.length > 3 && (
        <span className={`${styles.rowMore} numbers`} aria-hidden="true">
          +{people.length - 2}
        </span>
      )}
    </>
  );
}
