// The calendar of a project: its tasks on their days, a month or a week at a time or as an agenda, and beside it those without a day.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { dayOf } from '../../queries/days.ts';
import { plannedOf } from '../../queries/planned.ts';
import { dayNamed, dayNumber } from '../../queries/spans.ts';
import { useToday } from '../../queries/today.ts';
import { mayWrite, roleIn, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Loading, Skeleton } from '../../ui/state.tsx';
import { monthName, useScene } from '../planning/scene.ts';
import { Tray } from '../planning/tray.tsx';
import { useScheduleDrag } from '../planning/use-schedule-drag.ts';
import { FilterBar, FilterBarSkeleton } from '../project/filter-bar.tsx';
import { useView } from '../project/view-handle.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import { Agenda } from './agenda.tsx';
import { CalendarHead } from './calendar-head.tsx';
import { shownDays, turned, useCalendarPlace } from './calendar-place.ts';
import { DayList } from './day-list.tsx';
import { lyingBetween } from './lay-out-weeks.ts';
import { MonthGrid } from './month-grid.tsx';
import { NewOnDay } from './new-on-day.tsx';
import styles from './task-calendar.module.css';
import { useTurning } from './use-turning.ts';

interface Opened {
  readonly what: 'new' | 'list';
  readonly day: string;
  readonly there: HTMLElement;
}

export default function ProjectCalendar({ project, loading }: ProjectViewProps) {
  const userId = useUserId();
  const today = useToday();
  const handle = useView('calendar');
  const planned = useQuery(plannedOf, project.id, handle.filter);
  const canWrite = mayWrite(useQuery(roleIn, project.id, userId)) && project.archived_at === null;
  const scene = useScene(project, canWrite, today, 'calendar');
  const place = useCalendarPlace();
  const { first, last } = shownDays(place.show, place.day);
  const [at, setAt] = useFocusedDay(place.day);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [tray, setTray] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const trayRoom = useRef<HTMLElement>(null);
  const weeks = (dayNumber(last) - dayNumber(first) + 1) / 7;

  const drag = useScheduleDrag({
    canWrite,
    dayAt(x, y) {
      const box = body.current?.getBoundingClientRect();
      if (box === undefined || x < box.left || x >= box.right || y < box.top || y >= box.bottom) return null;
      const week = Math.floor(((y - box.top) / box.height) * weeks);
      return dayNumber(first) + 7 * week + Math.floor(((x - box.left) / box.width) * 7);
    },
    overTray: (x, y) => trayRoom.current?.contains(document.elementFromPoint(x, y)) === true,
    onDrop: (task, dates) => scene.plan(task, dates),
  });
  const frame = useRef<HTMLDivElement>(null);
  useTurning(drag.held !== null, frame, (by) => place.set({ day: turned(place.show, place.day, by) }));
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

  if (loading) return <CalendarSkeleton />;
  const close = (): void => setOpened(null);
  const title =
    place.show === 'week' ? monthName().formatRange(dayOf(first), dayOf(last)) : monthName().format(dayOf(place.day));
  return (
    <>
      <FilterBar projectId={project.id} handle={handle} shown={planned.shown} total={planned.total} />
      <p id="calendar-help" hidden>
        {canWrite ? t('calendar.help') : t('calendar.viewerHelp')}
      </p>
      <CalendarHead
        title={title}
        place={place}
        today={today}
        undated={planned.undated.length}
        tray={tray}
        onTray={() => setTray(!tray)}
      />
      <div ref={frame} className={styles.frame} data-calendar data-holding={drag.held !== null || undefined}>
        {place.show === 'agenda' ? (
          <Agenda label={title} tasks={planned.dated} first={first} last={last} scene={scene} />
        ) : (
          <MonthGrid
            label={title}
            tasks={planned.dated}
            first={first}
            weeks={weeks}
            month={place.show === 'month' ? place.day.slice(0, 7) : null}
            at={at < first || at > last ? first : at}
            {...{ scene, drag, body, onGo, onNew, onMore }}
          />
        )}
        {tray && (
          <Tray room={trayRoom} tasks={planned.undated} scene={scene} drag={drag} onClose={() => setTray(false)} />
        )}
      </div>
      {opened?.what === 'new' && <NewOnDay {...opened} scene={scene} onClose={close} />}
      {opened?.what === 'list' && <DayList {...opened} tasks={listed} scene={scene} onClose={close} />}
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

function CalendarSkeleton() {
  return (
    <Loading label={t('common.loading')}>
      <FilterBarSkeleton />
      <div className={styles.waiting}>
        {Array.from({ length: 35 }, (_, day) => dayNamed(day)).map((day) => (
          <div key={day}>
            <Skeleton width="1.25rem" />
          </div>
        ))}
      </div>
    </Loading>
  );
}
