// The chart of a timeline with what stands over and beside it: how wide days are, the way to today, and the tasks without a day. Its tasks are
// of one project or of several.

import { X } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Grouping } from '../../../contract/views.ts';
import { dayNumber, spanOf } from '../../queries/views/spans.ts';
import type { Timeline } from '../../queries/views/timeline.ts';
import { type TaskRow, type TasksOf, useTellPresence } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/list-states.tsx';
import type { PlanContext } from '../planning/plan-context.ts';
import { Unscheduled } from '../planning/unscheduled.tsx';
import { useScheduleDrag } from '../planning/use-schedule-drag.ts';
import type { ViewHandle } from '../project/view-handle.ts';
import { Chart } from './chart.tsx';
import { useGeometry, useScrolling } from './geometry.ts';
import { linesOf } from './lines.ts';
import { rangeAround } from './scale.ts';
import { SideEdge } from './side-edge.tsx';
import styles from './timeline.module.css';
import type { TimelineAddress } from './timeline-address.ts';
import timelineHeadStyles from './timeline-head.module.css';
import { TimelineHead } from './timeline-head.tsx';
import { useEdgeScroll } from './use-edge-scroll.ts';
import { useLineFocus } from './use-line-focus.ts';
import { type Offer, usePlanning } from './use-planning.ts';
import { useRelations } from './use-relations.tsx';
import { useTimelineKeys } from './use-timeline-keys.tsx';

interface TimelineBodyProps {
  /** Whose tasks are shown. */
  readonly of: TasksOf;
  readonly handle: ViewHandle;
  readonly timeline: Timeline;
  readonly grouping: Grouping | null;
  readonly planContext: PlanContext;
  readonly place: TimelineAddress;
  /** Without a day there are so many; not all of them need be here. */
  readonly waiting: number;
}

export function TimelineBody({ of, handle, timeline, grouping, planContext, place, waiting }: TimelineBodyProps) {
  const { canWrite, today } = planContext;
  const now = dayNumber(today);
  const [turned, onFold] = useTurned();
  const lines = useMemo(() => linesOf(timeline.groups, turned), [timeline.groups, turned]);
  const range = useRange(timeline.dated, now, place.zoom);
  const { shown } = handle.view;
  const geo = useGeometry(place.zoom, range, shown.side);
  const frame = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const unscheduledRoom = useRef<HTMLElement>(null);
  const [unscheduled, setUnscheduled] = useState(false);
  const begin = useBegin(timeline.dated, now, place.day);
  const scrolling = useScrolling(frame, geo, begin, lines.length > 0, lines);
  const focus = useLineFocus(frame, lines, geo);
  const { plan: onPlan, offer, answer } = usePlanning(planContext, place.along);
  const { relations, popover, onLinks } = useRelations({
    of,
    planContext,
    body,
    side: geo.side,
    withCritical: place.critical,
  });
  const drag = useScheduleDrag({
    mayTake: planContext.mayPlan,
    dayAt(x) {
      const box = body.current?.getBoundingClientRect();
      return box === undefined ? null : geo.first + Math.floor((x - box.left - geo.side) / geo.px);
    },
    overUnscheduled: (x, y) => unscheduledRoom.current?.contains(document.elementFromPoint(x, y)) === true,
    onDrop: onPlan,
    onRested: (task) => relations.drag.offer(task.id),
  });
  useEdgeScroll(frame, geo.side, drag);
  useEdgeScroll(frame, geo.side, relations.drag);
  useTellHeld(drag.held?.task.project_id ?? '', drag.held?.task.id ?? null);
  const onKeyDown = useTimelineKeys({ lines, focus, place, canWrite, onPlan, onFold, onLinks, onGoTo: scrolling.goTo });
  const early = useMemo(
    () => lines.flatMap((line, at) => (line.kind === 'task' && relations.early.has(line.task.id) ? [at] : [])),
    [lines, relations.early],
  );
  const toEarly = (): void => {
    const next = early.find((at) => at > focus.at) ?? early[0];
    const line = next === undefined ? undefined : lines[next];
    if (next === undefined || line?.kind !== 'task') return;
    scrolling.goTo(line.span.from);
    focus.go(next);
  };

  return (
    <>
      <p id="timeline-help" hidden>
        {canWrite ? t('timeline.help') : t('timeline.viewerHelp')}
      </p>
      <TimelineHead
        withCritical={typeof of === 'string'}
        place={place}
        canWrite={canWrite}
        early={early.length}
        onEarly={toEarly}
        undated={waiting}
        unscheduled={unscheduled}
        onUnscheduled={() => setUnscheduled(!unscheduled)}
        onToday={() => scrolling.goToWork(now)}
      />
      <div
        className={`${shapes.fillDown} ${shapes.holder} ${shapes.flex} ${shapes.ruledAbove} ${styles.frame}`}
        data-timeline
        data-holding={drag.held !== null || undefined}
      >
        {lines.length === 0 ? (
          <EmptyState
            title={t('timeline.nothing')}
            action={handle.active ? <Button onClick={handle.clear}>{t('board.filters.clear')}</Button> : undefined}
          >
            <p>{t('calendar.nothingWords')}</p>
          </EmptyState>
        ) : (
          <>
            <Chart
              today={now}
              {...{
                frame,
                body,
                lines,
                grouping,
                geo,
                planContext,
                drag,
                focus,
                scrolling,
                relations,
                onFold,
                onKeyDown,
              }}
            />
            <SideEdge shown={shown} onChange={handle.set} />
          </>
        )}
        {unscheduled && (
          <Unscheduled
            room={unscheduledRoom}
            tasks={timeline.undated}
            planContext={planContext}
            drag={drag}
            onClose={() => setUnscheduled(false)}
          />
        )}
        {offer !== null && <OfferBar offer={offer} onAnswer={answer} />}
      </div>
      {popover}
    </>
  );
}

