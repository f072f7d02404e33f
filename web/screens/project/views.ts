// The views of a project and the panel of a task, fetched when first needed.

import type { ProjectView } from '../../routes.ts';
import { loadFilesMessages } from '../../strings/files.ts';
import { loadPlanMessages } from '../../strings/plan.ts';
import { loadWritingMessages } from '../../strings/writing.ts';
import { type Later, later } from '../../ui/later.tsx';
import { withExportTexts } from '../exports/with-export-texts.ts';
import { withTableTexts } from '../list/with-table-texts.ts';
import { withPeopleTexts } from '../people/with-people-texts.ts';
import { withPlanningTexts } from '../planning/with-planning-texts.ts';
import { withStarterTexts } from '../projects/with-starter-texts.ts';
import type { ProjectViewProps } from './view-props.ts';

export const views: Readonly<Record<ProjectView, Later<ProjectViewProps>>> = {
  board: later<ProjectViewProps>(() => import('../board/board.tsx')),
  list: later<ProjectViewProps>(() => withTableTexts(import('../list/list.tsx'))),
  calendar: later<ProjectViewProps>(() => withPlanningTexts(import('../calendar/calendar.tsx'))),
  timeline: later<ProjectViewProps>(() => withPlanningTexts(import('../timeline/timeline.tsx'))),
  dashboard: later<ProjectViewProps>(() => import('../dashboard/project-dashboard.tsx')),
  people: later<ProjectViewProps>(() => withPeopleTexts(import('../people/people.tsx'))),
  settings: later<ProjectViewProps>(async () => {
    const [screen] = await Promise.all([
      withExportTexts(withStarterTexts(import('../settings/settings.tsx'))),
      loadPlanMessages(),
    ]);
    return screen;
  }),
};

export const TaskPanel = later(async () => {
  const [panel, { fetchEditor }] = await Promise.all([
    import('../task/task-panel.tsx'),
    import('../task/rich-editor.ts'),
    loadFilesMessages(),
    loadWritingMessages(),
    loadPlanMessages(),
  ]);
  fetchEditor();
  return panel;
});
