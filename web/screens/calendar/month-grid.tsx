// Weeks of days, one or as many as a month has, with the tasks lying on them. Days are cells of a grid: arrows lead from day to day,
// up and down also through the tasks of a day.

import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { dayOf } from '../../queries/days/days.ts';
import { dayNamed, dayNumber, weekdayOf } from '../../queries/views/spans.ts';
import type { TaskRow } from '../../queries.ts';
import { localized, sayNumber, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { useRem } from '../../ui/use-rem.ts';
import { type PlanContext, sayWhole } from '../planning/plan-context.ts';
import type { Held, ScheduleDrag } from '../planning/use-schedule-drag.ts';
import { Bar } from './bar.tsx';
import { layOutWeeks, type Week } from './lay-out-weeks.ts';
import styles from './task-calendar.module.css';
import { useGridKeys } from './use-grid-keys.tsx';

const shortWeekday = localized((locale) => new Intl.DateTimeFormat(locale, { weekday: 'short' }));
const longWeekday = localized((locale) => new Intl.DateTimeFormat(locale, { weekday: 'long' }));
const withMonth = localized((locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }));
const dayOnly = localized((locale) => new Intl.NumberFormat(locale, { useGrouping: false }));

/** In rem: the number of a day, a task, and what says how many more there are. */
const heights = { head: 1.75, lane: 1.625, more: 1.375 };

interface MonthGridProps {
  readonly label: string;
  readonly tasks: readonly TaskRow[];
  readonly first: string;
  readonly weeks: number;
  /** Days of other months stand back; null: none does. */
  readonly month: string | null;
  /** The day that has, or would have, the focus. */
  readonly at: string;
  readonly planContext: PlanContext;
  readonly drag: ScheduleDrag;
  readonly body: RefObject<HTMLDivElement | null>;
  readonly onGo: (day: string) => void;
  readonly onNew: (day: string, there: HTMLElement) => void;
  readonly onMore: (day: string, there: HTMLElement) => void;
}

export function MonthGrid(props: MonthGridProps) {
  const { label, tasks, first, weeks, month, at, planContext, drag, body, onGo, onNew, onMore } = props;
  const lanes = useLanes(body, weeks);
  const laidOut = useMemo(() => layOutWeeks(tasks, first, weeks, lanes), [tasks, first, weeks, lanes]);
  const grid = useRef<HTMLDivElement>(null);
  const onKeyDown = useGridKeys({ grid, weeks: laidOut, at, planContext, onGo, onNew });
  return (
    <div className={`${shapes.fill} ${shapes.rolls} ${styles.gridFrame}`}>
      {/* biome-ignore-start lint/a11y/useSemanticElements: tasks lie over several cells, which those of a table cannot */}
      {/* biome-ignore-start lint/a11y/useFocusableInteractive: the days in it are the stops */}
      <div
        role="grid"
        aria-label={label}
        aria-describedby="calendar-help"
        className={`${shapes.column} ${shapes.holder} ${shapes.tall} ${styles.grid}`}
        ref={grid}
        onKeyDown={onKeyDown}
        onFocus={({ target }) => {
          const day = target.closest<HTMLElement>('[data-day]')?.dataset.day;
          const id = target.closest<HTMLElement>('[data-task-id]')?.dataset.taskId;
          if (day !== undefined && !(id !== undefined && liesOn(laidOut, id, at))) onGo(day);
        }}
      >
        <div
          role="row"
          className={`${shapes.quietXs} ${shapes.rigid} ${shapes.grid} ${shapes.paper} ${styles.weekdays}`}
        >
          {Array.from({ length: 7 }, (_, ahead) => dayOf(dayNamed(dayNumber(first) + ahead))).map((day) => (
            <div key={day.getDay()} role="columnheader" aria-label={longWeekday().format(day)}>
              {shortWeekday().format(day)}
            </div>
          ))}
        </div>
        <div
          role="rowgroup"
          className={`${shapes.fillDown} ${shapes.grid} ${styles.weeks}`}
          ref={body}
          style={{ '--weeks': weeks } as CSSProperties}
        >
          {laidOut.map((week) => (
            <div key={week.first} role="row" className={`${shapes.grid} ${shapes.short} ${styles.week}`}>
              {week.count.map((count, ahead) => (
                <Day
                  // biome-ignore lint/suspicious/noArrayIndexKey: the days of a week are always the same seven
                  key={ahead}
                  {...{ week, ahead, count, month, at, planContext, drag, onNew, onMore }}
                />
              ))}
            </div>
          ))}
        </div>
        <Ghost held={drag.held} first={dayNumber(first)} weeks={weeks} />
      </div>
      {/* biome-ignore-end lint/a11y/useFocusableInteractive: as above */}
      {/* biome-ignore-end lint/a11y/useSemanticElements: as above */}
    </div>
  );
}

