// One cell of the list: what it shows follows from its column. What has a picker is a button that opens it; the rest is edited with the
// cursor in it.

import { CalendarDays, Tag, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Json } from '../../../contract/database.ts';
import { DueMark, KindMark, LabelChip, PriorityMark, ProjectBadge } from '../../pieces/marks.tsx';
import type { OwnColumn } from '../../properties/own.ts';
import type { Property } from '../../properties/property.ts';
import { sayDay } from '../../queries/days/days.ts';
import {
  type CardFacts,
  type ColumnRow,
  chosenOptions,
  type FieldRow,
  membersOf,
  optionsOf,
  parentOf,
  projectOf,
  type TaskRow,
  useQuery,
  useReader,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import avatarStyles from '../../ui/avatar.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { DuePicker } from '../task/due-picker.tsx';
import { AssigneePicker, ColumnPicker, LabelPicker, PriorityPicker } from '../task/pickers.tsx';
import { ValueButton } from './cells.tsx';
import type { TableColumn } from './columns.ts';
import styles from './list.module.css';
import { RowTitle } from './row-title.tsx';
import tableStyles from './table.module.css';

export interface CellFaceProps {
  readonly of: TableColumn;
  readonly task: TaskRow;
  readonly facts: CardFacts;
  readonly column: ColumnRow | undefined;
  /** What it holds in the field of this column. */
  readonly value: Json;
  readonly index: number;
  readonly editingTitle: boolean;
  readonly canWrite: boolean;
  readonly onEdit: (taskId: string | null, index: number) => void;
}

export function CellFace({ of: { id, property, field }, task, facts, column, value, index, ...rest }: CellFaceProps) {
  const { canWrite, editingTitle, onEdit } = rest;
  const { key, labels, people } = facts;
  const shared = { task, canWrite };
  if (field) return <FieldFace of={property} {...{ field, task, value }} />;
  switch (id as OwnColumn) {
    case 'number':
      return <span className="numbers">{key}</span>;
    case 'title':
      return <RowTitle {...{ task, facts, index, canWrite, onEdit }} editing={editingTitle} />;
    case 'priority':
      return (
        <ValueButton
          picker={PriorityPicker}
          label={t('property.priority')}
          spoken={t('list.set.priority', { key, now: t(`common.priorities.${task.priority}`) })}
          value={<PriorityMark priority={task.priority} />}
          {...shared}
        />
      );
    case 'label':
      return (
        <ValueButton
          picker={LabelPicker}
          label={t('property.labels')}
          spoken={t('list.set.labels', { key, now: labels.map(({ name }) => name).join(' ') || t('list.set.none') })}
          many
          value={labels.length > 0 ? <RowLabels labels={labels} /> : null}
          ghost={<Tag size={14} className={styles.cellGhost} />}
          {...shared}
        />
      );
    case 'column':
      return (
        <ValueButton
          picker={ColumnPicker}
          label={t('property.column')}
          spoken={t('list.set.column', { key, now: column?.name ?? '' })}
          value={
            column && (
              <>
                <KindMark kind={column.kind} color={column.color} />
                <span className={styles.rowColumnName}>{column.name}</span>
              </>
            )
          }
          {...shared}
        />
      );
    case 'assignee': {
      const now = people.map(({ name }) => name).join(', ') || t('list.set.nobody');
      return (
        <ValueButton
          picker={AssigneePicker}
          label={t('task.assignees')}
          spoken={t('list.set.assignees', { key, now })}
          value={people.length > 0 ? <RowPeople people={people} /> : null}
          ghost={<UserRound size={15} className={styles.cellGhost} />}
          {...shared}
        />
      );
    }
    case 'due_date':
      return (
        <ValueButton
          picker={DuePicker}
          label={t('property.due_date')}
          spoken={t('list.set.due', { key, now: task.due_date ? sayDay(task.due_date) : t('list.set.none') })}
          value={task.due_date && <DueMark due={task.due_date} completed={task.completed_at} />}
          ghost={<CalendarDays size={14} className={styles.cellGhost} aria-hidden="true" />}
          {...shared}
        />
      );
    case 'created_by':
      return task.created_by ? <PersonFace projectId={task.project_id} userId={task.created_by} /> : null;
    case 'project':
      return <ProjectFace projectId={task.project_id} />;
    case 'parent':
      return <ParentFace taskId={task.id} />;
    default:
      return <Shown of={property} task={task} />;
  }
}

/** What needs no face of its own. */
function Shown({ of, task }: { of: Property; task: TaskRow }) {
  const text = of.show(useReader(), task);
  if (text === '') return null;
  return of.figures ? <span className="numbers">{text}</span> : <Words text={text} />;
}

function ParentFace({ taskId }: { taskId: string }) {
  const parent = useQuery(parentOf, taskId);
  return parent ? <Words text={parent.title} /> : null;
}

interface FieldFaceProps {
  readonly of: Property;
  readonly field: FieldRow;
  readonly task: TaskRow;
  readonly value: Json;
}

function FieldFace({ of, field, task, value }: FieldFaceProps): ReactNode {
  if (value === null) return null;
  switch (field.kind) {
    case 'select':
    case 'multi_select': {
      const chosen = chosenOptions(value);
      return optionsOf(field)
        .filter(({ id }) => chosen.includes(id))
        .map(({ id, name, color }) => (
          <LabelChip key={id} className={styles.rowLabel} name={name} color={color ?? null} />
        ));
    }
    case 'person':
      return <PersonFace projectId={field.project_id} userId={String(value)} />;
    case 'checkbox':
      return (
        <span className={tableStyles.tick} data-on={value === true || undefined}>
          <span className="only-spoken">{t(value === true ? 'table.ticked' : 'table.unticked')}</span>
        </span>
      );
    case 'url':
      return (
        <a className={tableStyles.address} href={String(value)} target="_blank" rel="noreferrer noopener" tabIndex={-1}>
          {String(value).replace(/^https?:\/\//, '')}
        </a>
      );
    default:
      return <Shown of={of} task={task} />;
  }
}

function Words({ text }: { text: string }) {
  return (
    <span className={tableStyles.words} title={text}>
      {text}
    </span>
  );
}

function ProjectFace({ projectId }: { projectId: string }) {
  const project = useQuery(projectOf, projectId);
  return project ? <ProjectBadge color={project.color}>{project.name}</ProjectBadge> : null;
}

function PersonFace({ projectId, userId }: { projectId: string; userId: string }) {
  const person = useQuery(membersOf, projectId).find((one) => one.userId === userId);
  if (person === undefined) return null;
  return (
    <>
      <Avatar name={person.name} url={person.avatarUrl} seed={userId} size={20} />
      <span className={tableStyles.words} aria-hidden="true">
        {person.name}
      </span>
    </>
  );
}

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
