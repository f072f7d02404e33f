// The sections of a task, each in a boundary of its own: one that fails leaves the others.

import { useDeferredValue } from 'react';
import type { ProjectRow, TaskRow } from '../../queries.ts';
import type { ProjectView } from '../../routes.ts';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { Activity } from './activity.tsx';
import { Attachments } from './attachments.tsx';
import { Checklist } from './checklist.tsx';
import { Comments } from './comments.tsx';
import { Dependencies } from './dependencies.tsx';
import { Description } from './description.tsx';
import { Fields } from './fields.tsx';
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