interface DayProps extends Pick<MonthGridProps, 'month' | 'at' | 'planContext' | 'drag' | 'onNew' | 'onMore'> {
  readonly week: Week;
  readonly ahead: number;
  readonly count: number;
}

function Day({ week, ahead, count, month, at, planContext, drag, onNew, onMore }: DayProps) {
  const number = week.first + ahead;
  const day = dayNamed(number);
  const more = week.hidden[ahead] ?? 0;
  const weekday = weekdayOf(number);
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div
      role="gridcell"
      className={`${shapes.holder} ${shapes.slim} ${shapes.surface} ${shapes.ruledBelow} ${styles.day}`}
      data-day={day}
      data-beside={(month !== null && !day.startsWith(month)) || undefined}
      data-weekend={weekday === 0 || weekday === 6 || undefined}
      data-over={(drag.held?.span && drag.held.span.from <= number && number <= drag.held.span.to) || undefined}
      aria-current={day === planContext.today ? 'date' : undefined}
      tabIndex={day === at ? 0 : -1}
      onClick={(event) => {
        const plain = event.target === event.currentTarget || (event.target as Element).closest('[data-number]');
        if (plain && planContext.newIn.length > 0) onNew(day, event.currentTarget);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.target !== event.currentTarget || planContext.newIn.length === 0) return;
        event.preventDefault();
        onNew(day, event.currentTarget);
      }}
    >
      <span className="only-spoken">{t('calendar.day', { day: sayWhole(day), n: count })}</span>
      <span
        className={`${shapes.softXs} ${shapes.round} ${shapes.sideS2} ${shapes.centred} ${styles.number} numbers`}
        data-number
        aria-hidden="true"
      >
        {day.endsWith('-01') ? withMonth().format(dayOf(day)) : dayOnly().format(Number(day.slice(8)))}
      </span>
      {week.segments
        .filter((segment) => segment.at === ahead)
        .map((segment) => (
          <ErrorBoundary key={segment.task.id} of={segment.task} instead={null}>
            <Bar
              segment={segment}
              planContext={planContext}
              take={drag.take}
              held={drag.held?.task.id === segment.task.id}
            />
          </ErrorBoundary>
        ))}
      {more > 0 && (
        <button
          type="button"
          className={`${shapes.softXs} ${shapes.pressInk} ${shapes.ringedInside} ${shapes.roundS} ${styles.more} numbers`}
          tabIndex={-1}
          data-more
          onClick={(event) => onMore(day, event.currentTarget)}
        >
          <span aria-hidden="true">
            +{sayNumber(more)}
            <span className={styles.moreWords}>{t('calendar.more')}</span>
          </span>
          <span className="only-spoken">{t('calendar.moreOn', { n: more, day: sayWhole(day) })}</span>
        </button>
      )}
    </div>
  );
}

/** Whether the focus of a task stands for that day, too: a task of several days is one stop on each of them. */
function liesOn(weeks: readonly Week[], taskId: string, day: string): boolean {
  const number = dayNumber(day);
  return weeks.some(({ first, segments }) =>
    segments.some(({ task, at, days }) => task.id === taskId && first + at <= number && number < first + at + days),
  );
}

/** Where what is in the hand would lie. */
function Ghost({ held, first, weeks }: { held: Held | null; first: number; weeks: number }) {
  const { span } = held ?? {};
  if (!held || !span) return null;
  const pieces = Array.from({ length: weeks }, (_, week) => {
    const begin = Math.max(span.from, first + 7 * week);
    const end = Math.min(span.to, first + 7 * week + 6);
    return { week, at: begin - first - 7 * week, days: end - begin + 1 };
  });
  return (
    <div className={`${shapes.over} ${styles.ghosts}`} aria-hidden="true" style={{ '--weeks': weeks } as CSSProperties}>
      {pieces
        .filter(({ days }) => days > 0)
        .map(({ week, at, days }) => (
          <span
            key={week}
            className={`${shapes.cut} ${shapes.outlined} ${shapes.accent} ${shapes.strong} ${styles.ghost}`}
            data-ghost
            style={{ '--week': week, '--at': at, '--days': days } as CSSProperties}
          >
            {held.task.title}
          </span>
        ))}
    </div>
  );
}

/** How many tasks have room below each other in a day. */
function useLanes(body: RefObject<HTMLDivElement | null>, weeks: number): number {
  const rem = useRem();
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    if (body.current) setHeight(body.current.clientHeight);
  }, [body]);
  useEffect(() => {
    const room = body.current;
    if (room === null) return;
    const observer = new ResizeObserver(() => setHeight(room.clientHeight));
    observer.observe(room);
    return () => observer.disconnect();
  }, [body]);
  const room = height / weeks / rem - heights.head - heights.more;
  return height === 0 ? 0 : Math.max(1, Math.floor(room / heights.lane));
}
