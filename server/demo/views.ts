// Views of the sample workspace: two that a team shares, and one across its projects.

import type { ApiClient } from './api-client.ts';

const late = {
  name: 'Running late',
  layout: 'list',
  grouping: 'assignee',
  sort: [{ by: 'due_date', descending: false }],
  filter: {
    all: [
      { property: 'due_date', is: 'before', value: 'today' },
      { property: 'completed_at', is: 'empty' },
    ],
  },
};
const mine = {
  name: 'Mine, or nobody’s',
  layout: 'board',
  grouping: 'column',
  sort: [],
  filter: {
    any: [
      { property: 'assignee', is: 'any_of', value: ['me'] },
      { property: 'assignee', is: 'empty' },
    ],
  },
};

export async function keepViews(owner: ApiClient, project_id: string): Promise<void> {
  const rows = [late, mine].map((view, place) => ({ ...view, project_id, is_shared: true, position: place + 1 }));
  await owner.post('/rest/v1/saved_views', rows);
}

export async function keepViewAcross(owner: ApiClient): Promise<void> {
  const filter = {
    all: [
      { property: 'due_date', is: 'in_next', value: 14 },
      { property: 'completed_at', is: 'empty' },
    ],
  };
  await owner.post('/rest/v1/saved_views', [
    { name: 'Due in two weeks', layout: 'list', grouping: 'project', filter, is_shared: true },
  ]);
}
