// Properties of a task at a glance, each changed in place.

import { Plus } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import type { OwnProperty } from '../../../contract/views.ts';
import { assign, useAct } from '../../commands.ts';
import styles from '../../pieces/properties/properties.module.css';
import { ValueEditor } from '../../pieces/properties/value.tsx';
import { KindMark, LabelChip, PriorityMark } from '../../pieces/task-badges.tsx';
import { inPanel } from '../../properties/own.ts';
import { assigneesOf, columnsOf, type TaskRow, taskLabelsOf, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { AssigneePicker, ColumnPicker, LabelPicker, PriorityPicker } from './pickers.tsx';

const Repeats = lazyComponent(() => import('./recurrence.tsx'), ['recur']);

const names: Partial<Record<OwnProperty, 'task.assignees'>> = { assignee: 'task.assignees' };
const hints: Partial<Record<OwnProperty, 'task.estimateHint'>> = { estimate: 'task.estimateHint' };

/** Those with more than the control of their kind. */
const parts: Partial<Record<OwnProperty, ComponentType<PartProps>>> = {
  column: Status,
  priority: PriorityPick,
  assignee: Assignees,
};

export function Properties({ task, canWrite }: { task: TaskRow; canWrite: boolean }) {
  return (
    <dl className={styles.props} data-properties>
      {inPanel.map((of) => {
        const Part = parts[of];
        const name = t(names[of] ?? (`property.${of}` as 'property.title'));
        const hint = hints[of];
        return (
          <Row key={of} label={name}>
            {Part ? (
              <Part task={task} canWrite={canWrite} />
            ) : (
              <ValueEditor {...{ of, task, canWrite, name }} label={name} hint={hint && t(hint)} />
            )}
          </Row>
        );
      })}
      <Row label={t('task.repeats')} wide>
        <Repeats task={task} canWrite={canWrite} meanwhile={<span className={styles.propValue}>{'\u00a0'}</span>} />
      </Row>
      <Row label={t('property.labels')} wide>
        <Labels task={task} canWrite={canWrite} />
      </Row>
    </dl>
  );
}

function Row({ label, children, wide }: { label: string; children: ReactNode; wide?: boolean }) {
  return (
    <div className={wide ? `${styles.prop} ${styles.propWide}` : styles.prop}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface PartProps {
  readonly task: TaskRow;
  readonly canWrite: boolean;
}

/** What opens a picker: the value itself, and what it is said to be. */
function ValueButton({ label, value, children, ...rest }: { label: string; value: string; children: ReactNode }) {
  return (
    <button
      type="button"
      className={`${styles.propValue} ${styles.propButton}`}
      aria-label={t('common.pair', { name: label, value })}
      {...rest}
    >
      {children}
    </button>
  );
}

function Status({ task, canWrite }: PartProps) {
  const label = t('property.column');
  const column = useQuery(columnsOf, task.project_id).find((one) => one.id === task.column_id);
  const face = column && (
    <>
      <KindMark kind={column.kind} color={column.color} />
      <span className={`${shapes.words} ${styles.propWords}`}>{column.name}</span>
    </>
  );
  if (!canWrite) return <span className={styles.propValue}>{face}</span>;
  return (
    <ColumnPicker
      projectId={task.project_id}
      taskIds={[task.id]}
      label={label}
      trigger={
        <ValueButton label={label} value={column?.name ?? ''}>
          {face}
        </ValueButton>
      }
    />
  );
}

function PriorityPick({ task, canWrite }: PartProps) {
  const label = t('property.priority');
  const face = <PriorityMark priority={task.priority} named />;
  if (!canWrite) return <span className={styles.propValue}>{face}</span>;
  return (
    <PriorityPicker
      projectId={task.project_id}
      taskIds={[task.id]}
      label={label}
      trigger={
        <ValueButton label={label} value={t(`common.priorities.${task.priority}`)}>
          {face}
        </ValueButton>
      }
    />
  );
}

function Assignees({ task, canWrite }: PartProps) {
  const label = t('task.assignees');
  const act = useAct();
  const userId = useUserId();
  const people = useQuery(assigneesOf, task.id);
  const face =
    people.length === 0 ? (
      <span className={`${shapes.inlineS2} ${shapes.quiet}`}>{t('common.nobody')}</span>
    ) : (
      people.map((person) => (
        <span key={person.userId} className={`${shapes.inlineS3} ${styles.propPerson}`}>
          <Avatar name={person.name} url={person.avatarUrl} seed={person.userId} size={20} />
          <span className={`${shapes.words} ${styles.propWords}`} aria-hidden="true">
            {person.name}
          </span>
        </span>
      ))
    );
  if (!canWrite) return <span className={styles.propValue}>{face}</span>;
  return (
    <span className={`${shapes.row} ${styles.propLine}`}>
      <AssigneePicker
        projectId={task.project_id}
        taskIds={[task.id]}
        label={label}
        trigger={
          <ValueButton label={label} value={people.map((one) => one.name).join(', ') || t('common.nobody')}>
            {face}
          </ValueButton>
        }
      />
      {people.length === 0 && (
        <button type="button" className={styles.propQuick} onClick={() => void act(assign, [task.id], userId)}>
          {t('task.assignMe')}
        </button>
      )}
    </span>
  );
}

function Labels({ task, canWrite }: PartProps) {
  const label = t('property.labels');
  const chosen = useQuery(taskLabelsOf, task.id);
  const face = chosen.map((one) => <LabelChip key={one.id} name={one.name} color={one.color} />);
  if (!canWrite)
    return (
      <span className={styles.propValue}>
        {face.length > 0 ? face : <span className={`${shapes.inlineS2} ${shapes.quiet}`}>{t('common.none')}</span>}
      </span>
    );
  return (
    <LabelPicker
      projectId={task.project_id}
      taskIds={[task.id]}
      label={label}
      trigger={
        <ValueButton label={label} value={chosen.map((one) => one.name).join(', ') || t('task.addLabel')}>
          {face.length > 0 ? (
            face
          ) : (
            <span className={`${shapes.inlineS2} ${shapes.quiet}`}>
              <Plus size={14} aria-hidden="true" /> {t('task.addLabel')}
            </span>
          )}
        </ValueButton>
      }
    />
  );
}
