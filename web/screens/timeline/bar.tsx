// One task on its days: a link to it, with the colour of its column, how much of it is done, and handles for those who may change it.

import { Check } from 'lucide-react';
import type { CSSProperties } from 'react';
import { PriorityMark } from '../../pieces/task-badges.tsx';
import type { Span } from '../../queries/views/spans.ts';
import { progressOf } from '../../queries/views/timeline.ts';
import { type TaskRow, useOthersAt, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { hueOf } from '../../ui/avatar.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import { type PlanContext, saySpan } from '../planning/plan-context.ts';
import { stateOf } from '../planning/task-appearance.ts';
import type { Held, ScheduleDrag } from '../planning/use-schedule-drag.ts';
import styles from './bar.module.css';
import { boxOf, type Geometry, isPoint } from './geometry.ts';
import type { LinkDrag } from './use-link-drag.ts';

export interface BarProps {
  readonly task: TaskRow;
  readonly span: Span;
  readonly geo: Geometry;
  readonly planContext: PlanContext;
  readonly take: ScheduleDrag['take'];
  readonly held: Held | null;
  readonly stop: boolean;
  /** In words, where it begins too early. */
  readonly early: string;
  readonly critical: boolean;
  /** The keys of what it waits for. */
  readonly waits: string;
  readonly onLink: LinkDrag['take'];
  /** A finger finds the ends from which dependencies are drawn. */
  readonly offersEnds: boolean;
  /** A dependency in the hand is aimed at it. */
  readonly aimed: 'yes' | 'refused' | undefined;
}

export function Bar({
  task,
  span: planned,
  geo,
  planContext,
  take,
  held,
  stop,
  early,
  critical,
  waits,
  onLink,
  offersEnds,
  aimed,
}: BarProps) {
  const progress = useQuery(progressOf, task.id);
  const others = useOthersAt(task.project_id, task.id, 'open', 'drag');
  const span = held?.span ?? planned;
  const { left, width } = boxOf(geo, span);
  const name = planContext.nameOf(task);
  const canPlan = planContext.mayPlan(task);
  const point = isPoint(geo, span);
  const [other] = others;
  const style = {
    left,
    width,
    '--hue': planContext.colourOf(task),
    '--done': task.completed_at === null && progress !== null ? progress.done / progress.of : 0,
    '--theirs': other === undefined ? undefined : hueOf(other.userId),
  } as CSSProperties;
  return (
    <RowLink
      className={`${shapes.rowS2} ${shapes.linkInk} ${shapes.still} ${shapes.over} ${styles.bar}`}
      href={planContext.hrefOf(task)}
      data-task-id={task.id}
      data-state={stateOf(planContext, task)}
      data-point={point || undefined}
      data-early={early !== '' || undefined}
      data-critical={critical || undefined}
      data-aimed={aimed}
      data-offers-ends={offersEnds || undefined}
      data-held={held !== null || undefined}
      data-others={others.map((one) => one.name).join(', ') || undefined}
      style={style}
      tabIndex={stop ? 0 : -1}
      draggable={false}
      title={`${name}${early && `\n${early}`}`}
      onPointerDown={take(task, 'whole')}
    >
      <span className={`${shapes.outlined} ${shapes.over} ${shapes.clipped} ${styles.shape}`}>
        {progress !== null && <span className={`${shapes.over} ${styles.done}`} />}
      </span>
      {canPlan && !point && <span className={styles.edgeStart} data-edge onPointerDown={take(task, 'start')} />}
      {!point && width > 3 * geo.bar && (
        <>
          {task.completed_at !== null ? (
            <Check size={12} aria-hidden="true" />
          ) : (
            task.priority === 'p0' && <PriorityMark priority="p0" />
          )}
          <span
            className={`${shapes.clipped} ${shapes.sticky} ${shapes.plaintext} ${styles.barTitle}`}
            aria-hidden="true"
          >
            {task.title}
          </span>
        </>
      )}
      <span className="only-spoken">
        {name}
        {waits && ` ${t('timeline.waits', { keys: waits })}`}
        {progress !== null && ` ${t('timeline.progress', { done: progress.done, all: progress.of })}`}
        {critical && ` ${t('timeline.isCritical')}`}
        {early && ` ${early}`}
        {other !== undefined && ` ${t('timeline.othersAt', { names: others.map((one) => one.name).join(', ') })}`}
      </span>
      {canPlan && !point && <span className={styles.edgeEnd} data-edge onPointerDown={take(task, 'end')} />}
      {canPlan && held === null && (
        <>
          <span
            className={`${shapes.over} ${styles.linkStart}`}
            aria-hidden="true"
            title={t('timeline.linkTo')}
            data-link-end="start"
            onPointerDown={onLink(task.id, 'start')}
          />
          <span
            className={`${shapes.over} ${styles.linkEnd}`}
            aria-hidden="true"
            title={t('timeline.linkFrom')}
            data-link-end="end"
            onPointerDown={onLink(task.id, 'end')}
          />
        </>
      )}
      {other !== undefined && (
        <span className={`${shapes.over} ${shapes.sideS2} ${styles.others}`} aria-hidden="true">
          {other.name}
        </span>
      )}
      {held !== null && (
        <span
          className={`${shapes.accent} ${shapes.strong} ${shapes.roundS} ${shapes.over} ${styles.heldDays}`}
          aria-hidden="true"
          data-held-days
        >
          {held.span === null ? t('planning.noDays') : saySpan({ ...task, ...held.dates })}
        </span>
      )}
    </RowLink>
  );
}
