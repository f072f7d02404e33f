// One cell of the list: what it shows follows from its column. What has a picker is a button that opens it; the rest is edited with the
// cursor in it.

import { CalendarDays, Tag, UserRound } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Property as PropertyName } from '../../../contract/views.ts';
import { ValueFace } from '../../pieces/properties/value.tsx';
import { DueMark, KindMark, LabelChip, PriorityMark, ProjectBadge } from '../../pieces/task-badges.tsx';
import type { PropertyValue } from '../../properties/property.ts';
import { sayDay } from '../../queries/days/days.ts';
import {
  type CardFacts,
  type ColumnRow,
  projectOf,
  rightsOn,
  type TaskRow,
  useQuery,
  useUserId,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import avatarStyles from '../../ui/avatar.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { ValueButton } from './cells.tsx';
import type { TableColumn } from './columns.ts';
import type { OnEdit } from './edited-title.ts';
import styles from './list.module.css';
import { RowTitle } from './row-title.tsx';

export interface CellFaceProps {
  readonly of: TableColumn;
  readonly task: TaskRow;
  readonly facts: CardFacts;
  readonly column: ColumnRow | undefined;
  /** What the task has of the column, where the kind of property shows it. */
  readonly value: PropertyValue | undefined;
  readonly index: number;
  readonly editingTitle: boolean;
  readonly canWrite: boolean;
  readonly onEdit: OnEdit;
}

export function CellFace(props: CellFaceProps) {
  const { of, task, value } = props;
  const Own = ownCells[of.id];
  if (Own) return <Own {...props} />;
  return value === undefined ? null : <ValueFace of={of.id} projectId={task.project_id} value={value} at="Cell" />;
}

/** Cells that are more than the value of their kind: buttons that change many tasks as well, and titles. */
export const ownCells: Partial<Record<PropertyName, ComponentType<CellFaceProps>>> = {
  number: ({ facts: { key } }) => <span className="numbers">{key}</span>,
  title: ({ task, facts, index, canWrite, onEdit, editingTitle }) => (
    <RowTitle {...{ task, facts, index, canWrite, onEdit }} editing={editingTitle} />
  ),
  priority: ({ task, canWrite, facts: { key } }) => (
    <ValueButton
      of="priority"
      label={t('property.priority')}
      spoken={t('list.set.priority', { key, now: t(`common.priorities.${task.priority}`) })}
      value={<PriorityMark priority={task.priority} />}
      {...{ task, canWrite }}
    />
  ),
  label: ({ task, canWrite, facts: { key, labels } }) => (
    <ValueButton
      of="label"
      label={t('property.labels')}
      spoken={t('list.set.labels', { key, now: labels.map(({ name }) => name).join(' ') || t('list.set.none') })}
      many
      value={labels.length > 0 ? <RowLabels labels={labels} /> : null}
      ghost={<Tag size={14} className={styles.cellGhost} />}
      {...{ task, canWrite }}
    />
  ),
  column: ({ task, canWrite, column, facts: { key } }) => (
    <ValueButton
      of="column"
      label={t('property.column')}
      spoken={t('list.set.column', { key, now: column?.name ?? '' })}
      value={
        column && (
          <>
            <KindMark kind={column.kind} color={column.color} />
            <span className={`${shapes.words} ${shapes.soft}`}>{column.name}</span>
          </>
        )
      }
      {...{ task, canWrite }}
    />
  ),
  assignee: (props) => <AssigneeCell {...props} />,
  due_date: ({ task, canWrite, facts: { key } }) => (
    <ValueButton
      of="due_date"
      label={t('property.due_date')}
      spoken={t('list.set.due', { key, now: task.due_date ? sayDay(task.due_date) : t('list.set.none') })}
      value={task.due_date && <DueMark due={task.due_date} completed={task.completed_at} />}
      ghost={<CalendarDays size={14} className={styles.cellGhost} aria-hidden="true" />}
      {...{ task, canWrite }}
    />
  ),
  project: ({ task }) => <ProjectFace projectId={task.project_id} />,
};

/** Guests assign nobody. */
function AssigneeCell({ task, canWrite, facts: { key, people } }: CellFaceProps) {
  const { writes } = useQuery(rightsOn, task.id, useUserId());
  return (
    <ValueButton
      of="assignee"
      label={t('task.properties.assignee')}
      spoken={t('list.set.assignees', { key, now: people.map(({ name }) => name).join(', ') || t('list.set.nobody') })}
      value={people.length > 0 ? <RowPeople people={people} /> : null}
      ghost={<UserRound size={15} className={styles.cellGhost} />}
      task={task}
      canWrite={canWrite && writes}
    />
  );
}

function ProjectFace({ projectId }: { projectId: string }) {
  const project = useQuery(projectOf, projectId);
  return project ? <ProjectBadge color={project.color}>{project.name}</ProjectBadge> : null;
}

function RowLabels({ labels }: Pick<CardFacts, 'labels'>) {
  return (
    <>
      {labels.slice(0, 2).map(({ id, name, color }) => (
        <LabelChip key={id} className={styles.rowLabel} name={name} color={color} />
      ))}
      {labels.length > 2 && (
        <span className={`${shapes.quietXs} ${shapes.rigid} numbers`} aria-hidden="true">
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
        <span className={`${shapes.quietXs} ${shapes.rigid} numbers`} aria-hidden="true">
          +{people.length - 2}
        </span>
      )}
    </>
  );
}
