// Popover with the dependencies of a task, over its bar: add, remove, and change the days between.

import { projectOf, type TaskRow, useQuery, useScope } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Popover } from '../../ui/overlays/popover.tsx';
import type { PlanContext } from '../planning/plan-context.ts';
import { Dependencies } from '../task/dependencies.tsx';
import styles from './timeline-head.module.css';

interface LinksPopoverProps {
  readonly task: TaskRow;
  readonly planContext: PlanContext;
  readonly there: HTMLElement;
  /** Which links are broken, in words. */
  readonly troubles: readonly string[];
  readonly onClose: () => void;
}

export default function LinksPopover({ task, planContext, there, troubles, onClose }: LinksPopoverProps) {
  const label = t('timeline.linksOf', { key: planContext.keyOf(task) });
  const project = useQuery(projectOf, task.project_id);
  // Of several projects not all tasks are here that it could wait for.
  useScope({ kind: 'project', projectId: task.project_id });
  return (
    <Popover trigger={{ there }} label={label} open onOpenChange={(open) => !open && onClose()}>
      <div className={styles.links} data-links>
        <p className={`${shapes.strong} ${shapes.plaintext} ${styles.linksTask}`}>{task.title}</p>
        {troubles.map((words) => (
          <p key={words} className={`${shapes.wrong} ${styles.trouble}`}>
            {words}
          </p>
        ))}
        {project && (
          <Dependencies {...{ project, task }} canWrite={planContext.mayPlan(task)} view="timeline" withLag />
        )}
      </div>
    </Popover>
  );
}
