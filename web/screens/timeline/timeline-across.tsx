// The timeline of a view across projects: its tasks with a day as bars, a project's in its colour, and what of them waits for what.

import { noFilter } from '../../../contract/views.ts';
import { useToday } from '../../queries/days/today.ts';
import { timelineOf } from '../../queries/views/timeline.ts';
import { useQuery } from '../../queries.ts';
import { usePlanContextAcross } from '../planning/plan-context.ts';
import { dayIs, usePlannedAcross } from '../planning/planned-across.ts';
import { DisplayButton } from '../project/display/display-button.tsx';
import type { AcrossProps } from '../project/view-props.ts';
import { AcrossFrame } from '../views/across-frame.tsx';
import { useTimelineAddress } from './timeline-address.ts';
import { TimelineBody } from './timeline-body.tsx';

export default function TimelineAcross({ handle, children }: AcrossProps) {
  const place = useTimelineAddress();
  const planContext = usePlanContextAcross(useToday(), 'timeline', null);
  const { grouping, sort } = handle.view;
  const { found, state, dated, undated, waiting } = usePlannedAcross(handle.filter, withDay, sort);
  const of = dated.map(({ id }) => id);
  const timeline = { ...useQuery(timelineOf, of, noFilter, grouping, sort), undated };
  return (
    <AcrossFrame
      {...{ handle, found, state }}
      layouts={children}
      choices={<DisplayButton projectId="" handle={handle} />}
    >
      <TimelineBody {...{ of, handle, timeline, grouping, planContext, place, waiting }} />
    </AcrossFrame>
  );
}

const withDay = { any: [dayIs('start_date', 'not_empty'), dayIs('due_date', 'not_empty')] };
