// The calendar of a view across projects: the server is asked for what lies on the days that are shown, and for what has no day yet.

import type { Part } from '../../../contract/views.ts';
import { useToday } from '../../queries/days/today.ts';
import { usePlanContextAcross } from '../planning/plan-context.ts';
import { dayIs, usePlannedAcross } from '../planning/planned-across.ts';
import { DisplayButton } from '../project/display/display-button.tsx';
import type { AcrossProps } from '../project/view-props.ts';
import { AcrossFrame } from '../views/across-frame.tsx';
import { shownDays, useCalendarAddress } from './calendar-address.ts';
import { CalendarDays } from './calendar-days.tsx';

export default function CalendarAcross({ handle, children }: AcrossProps) {
  const today = useToday();
  const place = useCalendarAddress();
  const planContext = usePlanContextAcross(today, 'calendar', place.day);
  const { first, last } = shownDays(place.show, place.day);
  const planned = usePlannedAcross(handle.filter, lyingOn(first, last));
  return (
    <AcrossFrame
      handle={handle}
      found={planned.found}
      state={planned.state}
      layouts={children}
      choices={<DisplayButton projectId="" handle={handle} />}
    >
      <CalendarDays planContext={planContext} place={place} planned={planned} undated={planned.waiting} />
    </AcrossFrame>
  );
}

/** With one date a task lies on that day; with both on all between. */
function lyingOn(first: string, last: string): Part {
  const within = (property: 'start_date' | 'due_date', other: 'start_date' | 'due_date'): Part => ({
    all: [dayIs(other, 'empty'), dayIs(property, 'on_or_after', first), dayIs(property, 'on_or_before', last)],
  });
  return {
    any: [
      { all: [dayIs('start_date', 'on_or_before', last), dayIs('due_date', 'on_or_after', first)] },
      within('due_date', 'start_date'),
      within('start_date', 'due_date'),
    ],
  };
}
