// A line of the chart. Beside the days: the task and its days in words, or the head of a group, which folds it.

import { ChevronDown } from 'lucide-react';
import { type CSSProperties, memo } from 'react';
import type { Grouping } from '../../../contract/views.ts';
import { KindMark, PriorityMark } from '../../pieces/task-badges.tsx';
import { sayNumber, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import { saySpan } from '../planning/plan-context.ts';
import { stateOf } from '../planning/task-appearance.ts';
import { sayNone } from '../project/view-choices.ts';
import { Bar, type BarProps } from './bar.tsx';
import { EdgeMark } from './edge-mark.tsx';
import { boxOf, type Geometry } from './geometry.ts';
import type { HeadLine, TaskLine } from './lines.ts';
import styles from './timeline.module.css';
import type { WatchBar } from './use-edge-marks.ts';

/* biome-ignore-start lint/a11y/useSemanticElements: lines come and go while scrolling; a table element could not be laid out so */
/* biome-ignore-start lint/a11y/useFocusableInteractive: the bars in them are the stops */

interface TaskLineProps extends Omit<BarProps, 'task' | 'span'> {
  readonly line: TaskLine;
  readonly index: number;
  readonly watch: WatchBar;
  readonly onGoTo: (day: number) => void;
}

export const TaskLineRow = memo(function TaskLineRow({ line, index, watch, onGoTo, ...bar }: TaskLineProps) {
  const { task, span, level } = line;
  const { planContext, geo } = bar;
  return (
    <div
      role="row"
      className={`${shapes.full} ${shapes.flex} ${shapes.over} ${styles.line}`}
      aria-rowindex={index + 2}
      aria-level={level}
      ref={watch}
      data-row
      data-line={index}
      data-critical={bar.critical || undefined}
      style={{ '--at': index } as CSSProperties}
    >
      <div role="rowheader" className={`${shapes.row} ${shapes.rigid} ${shapes.slim} ${shapes.surface} ${styles.side}`}>
        <RowLink
          href={planContext.hrefOf(task)}
          className={`${shapes.rowS3} ${shapes.fill} ${shapes.linkInk} ${shapes.tall} ${styles.name}`}
          tabIndex={-1}
          draggable={false}
          data-state={stateOf(planContext, task)}
        >
          <span className={`${shapes.quietXs} ${shapes.rigid} numbers`}>{planContext.keyOf(task)}</span>
          <span className={`${shapes.words} ${styles.title}`}>{task.title}</span>
        </RowLink>
      </div>
      <div role="gridcell" className={`${shapes.row} ${shapes.rigid} ${shapes.slim} ${shapes.surface} ${styles.days}`}>
        <button
          type="button"
          className={`${shapes.softXs} ${shapes.cut} ${styles.daysButton} numbers`}
          tabIndex={-1}
          title={bar.early || t('timeline.toBar')}
          data-early={bar.early !== '' || undefined}
          onClick={() => onGoTo(span.from)}
        >
          {saySpan(task)}
        </button>
      </div>
      <div
        role="gridcell"
        className={`${shapes.tools} ${shapes.holder} ${shapes.tools} ${shapes.holder} ${styles.track}`}
        style={{ width: (geo.last - geo.first + 1) * geo.px }}
      >
        <ErrorBoundary of={task} instead={null}>
          <Bar task={task} span={span} {...bar} />
        </ErrorBoundary>
        <EdgeMark colour={planContext.colourOf(task)} onPress={() => onGoTo(span.from)} />
      </div>
    </div>
  );
});

interface HeadLineProps {
  readonly line: HeadLine;
  readonly index: number;
  readonly geo: Geometry;
  readonly grouping: Grouping | null;
  readonly stop: boolean;
  readonly onFold: (groupId: string) => void;
}

export const HeadLineRow = memo(function HeadLineRow({ line, index, geo, grouping, stop, onFold }: HeadLineProps) {
  const { group, span, open, level } = line;
  const name = group.priority ? t(`common.priorities.${group.priority}`) : group.name || sayNone(grouping);
  return (
    <div
      role="row"
      className={`${shapes.full} ${shapes.flex} ${shapes.over} ${styles.line}`}
      aria-rowindex={index + 2}
      aria-level={level}
      aria-expanded={open}
      data-line={index}
      data-head
      style={{ '--at': index } as CSSProperties}
    >
      <div role="rowheader" className={`${shapes.row} ${shapes.rigid} ${shapes.slim} ${shapes.surface} ${styles.side}`}>
        <button
          type="button"
          className={`${shapes.rowS3} ${shapes.softXs} ${shapes.cut} ${shapes.ringedInside} ${styles.fold}`}
          aria-expanded={open}
          data-group={group.id}
          tabIndex={stop ? 0 : -1}
          onClick={() => onFold(group.id)}
        >
          <ChevronDown size={14} aria-hidden="true" />
          {group.kind && <KindMark kind={group.kind} color={group.color ?? null} />}
          {group.priority && <PriorityMark priority={group.priority} />}
          <span className={`${shapes.words} ${styles.title}`}>{name}</span>
          <span className={`${shapes.quiet} ${shapes.plain} numbers`}>{sayNumber(group.tasks.length)}</span>
        </button>
      </div>
      <div
        role="gridcell"
        className={`${shapes.tools} ${shapes.holder} ${shapes.tools} ${shapes.holder} ${styles.track}`}
        style={{ width: (geo.last - geo.first + 1) * geo.px }}
      >
        {span !== null && <span className={styles.groupSpan} style={boxOf(geo, span)} aria-hidden="true" />}
      </div>
    </div>
  );
});

/* biome-ignore-end lint/a11y/useFocusableInteractive: as above */
/* biome-ignore-end lint/a11y/useSemanticElements: as above */