/** Others see who has a task in the hand. */
function useTellHeld(projectId: string, taskId: string | null): void {
  const tell = useTellPresence();
  useEffect(() => {
    if (taskId === null) return;
    tell(projectId, 'drag', taskId);
    return () => tell(projectId, 'drag', null);
  }, [tell, projectId, taskId]);
}

/** Heads that somebody has folded, or opened where they are folded by themselves. */
function useTurned(): [ReadonlySet<string>, (groupId: string) => void] {
  const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
  const turn = useCallback((groupId: string): void => {
    setTurned((old) => {
      const next = new Set(old);
      if (!next.delete(groupId)) next.add(groupId);
      return next;
    });
  }, []);
  return [turned, turn];
}

/** The same one while the months it begins and ends with are. */
function useRange(dated: readonly TaskRow[], now: number, zoom: Parameters<typeof rangeAround>[2]) {
  const { first, last } = useMemo(() => {
    const spans = dated.map((task) => spanOf(task)).filter((span) => span !== null);
    return rangeAround(
      spans.map(({ from, to }) => ({ first: from, last: to })),
      now,
      zoom,
    );
  }, [dated, now, zoom]);
  return useMemo(() => ({ first, last }), [first, last]);
}

/** The day one looks at first: the one in the address, else today, else where there are tasks. */
function useBegin(dated: readonly TaskRow[], now: number, day: string | null): number {
  return useMemo(() => {
    if (day !== null) return dayNumber(day);
    let nearest: number | null = null;
    for (const task of dated) {
      const span = spanOf(task);
      if (span === null) continue;
      const at = Math.min(Math.max(now, span.from), span.to);
      if (nearest === null || Math.abs(at - now) < Math.abs(nearest - now)) nearest = at;
    }
    return nearest ?? now;
  }, [dated, now, day]);
}

/** After a task was moved: what waits for it may move by as much, or stay. */
function OfferBar({ offer, onAnswer }: { offer: Offer; onAnswer: (yes: boolean) => void }) {
  return (
    <div className={`${shapes.rowS4} ${timelineHeadStyles.offer}`} role="status" data-offer>
      <span>{t('timeline.waitFor', { key: offer.key, n: offer.taskIds.length })}</span>
      <Button onClick={() => onAnswer(true)}>{t('timeline.moveThem')}</Button>
      <IconButton label={t('timeline.leaveThem')} onClick={() => onAnswer(false)}>
        <X size={16} />
      </IconButton>
    </div>
  );
}
