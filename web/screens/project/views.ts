// The views of a project and the panel of a task, fetched when first needed.

import type { ProjectView } from '../../routes.ts';
import { type Later, later } from '../../ui/later.tsx';
import type { ProjectViewProps } from './view-props.ts';

export const views: Readonly<Record<ProjectView, Later<ProjectViewProps>>> = {
  board: later<ProjectViewProps>(() => import('../board/board.tsx')),
  list: later<ProjectViewProps>(() => import('../list/list.tsx'), ['table']),
  calendar: later<ProjectViewProps>(() => import('../calendar/calendar.tsx'), ['planning']),
  timeline: later<ProjectViewProps>(() => import('../timeline/timeline.tsx'), ['planning']),
  dashboard: later<ProjectViewProps>(() => import('../dashboard/project-dashboard.tsx')),
  people: later<ProjectViewProps>(() => import('../people/people.tsx'), ['people']),
  settings: later<ProjectViewProps>(() => import('../settings/settings.tsx'), ['exports', 'starters', 'plan', 'table']),
};

export const TaskPanel = later(async () => {
  const [panel, { fetchEditor }] = await Promise.all([
    import('../task/task-panel.tsx'),
    import('../task/rich-editor.ts'),
  ]);
  fetchEditor();
  return panel;
}, ['files', 'writing', 'plan', 'table']);
