// Tasks on their days, a month or a week at a time or as an agenda, and beside them those without a day: of one project or of several.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { dayOf } from '../../queries/days/days.ts';
import type { ScheduledTasks } from '../../queries/views/scheduled-tasks.ts';
import { dayNumber, lyingBetween } from '../../queries/views/spans.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { monthName, type PlanContext } from '../planning/plan-context.ts';
import { Unscheduled } from '../planning/unscheduled.tsx';
import { useScheduleDrag } from '../planning/use-schedule-drag.ts';
import { Agenda } from './agenda.tsx';
import { type CalendarAddress, shownDays, turned } from './calendar-address.ts';
import { CalendarHead } from './calendar-head.tsx';
import { DayList } from './day-list.tsx';
import { MonthGrid } from './month-grid.tsx';
import { NewOnDay } from './new-on-day.tsx';
import styles from './task-calendar.module.css';
import { usePageTurning } from './use-page-turning.ts';

interface Opened {
  readonly what: 'new' | 'list';
  readonly day: string;
  readonly there: HTMLElement;
}

interface CalendarDaysProps {
  readonly planContext: PlanContext;
  readonly place: CalendarAddress;
  readonly planned: Pick<ScheduledTasks, 'dated' | 'undated'>;
  /** Without a day there are so many; not all of them need be here. */
  readonly undated: number;
}

export function CalendarDays({ planContext, place, planned, undated }: CalendarDaysProps) {
  const { canWrite, today } = planContext;
  const { first, last } = shownDays(place.show, place.day);
  const [at, setAt] = useFocusedDay(place.day);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [unscheduled, setUnscheduled] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const unscheduledRoom = useRef<HTMLElement>(null);
  const weeks = (dayNumber(last) - dayNumber(first) + 1) / 7;

  const drag = useScheduleDrag({
    mayTake: planContext.mayPlan,
    dayAt(x, y) {
      const box = body.current?.getBoundingClientRect();
      if (box === undefined || x < box.left || x >= box.right || y < box.top || y >= box.bottom) return null;
      const week = Math.floor(((y - box.top) / box.height) * weeks);
      return dayNumber(first) + 7 * week + Math.floor(((x - box.left) / box.width) * 7);
    },
    overUnscheduled: (x, y) => unscheduledRoom.current?.contains(document.elementFromPoint(x, y)) === true,
    onDrop: (task, dates) => planContext.plan(task, dates),
  });
  const frame = useRef<HTMLDivElement>(null);
  usePageTurning(drag.held !== null, frame, (by) => place.set({ day: turned(place.show, place.day, by) }));
  // Another page lies under the hand, which has not moved.
  useEffect(() => {
    if (first !== '') drag.again();
  }, [first, drag.again]);
  const onGo = useCallback(
    (day: string): void => {
      setAt(day);
      if (day < first || day > last) place.set({ day });
    },
    [setAt, first, last, place],
  );
  const onNew = useCallback(
    (day: string, there: HTMLElement): void => {
      setAt(day);
      setOpened({ what: 'new', day, there });
    },
    [setAt],
  );
  const onMore = useCallback((day: string, there: HTMLElement): void => setOpened({ what: 'list', day, there }), []);
  const listed = useMemo(() => {
    if (opened?.what !== 'list') return [];
    const day = dayNumber(opened.day);
    return lyingBetween(planned.dated, day, day).map(({ task }) => task);
  }, [opened, planned]);
  const close = (): void => setOpened(null);
  const title =
    place.show === 'week' ? monthName().formatRange(dayOf(first), dayOf(last)) : monthName().format(dayOf(place.day));
  return (
    <>
      <p id="calendar-help" hidden>
        {canWrite ? t('calendar.help') : t('calendar.viewerHelp')}
      </p>
      <CalendarHead
        title={title}
        place={place}
        today={today}
        undated={undated}
        unscheduled={unscheduled}
        onUnscheduled={() => setUnscheduled(!unscheduled)}
      />
      <div
        ref={frame}
        className={`${shapes.fillDown} ${shapes.flex} ${shapes.ruledAbove} ${styles.frame}`}
        data-calendar
        data-holding={drag.held !== null || undefined}
      >
        {place.show === 'agenda' ? (
          <Agenda label={title} tasks={planned.dated} first={first} last={last} planContext={planContext} />
        ) : (
          <MonthGrid
            label={title}
            tasks={planned.dated}
            first={first}
            weeks={weeks}
            month={place.show === 'month' ? place.day.slice(0, 7) : null}
            at={at < first || at > last ? first : at}
            {...{ planContext, drag, body, onGo, onNew, onMore }}
          />
        )}
        {unscheduled && (
          <Unscheduled
            room={unscheduledRoom}
            tasks={planned.undated}
            planContext={planContext}
            drag={drag}
            onClose={() => setUnscheduled(false)}
          />
        )}
      </div>
      {opened?.what === 'new' && <NewOnDay {...opened} planContext={planContext} onClose={close} />}
      {opened?.what === 'list' && <DayList {...opened} tasks={listed} planContext={planContext} onClose={close} />}
    </>
  );
}

/** The day the arrows go on from; another day in the address is gone to. */
function useFocusedDay(day: string): [string, (day: string) => void] {
  const [at, setAt] = useState(day);
  const [seen, setSeen] = useState(day);
  if (day !== seen) {
    setSeen(day);
    setAt(day);
  }
  return [at, setAt];
}
