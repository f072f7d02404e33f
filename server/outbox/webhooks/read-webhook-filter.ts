// The filter of a webhook: that of a view, but with a limit to what it looks at beside the task, since it is asked for every change of its project.

import { readFilter, settleFilter, WrongView } from '../../../contract/read-view.ts';
import { type FilterQuery, queryOf } from '../../../contract/view-query.ts';
import type { Group } from '../../../contract/views.ts';

const mostEmbeds = 30;

/** Throws WrongView. */
export function readWebhookFilter(value: unknown): Group {
  const filter = readFilter(value);
  const { embeds } = queryOfWebhook(settleFilter(filter, '2000-01-01', ''));
  if (embeds.length > mostEmbeds)
    throw new WrongView(
      `filter must look at no more than ${mostEmbeds} things beside the task: people, labels, values of fields.`,
    );
  return filter;
}

/** Days are those of UTC. */
export function queryOfWebhook(settled: Group): FilterQuery {
  return queryOf(settled, (day) => `${day}T00:00:00Z`);
}
