// The sections of a task, each in a boundary of its own: one that fails leaves the others.

import { useDeferredValue } from 'react';
import { fieldProperty } from '../../../contract/field-properties.ts';
import styles from '../../pieces/properties/properties.module.css';
import { ValueEditor } from '../../pieces/properties/value.tsx';
import { fieldsOf, type ProjectRow, type TaskRow, useQuery } from '../../queries.ts';
import type { ProjectView } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { HoldKeysForScreen } from '../../ui/overlays/buffered-keys.ts';
import { Activity } from './activity.tsx';
import { Attachments } from './attachments.tsx';
import { Checklist } from './checklist.tsx';
import { Comments } from './comments.tsx';
import { Dependencies } from './dependencies.tsx';
import { Description } from './description.tsx';
import { Properties } from './properties.tsx';
import { PartOf, Subtasks } from './subtasks.tsx';
import { TaskTitle } from './task-title.tsx';

interface TaskSectionsProps {
  readonly project: ProjectRow;
  readonly task: TaskRow;
  /** Its key, in words. */
  readonly name: string;
  readonly canWrite: boolean;
  readonly view: ProjectView;
}

export function TaskSections({ project, task, name, canWrite, view }: TaskSectionsProps) {
  // What was clicked on is there first; the rest of it follows in the next picture.
  const whole = useDeferredValue(true, false);
  return (
    <>
      <ErrorBoundary of={task}>
        <PartOf project={project} task={task} view={view} />
      </ErrorBoundary>
      <ErrorBoundary of={task}>
        <TaskTitle task={task} canWrite={canWrite} />
      </ErrorBoundary>
      <ErrorBoundary of={task}>
        <Properties task={task} canWrite={canWrite} />
      </ErrorBoundary>
      <ErrorBoundary of={task}>
        <Fields task={task} canWrite={canWrite} />
      </ErrorBoundary>
      <ErrorBoundary of={task}>
        <Description task={task} canWrite={canWrite} />
      </ErrorBoundary>
      {!whole && <HoldKeysForScreen />}
      {whole && (
        <>
          <ErrorBoundary of={task}>
            <Attachments task={task} name={name} canWrite={canWrite} />
          </ErrorBoundary>
          <ErrorBoundary of={task}>
            <Subtasks project={project} task={task} canWrite={canWrite} view={view} />
          </ErrorBoundary>
          <ErrorBoundary of={task}>
            <Checklist taskId={task.id} canWrite={canWrite} />
          </ErrorBoundary>
          <ErrorBoundary of={task}>
            <Dependencies project={project} task={task} canWrite={canWrite} view={view} />
          </ErrorBoundary>
          <ErrorBoundary of={task}>
            <Comments task={task} canWrite={canWrite} />
          </ErrorBoundary>
          <ErrorBoundary of={task}>
            <Activity task={task} />
          </ErrorBoundary>
        </>
      )}
    </>
  );
}

/** Its values in the fields of its project. */
function Fields({ task, canWrite }: { task: TaskRow; canWrite: boolean }) {
  const fields = useQuery(fieldsOf, task.project_id);
  if (fields.length === 0) return null;
  return (
    <dl className={`${styles.props} ${styles.propFields}`} aria-label={t('plan.fields.title')}>
      {fields.map(({ id, kind, name }) => (
        <div key={id} className={styles.prop}>
          <dt>{name}</dt>
          <dd>
            <ValueEditor of={fieldProperty(kind, id)} task={task} canWrite={canWrite} name={name} label={name} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
