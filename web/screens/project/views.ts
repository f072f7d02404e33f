// The views of a project and the panel of a task, fetched when first needed.

import type { ProjectView } from '../../routes.ts';
import { screenModules as modules } from '../../screen-modules.ts';
import { type LazyComponent, lazyComponent } from '../../ui/lazy-component.tsx';
import type { ProjectViewProps } from './view-props.ts';

export const views: Readonly<Record<ProjectView, LazyComponent<ProjectViewProps>>> = {
  board: lazyComponent<ProjectViewProps>(modules.board),
  list: lazyComponent<ProjectViewProps>(modules.list, ['table']),
  calendar: lazyComponent<ProjectViewProps>(modules.calendar, ['planning']),
  timeline: lazyComponent<ProjectViewProps>(modules.timeline, ['planning']),
  dashboard: lazyComponent<ProjectViewProps>(modules.dashboard),
  people: lazyComponent<ProjectViewProps>(modules.people, ['people']),
  settings: lazyComponent<ProjectViewProps>(modules.settings, ['exports', 'starters', 'plan', 'table']),
};

export const TaskPanel = lazyComponent(async () => {
  const [panel, { fetchEditor }] = await Promise.all([modules.task(), import('../task/rich-editor.ts')]);
  fetchEditor();
  return panel;
}, ['files', 'writing', 'plan', 'table']);
