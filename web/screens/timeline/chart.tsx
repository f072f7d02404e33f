// The chart: lines under days, scrolled both ways; only what can be seen is drawn. Rows of a grid for those who listen.

import { type CSSProperties, type KeyboardEvent, type MouseEvent, type RefObject, useMemo } from 'react';
import type { Grouping } from '../../../contract/views.ts';
import { weekStart } from '../../queries/days/read-day.ts';
import { weekdayOf } from '../../queries/views/spans.ts';
import type { DependencyRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import type { PlanContext } from '../planning/plan-context.ts';
import type { ScheduleDrag } from '../planning/use-schedule-drag.ts';
import arrowsStyles from './arrows.module.css';
import { Arrows } from './arrows.tsx';
import { type Geometry, leftOf, type Scrolling } from './geometry.ts';
import { HeadLineRow, TaskLineRow } from './line.tsx';
import type { Line } from './lines.ts';
import { Rules, ScaleHead } from './scale-head.tsx';
import styles from './timeline.module.css';
import { useEdgeMarks } from './use-edge-marks.ts';
import type { LineFocus } from './use-line-focus.ts';
import type { Drawing, LinkDrag } from './use-link-drag.ts';

/** What waits for what, and what follows from it. */
export interface Relations {
  readonly links: readonly DependencyRow[];
  /** By task, in words: it begins too early. */
  readonly early: ReadonlyMap<string, string>;
  readonly critical: ReadonlySet<string>;
  /** By task, the keys of what it waits for. */
  readonly waits: ReadonlyMap<string, string>;
  readonly drag: LinkDrag;
  readonly onOpen: (taskId: string, event: MouseEvent) => void;
}

interface ChartProps {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly body: RefObject<HTMLDivElement | null>;
  readonly lines: readonly Line[];
  readonly grouping: Grouping | null;
  readonly geo: Geometry;
  readonly today: number;
  readonly planContext: PlanContext;
  readonly drag: ScheduleDrag;
  readonly focus: LineFocus;
  readonly scrolling: Scrolling;
  readonly relations: Relations;
  readonly onFold: (groupId: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export function Chart(props: ChartProps) {
  const {
    frame,
    body,
    lines,
    grouping,
    geo,
    today,
    planContext,
    drag,
    focus,
    scrolling,
    relations,
    onFold,
    onKeyDown,
  } = props;
  const { links, early, critical, onOpen } = relations;
  const { drawing } = relations.drag;
  const { shown, goTo } = scrolling;
  const watch = useEdgeMarks(frame, geo.side);
  const drawn = useMemo(() => {
    const places: number[] = [];
    for (let at = Math.max(0, shown.fromLine); at < Math.min(lines.length, shown.toLine); at++) places.push(at);
    // What has the focus, or would get it, stays.
    if (focus.at >= 0 && !places.includes(focus.at)) places.push(focus.at);
    return places.sort((one, other) => one - other);
  }, [shown.fromLine, shown.toLine, lines.length, focus.at]);
  const width = (geo.last - geo.first + 1) * geo.px;
  const style = {
    '--row': `${geo.line}px`,
    '--bar-top': `${geo.barTop}px`,
    '--bar-height': `${geo.bar}px`,
    '--side': `${geo.side}px`,
    '--day': `${geo.px}px`,
    '--saturday': (6 - weekdayOf(geo.first) + 7) % 7,
    '--week': (weekStart() - weekdayOf(geo.first) + 7) % 7,
  } as CSSProperties;
  return (
    <div
      className={`${shapes.fill} ${shapes.holder} ${shapes.surface} ${shapes.rolls} ${styles.scroll}`}
      ref={frame}
      style={style}
      data-zoom={geo.zoom}
      data-path={critical.size > 0 || undefined}
    >
      {/* biome-ignore-start lint/a11y/useSemanticElements: lines come and go while scrolling; a table element could not be laid out so */}
      {/* biome-ignore-start lint/a11y/useFocusableInteractive: the bars in it are the stops */}
      <div
        role="treegrid"
        aria-label={t('timeline.label')}
        aria-describedby="timeline-help"
        aria-rowcount={lines.length + 1}
        className={`${shapes.column} ${styles.chart}`}
        style={{ width: geo.side + width }}
        onKeyDown={onKeyDown}
        onFocus={focus.onFocus}
      >
        <div role="rowgroup" className={`${shapes.rigid} ${shapes.paper} ${shapes.sticky} ${styles.scale}`} data-scale>
          <div role="row" aria-rowindex={1} className={`${shapes.flex} ${shapes.tall}`}>
            <div role="columnheader" className={`${shapes.quietXs} ${styles.corner}`}>
              {t('property.title')}
            </div>
            <div role="columnheader" className={`${shapes.quietXs} ${styles.cornerDays}`}>
              {t('timeline.zooms.day')}
            </div>
            <div role="columnheader" className={`${shapes.holder} ${styles.scaleDays}`}>
              <span className="only-spoken">{t('timeline.bar')}</span>
              <div aria-hidden="true">
                <ScaleHead geo={geo} fromDay={shown.fromDay} toDay={shown.toDay} today={today} />
              </div>
            </div>
          </div>
        </div>
        <div role="rowgroup" ref={body} className={styles.body} style={{ height: lines.length * geo.line }}>
          <div role="presentation" className={`${shapes.over} ${styles.ground}`} aria-hidden="true">
            <Rules geo={geo} fromDay={shown.fromDay} toDay={shown.toDay} />
            <div className={styles.today} style={{ left: leftOf(geo, today) + geo.px / 2 }} data-today-line />
          </div>
          <div role="presentation" className={`${shapes.rigid} ${shapes.surface} ${shapes.sticky} ${styles.beside}`} />
          <Arrows {...{ lines, links, critical, geo, shown, onOpen }} held={drag.held} />
          {drawing && <DrawnOut drawing={drawing} />}
          {drawn.map((index) => {
            const line = lines[index];
            if (line === undefined) return null;
            if (line.kind === 'head')
              return (
                <HeadLineRow key={line.key} stop={index === focus.at} {...{ line, index, geo, grouping, onFold }} />
              );
            return (
              <TaskLineRow
                key={line.key}
                line={line}
                index={index}
                geo={geo}
                planContext={planContext}
                take={drag.take}
                held={drag.held?.task.id === line.task.id ? drag.held : null}
                stop={index === focus.at}
                early={early.get(line.task.id) ?? ''}
                critical={critical.has(line.task.id)}
                waits={relations.waits.get(line.task.id) ?? ''}
                onLink={relations.drag.take}
                offersEnds={relations.drag.offered === line.task.id}
                aimed={drawing?.over === line.task.id ? (drawing.refused ? 'refused' : 'yes') : undefined}
                watch={watch}
                onGoTo={goTo}
              />
            );
          })}
        </div>
      </div>
      {/* biome-ignore-end lint/a11y/useFocusableInteractive: as above */}
      {/* biome-ignore-end lint/a11y/useSemanticElements: as above */}
    </div>
  );
}

/** The arrow that is being drawn out of a bar. */
function DrawnOut({ drawing }: { drawing: Drawing }) {
  const { from, to, refused } = drawing;
  return (
    <svg className={arrowsStyles.arrows} aria-hidden="true" width="1" height="1" data-drawing>
      <path
        className={arrowsStyles.drawing}
        d={`M${from.x} ${from.y}L${to.x} ${to.y}`}
        data-refused={refused || undefined}
      />
    </svg>
  );
}
