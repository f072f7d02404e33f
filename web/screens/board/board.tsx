// The board of a project: columns side by side, of states or of what a view says.

import { useCallback } from 'react';
import type { Grouping } from '../../../contract/views.ts';
import { boardOf, columnsOf, type TaskRow, useQuery } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { ButtonLink } from '../../ui/button-link.tsx';
import { EmptyState } from '../../ui/list-states.tsx';
import { DisplayButton } from '../project/display/display-button.tsx';
import { FilterBar } from '../project/filter-bar.tsx';
import { useProjectRights } from '../project/use-project-rights.ts';
import { useView } from '../project/view-handle.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import { BoardBody } from './board-body.tsx';
import { BoardSkeleton } from './board-skeleton.tsx';

const ofMembers: readonly Grouping[] = ['assignee', 'parent', 'project'];

export default function ProjectBoard({ project, loading }: ProjectViewProps) {
  const handle = useView('board');
  const { grouping, lanes, sort } = handle.view;
  const board = useQuery(boardOf, project.id, handle.filter, grouping, lanes, sort);
  const columns = useQuery(columnsOf, project.id);
  const { writes, edits, mayEdit } = useProjectRights(project);
  // Guests change neither who works on a task nor where it belongs.
  const moves = writes || [grouping, lanes].every((by) => by === null || !ofMembers.includes(by));
  const mayMove = useCallback((task: TaskRow) => moves && mayEdit(task), [moves, mayEdit]);
  if (loading || handle.state === 'waiting') return <BoardSkeleton />;
  if (columns.length === 0) return <EmptyBoard projectId={project.id} canWrite={writes} />;
  const home = writes ? (columns.find(({ kind }) => kind === 'todo') ?? columns[0] ?? null) : null;
  return (
    <>
      <FilterBar projectId={project.id} handle={handle} shown={board.shown} total={board.total}>
        <DisplayButton projectId={project.id} handle={handle} />
      </FilterBar>
      <BoardBody projectId={project.id} {...{ handle, board, home, mayMove }} canWrite={edits} />
    </>
  );
}

/** A board without a column says so, and shows who may make one where to. */
function EmptyBoard({ projectId, canWrite }: { projectId: string; canWrite: boolean }) {
  return (
    <EmptyState
      title={t('board.emptyBoard')}
      action={
        canWrite && (
          <ButtonLink href={paths.project(projectId, 'settings')} look="main">
            {t('projects.views.settings')}
          </ButtonLink>
        )
      }
    >
      <p>{t('board.emptyBoardWords')}</p>
    </EmptyState>
  );
}
