// Views of the sample workspace: two that each team shares, one of each layout where there are fields to look by, and some across projects.

import type { ApiClient } from './api-client.ts';

/** What is not done. */
const open = { property: 'completed_at', is: 'empty' };

const late = {
  name: 'Running late',
  layout: 'list',
  grouping: 'assignee',
  sort: [{ by: 'due_date', descending: false }],
  filter: {
    all: [{ property: 'due_date', is: 'before', value: 'today' }, open],
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

/** Where a project has fields to look by: one view of each layout. */
function planViews(fields: ReadonlyMap<string, string>): object[] {
  const [audience, cost, shownOn, approved] = ['Audience', 'Cost', 'Shown on', 'Approved'].map((name) =>
    fields.get(name),
  );
  if (!audience || !cost || !shownOn || !approved) return [];
  return [
    {
      name: 'Who does what',
      layout: 'board',
      grouping: 'column',
      lanes: 'assignee',
      filter: { all: [open] },
      shown: { card: ['key', 'priority', 'due', 'progress', cost], empty: false },
    },
    {
      name: 'Costs',
      layout: 'list',
      grouping: audience,
      sort: [
        { by: audience, descending: false },
        { by: cost, descending: true },
      ],
      filter: { all: [{ property: cost, is: 'not_empty' }] },
      shown: { columns: ['number', 'title', 'column', shownOn, cost, approved, 'due_date'], sums: { [cost]: 'sum' } },
    },
    {
      name: 'Launch calendar',
      layout: 'calendar',
      filter: { all: [{ property: 'kind', is: 'none_of', value: ['backlog'] }] },
    },
    { name: 'Launch plan', layout: 'timeline', filter: { all: [open] } },
    {
      name: 'For customers',
      layout: 'dashboard',
      filter: { all: [{ property: audience, is: 'any_of', value: ['customers'] }] },
    },
  ];
}

export async function keepViews(
  owner: ApiClient,
  project_id: string,
  fields: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [place, view] of [late, mine, ...planViews(fields)].entries())
    await owner.post('/rest/v1/saved_views', [{ ...view, project_id, is_shared: true, position: place + 1 }]);
}

const across = [
  {
    name: 'Due in two weeks',
    layout: 'list',
    grouping: 'project',
    filter: { all: [{ property: 'due_date', is: 'in_next', value: 14 }, open] },
  },
  {
    name: 'All under way',
    layout: 'board',
    grouping: 'kind',
    lanes: 'project',
    filter: { all: [{ property: 'kind', is: 'none_of', value: ['backlog'] }] },
    shown: { empty: false },
  },
  { name: 'All plans', layout: 'timeline', grouping: 'project', filter: { all: [open] } },
];

export async function keepViewsAcross(owner: ApiClient): Promise<void> {
  for (const [place, view] of across.entries())
    await owner.post('/rest/v1/saved_views', [{ ...view, is_shared: true, position: place + 1 }]);
}

/** Calendars for other programs. Their addresses are secrets and told once, here to nobody: the account page makes each anew. */
export async function keepFeeds(owner: ApiClient): Promise<void> {
  const [view] = await owner.get<readonly { id: string }[]>('/rest/v1/saved_views?select=id&name=eq.Launch%20calendar');
  await owner.post('/rest/v1/rpc/create_calendar_feed', { kind: 'mine' });
  if (view) await owner.post('/rest/v1/rpc/create_calendar_feed', { kind: 'view', view_id: view.id });
}
