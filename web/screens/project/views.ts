// The views of a project and the panel of a task, fetched when first needed.

import type { ProjectView } from '../../routes.ts';
import { loadFilesMessages } from '../../strings/files.ts';
import { loadWritingMessages } from '../../strings/writing.ts';
import { type Later, later } from '../../ui/later.ts';
import { withPeopleTexts } from '../people/with-people-texts.ts';
import type { ProjectViewProps } from './view-props.ts';

export const views: Readonly<Record<ProjectView, Later<ProjectViewProps>>> = {
  board: later<ProjectViewProps>(() => import('../board/board.tsx')),
  list: later<ProjectViewProps>(() => import('../list/list.tsx')),
  dashboard: later<ProjectViewProps>(() => import('../dashboard/project-dashboard.tsx')),
  people: later<ProjectViewProps>(() => withPeopleTexts(import('../people/people.tsx'))),
  settings: later<ProjectViewProps>(() => import('../settings/settings.tsx')),
};

export const TaskPanel = later(async () => {
  const [panel, { fetchEditor }] = await Promise.all([
    import('../task/task-panel.tsx'),
    import('../task/rich-editor.ts'),
    loadFilesMessages(),
    loadWritingMessages(),
  ]);
  fetchEditor();
  return panel;
});
