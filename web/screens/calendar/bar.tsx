// One task on its days: a link to it, with the colour of its column; its edges are handles for those who may change it.

import { Check } from 'lucide-react';
import { type CSSProperties, memo } from 'react';
import { RecurrenceMark } from '../../pieces/recurrence-mark.tsx';
import { PriorityMark } from '../../pieces/task-badges.tsx';
import { recurrenceOf } from '../../queries/tasks/recurrences.ts';
import { useQuery } from '../../queries.ts';
import shapes from '../../styles/shapes.module.css';
import { RowLink } from '../../ui/lists/row-link.tsx';
import type { PlanContext } from '../planning/plan-context.ts';
import { stateOf } from '../planning/task-appearance.ts';
import type { ScheduleDrag } from '../planning/use-schedule-drag.ts';
import type { Segment } from './lay-out-weeks.ts';
import styles from './task-calendar.module.css';

interface BarProps {
  readonly segment: Segment;
  readonly planContext: PlanContext;
  readonly take: ScheduleDrag['take'];
  readonly held: boolean;
}

export const Bar = memo(function Bar({ segment, planContext, take, held }: BarProps) {
  const { task, days, lane, began, goesOn } = segment;
  const name = planContext.nameOf(task);
  const again = useQuery(recurrenceOf, task.id) !== null;
  const canPlan = planContext.mayPlan(task);
  const project = planContext.projectOf?.(task);
  return (
    <RowLink
      className={`${shapes.rowS2} ${shapes.outlined} ${shapes.linkInk} ${shapes.still} ${styles.bar}`}
      href={planContext.hrefOf(task)}
      data-task-id={task.id}
      data-state={stateOf(planContext, task)}
      data-held={held || undefined}
      data-began={began || undefined}
      data-goes-on={goesOn || undefined}
      style={{ '--lane': lane, '--days': days, '--hue': planContext.colourOf(task) } as CSSProperties}
      tabIndex={-1}
      draggable={false}
      title={name}
      onPointerDown={take(task, 'whole')}
    >
      {canPlan && !began && (
        <span className={`${shapes.over} ${styles.edgeStart}`} onPointerDown={take(task, 'start')} />
      )}
      {task.completed_at === null ? (
        task.priority === 'p0' && <PriorityMark priority="p0" />
      ) : (
        <Check size={12} aria-hidden="true" />
      )}
      {project && (
        <span className={`${shapes.softXs} ${shapes.rigid} ${shapes.strong}`} aria-hidden="true">
          {project.key}
        </span>
      )}
      <span className={`${shapes.clipped} ${shapes.plaintext} ${styles.barTitle}`} aria-hidden="true">
        {task.title}
      </span>
      {again && <RecurrenceMark size={11} className={styles.barSign} />}
      <span className="only-spoken">{name}</span>
      {canPlan && !goesOn && <span className={`${shapes.over} ${styles.edgeEnd}`} onPointerDown={take(task, 'end')} />}
    </RowLink>
  );
});
