// Properties of a task at a glance, each changed in place.

import { Plus } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import type { OwnProperty } from '../../../contract/views.ts';
import { assign, useAct } from '../../commands.ts';
import { None } from '../../pieces/properties/picked.tsx';
import styles from '../../pieces/properties/properties.module.css';
import { KindMark, LabelChip, PriorityMark } from '../../pieces/task-badges.tsx';
import { inPanel } from '../../properties/own.ts';
import { valueIn } from '../../properties/values.ts';
import { audienceOf } from '../../queries/tasks/audience.ts';
import { recurrenceOf } from '../../queries/tasks/recurrences.ts';
import {
  assigneesOf,
  columnsOf,
  type TaskRights,
  type TaskRow,
  taskLabelsOf,
  useQuery,
  useUserId,
} from '../../queries.ts';
import { isMessage, t } from '../../strings/messages.ts';
import { nameProperty } from '../../strings/name-property.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { type Picked, TaskPicker } from './pickers.tsx';
import { EditedRow, PropertyRow } from './property-row.tsx';
import { SeenBy } from './seen-by.tsx';

const Claim = lazyComponent(() => import('./claim.tsx'));
const Repeats = lazyComponent(() => import('./recurrence.tsx'), ['recur']);

/** Those with more than the control of their kind. */
const parts: Partial<Record<OwnProperty, ComponentType<PartProps>>> = {
  column: Status,
  priority: PriorityPick,
  assignee: Assignees,
};

export function Properties({ task, rights }: { task: TaskRow; rights: TaskRights }) {
  const { writes, edits: canWrite } = rights;
  const repeats = useQuery(recurrenceOf, task.id) !== null;
  const audienceId = audienceOf(task);
  return (
    <dl className={`${shapes.wrapS2} ${styles.props}`} data-properties>
      {inPanel.map((of) => {
        const name = nameProperty(`task.properties.${of}`, of);
        const hint = `task.hints.${of}`;
        return parts[of] ? (
          <PartRow
            key={of}
            {...{ of, task, name }}
            // Guests assign nobody.
            canWrite={of === 'assignee' ? writes : canWrite}
            Part={parts[of]}
          />
        ) : (
          <EditedRow
            key={of}
            {...{ of, task, canWrite, name }}
            hint={isMessage(hint) ? t(hint as 'task.hints.estimate') : undefined}
          />
        );
      })}
      <PropertyRow label={t('task.repeats')} empty={!repeats} speaks>
        <Repeats task={task} canWrite={writes} meanwhile={<span className={styles.propValue}>{'\u00a0'}</span>} />
      </PropertyRow>
      <Claim task={task} />
      <PropertyRow label={t('property.labels')} empty={false} speaks={canWrite}>
        <Labels task={task} canWrite={canWrite} />
      </PropertyRow>
      {audienceId !== null && (
        <PropertyRow label={t('task.seenBy')} empty={false} speaks={writes}>
          <SeenBy {...{ task, audienceId }} canWrite={writes} />
        </PropertyRow>
      )}
    </dl>
  );
}

interface PartRowProps extends PartProps {
  readonly of: OwnProperty;
  readonly name: string;
  readonly Part: ComponentType<PartProps>;
}

function PartRow({ of, name, Part, ...props }: PartRowProps) {
  const empty = useQuery(valueIn, of, props.task.id) === null;
  return (
    <PropertyRow label={name} empty={empty} speaks>
      <Part {...props} />
    </PropertyRow>
  );
}

interface PartProps {
  readonly task: TaskRow;
  readonly canWrite: boolean;
}

interface PickedValueProps extends PartProps {
  readonly of: Picked;
  readonly label: string;
  /** What it is said to be. */
  readonly value: string;
  readonly children: ReactNode;
}

/** The value itself opens its picker, for those who may. */
function PickedValue({ of, task, canWrite, label, value, children }: PickedValueProps) {
  if (!canWrite) return <span className={styles.propValue}>{children}</span>;
  return (
    <TaskPicker
      of={of}
      projectId={task.project_id}
      taskIds={[task.id]}
      label={label}
      trigger={
        <button
          type="button"
          className={`${styles.propValue} ${styles.propButton}`}
          aria-label={t('common.pair', { name: label, value })}
        >
          {children}
        </button>
      }
    />
  );
}

function Status(props: PartProps) {
  const { task } = props;
  const column = useQuery(columnsOf, task.project_id).find((one) => one.id === task.column_id);
  return (
    <PickedValue of="column" label={t('property.column')} value={column?.name ?? ''} {...props}>
      {column && (
        <>
          <KindMark kind={column.kind} color={column.color} />
          <span className={`${shapes.words} ${styles.propWords}`}>{column.name}</span>
        </>
      )}
    </PickedValue>
  );
}

function PriorityPick(props: PartProps) {
  const { priority } = props.task;
  return (
    <PickedValue of="priority" label={t('property.priority')} value={t(`common.priorities.${priority}`)} {...props}>
      <PriorityMark priority={priority} named />
    </PickedValue>
  );
}

function Assignees(props: PartProps) {
  const { task, canWrite } = props;
  const act = useAct();
  const userId = useUserId();
  const people = useQuery(assigneesOf, task.id);
  const value = people.map((one) => one.name).join(', ') || t('common.nobody');
  const picked = (
    <PickedValue of="assignee" label={t('task.properties.assignee')} value={value} {...props}>
      {people.length === 0 ? (
        <None name={t('task.properties.assignee')}>{t('common.nobody')}</None>
      ) : (
        people.map((person) => (
          <span key={person.userId} className={`${shapes.inlineS3} ${shapes.slim} ${shapes.within}`}>
            <Avatar name={person.name} url={person.avatarUrl} seed={person.userId} size={20} />
            <span className={`${shapes.words} ${styles.propWords}`} aria-hidden="true">
              {person.name}
            </span>
          </span>
        ))
      )}
    </PickedValue>
  );
  if (!canWrite) return picked;
  return (
    <span className={`${shapes.row} ${shapes.wraps} ${styles.propLine}`}>
      {picked}
      {people.length === 0 && (
        <button type="button" className={styles.propQuick} onClick={() => void act(assign, [task.id], userId)}>
          {t('task.assignMe')}
        </button>
      )}
    </span>
  );
}

function Labels(props: PartProps) {
  const chosen = useQuery(taskLabelsOf, props.task.id);
  const face = chosen.map((one) => <LabelChip key={one.id} name={one.name} color={one.color} />);
  return (
    <PickedValue
      of="label"
      label={t('property.labels')}
      value={chosen.map((one) => one.name).join(', ') || t('task.addLabel')}
      {...props}
    >
      {face.length > 0 ? (
        face
      ) : (
        <span className={`${shapes.inlineS2} ${shapes.quiet}`}>
          {props.canWrite ? (
            <>
              <Plus size={14} aria-hidden="true" /> {t('task.addLabel')}
            </>
          ) : (
            t('common.none')
          )}
        </span>
      )}
    </PickedValue>
  );
}
