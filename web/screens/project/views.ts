// The views of a project and the panel of a task, fetched when first needed.

import type { ProjectView } from '../../routes.ts';
import { type LazyComponent, lazyComponent } from '../../ui/lazy-component.tsx';
import type { ProjectViewProps } from './view-props.ts';

export const views: Readonly<Record<ProjectView, LazyComponent<ProjectViewProps>>> = {
  board: lazyComponent<ProjectViewProps>(() => import('../board/board.tsx')),
  list: lazyComponent<ProjectViewProps>(() => import('../list/list.tsx'), ['table']),
  calendar: lazyComponent<ProjectViewProps>(() => import('../calendar/calendar.tsx'), ['planning']),
  timeline: lazyComponent<ProjectViewProps>(() => import('../timeline/timeline.tsx'), ['planning']),
  dashboard: lazyComponent<ProjectViewProps>(() => import('../dashboard/project-dashboard.tsx'), ['dashboard']),
  agents: lazyComponent<ProjectViewProps>(() => import('../agents/agents.tsx'), ['agents', 'views', 'writing']),
  people: lazyComponent<ProjectViewProps>(() => import('../people/people.tsx'), ['people', 'groups', 'access']),
  settings: lazyComponent<ProjectViewProps>(
    () => import('../settings/settings.tsx'),
    ['exports', 'starters', 'plan', 'table', 'groups'],
  ),
};

export const TaskPanel = lazyComponent(async () => {
  const [panel, { fetchEditor }] = await Promise.all([
    import('../task/task-panel.tsx'),
    import('../task/rich-editor.ts'),
  ]);
  fetchEditor();
  return panel;
}, ['files', 'writing', 'plan', 'table']);
