// The task that the palette creates from typed text: its line, read like any quick line, offers for the sign at the caret, and its project.

import { type RefObject, useMemo } from 'react';
import { createTasks, useAct } from '../../commands.ts';
import { useLineOffers } from '../../pieces/quick-line/use-line-offers.tsx';
import { draftOf, type QuickLine, useQuickLine } from '../../pieces/quick-line/use-quick-line.ts';
import { columnsOf, type ProjectRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import type { Offer } from '../../ui/fields/offer-list.tsx';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import { columnForNew, useNewTaskProjects } from '../board/new-task-place.ts';

export interface PaletteTask {
  readonly line: QuickLine;
  readonly title: string;
  readonly project: ProjectRow;
  /** Signs say that a task is meant, not something that is looked for. */
  readonly meant: boolean;
  readonly create: () => void;
}

export function usePaletteTask(field: RefObject<HTMLInputElement | null>) {
  const act = useAct();
  const { projects, likely } = useNewTaskProjects();
  const project = projects.find(({ id }) => id === likely) ?? projects[0];
  const projectId = project?.id ?? '';
  const line = useQuickLine(projectId);
  const column = columnForNew(useQuery(columnsOf, projectId));
  const { sign, items, readCaret } = useLineOffers(line, field);
  const [read] = line.lines;
  const offered = sign !== null && line.text.slice(0, sign.from).trim() !== '' && project !== undefined;
  const offers: readonly Offer[] = offered ? items : none;
  const meant = offers.length > 0 || read?.parts.some(({ typed }) => /^[@#!^]/.test(typed)) === true;
  const task = useMemo((): PaletteTask | null => {
    if (read === undefined || project === undefined || column === undefined) return null;
    return {
      ...{ line, title: read.title, project, meant },
      create() {
        line.readToAdd([line.text], (tasks) => {
          const drafts = tasks.map((one) => draftOf(one));
          void act(createTasks, { projectId, columnId: column.id }, drafts);
        });
        showMessage(t('common.bar.added', { column: column.name, project: project.name }), 2500);
      },
    };
  }, [act, line, read, project, projectId, column, meant]);
  return { line, task, offers, readCaret };
}

const none: readonly Offer[] = [];
