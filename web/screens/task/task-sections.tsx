// The sections of a task, each in a boundary of its own: one that fails leaves the others. Properties stand at the side where there is room.

import { useDeferredValue } from 'react';
import { fieldProperty } from '../../../contract/field-properties.ts';
import props from '../../pieces/properties/properties.module.css';
import { hasSessions } from '../../queries/agents/at-work.ts';
import { fieldsOf, type ProjectRow, type TaskRights, type TaskRow, useQuery } from '../../queries.ts';
import type { ProjectView } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { HoldKeysForScreen } from '../../ui/overlays/buffered-keys.ts';
import { AddParts, useParts } from './add-parts.tsx';
import { Attachments } from './attachments.tsx';
import { Comments } from './comments.tsx';
import { Dependencies } from './dependencies.tsx';
import { Description } from './description.tsx';
import { Properties } from './properties.tsx';
import { EditedRow } from './property-row.tsx';
import { PartOf } from './subtasks.tsx';
import { SubtasksPart } from './subtasks-part.tsx';
import styles from './task-panel.module.css';
import { TaskTitle } from './task-title.tsx';

const TaskAgents = lazyComponent(() => import('./task-agents.tsx'), ['agents', 'views']);

interface TaskSectionsProps {
  readonly project: ProjectRow;
  readonly task: TaskRow;
  /** Its key, in words. */
  readonly name: string;
  readonly rights: TaskRights;
  readonly view: ProjectView;
}

export function TaskSections({ project, task, name, rights, view }: TaskSectionsProps) {
  // What was clicked on is there first; the rest of it follows in the next picture.
  const whole = useDeferredValue(true, false);
  const canWrite = rights.edits;
  const agents = useQuery(hasSessions, task.id);
  return (
    <div className={`${shapes.stackS5} ${styles.taskSections}`}>
      <div className={shapes.slim}>
        <ErrorBoundary of={task}>
          <PartOf project={project} task={task} view={view} />
        </ErrorBoundary>
        <ErrorBoundary of={task}>
          <TaskTitle task={task} canWrite={canWrite} />
        </ErrorBoundary>
      </div>
      <div className={styles.taskSide}>
        <ErrorBoundary of={task}>
          <Properties task={task} rights={rights} />
        </ErrorBoundary>
        <ErrorBoundary of={task}>
          <Fields task={task} canWrite={canWrite} />
        </ErrorBoundary>
      </div>
      <div className={`${shapes.column} ${shapes.slim} ${styles.taskMain}`}>
        <ErrorBoundary of={task}>
          <Description task={task} canWrite={canWrite} />
        </ErrorBoundary>
        {agents && (
          <ErrorBoundary of={task}>
            <TaskAgents task={task} />
          </ErrorBoundary>
        )}
        {whole ? <Rest {...{ project, task, name, rights, view }} /> : <HoldKeysForScreen />}
      </div>
    </div>
  );
}

function Rest({ project, task, name, rights, view }: TaskSectionsProps) {
  const { writes, edits: canWrite } = rights;
  const parts = useParts(task, canWrite);
  return (
    <>
      <ErrorBoundary of={task}>
        <Attachments task={task} name={name} canWrite={canWrite} shown={parts.shows('files')} />
      </ErrorBoundary>
      {parts.shows('subtasks') && (
        <ErrorBoundary of={task}>
          <SubtasksPart project={project} task={task} canWrite={writes} edits={canWrite} view={view} />
        </ErrorBoundary>
      )}
      {parts.shows('dependencies') && (
        <ErrorBoundary of={task}>
          <Dependencies project={project} task={task} canWrite={writes} view={view} />
        </ErrorBoundary>
      )}
      {canWrite && <AddParts parts={parts} writes={writes} />}
      <ErrorBoundary of={task}>
        <Comments task={task} canWrite={canWrite} />
      </ErrorBoundary>
    </>
  );
}

/** Its values in the fields of its project. */
function Fields({ task, canWrite }: { task: TaskRow; canWrite: boolean }) {
  const fields = useQuery(fieldsOf, task.project_id);
  if (fields.length === 0) return null;
  return (
    <dl className={`${shapes.wrapS2} ${props.props} ${props.propFields}`} aria-label={t('plan.fields.title')}>
      {fields.map(({ id, kind, name }) => (
        <EditedRow key={id} of={fieldProperty(kind, id)} {...{ task, canWrite, name }} />
      ))}
    </dl>
  );
}
