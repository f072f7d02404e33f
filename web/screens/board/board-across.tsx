// The board of a view across projects: columns of what tasks of all projects can have in common, and lanes of it. A new task begins elsewhere,
// where it has a project.

import { noFilter } from '../../../contract/views.ts';
import { useFoundTasks } from '../../queries/tasks/found-tasks.ts';
import { boardOf, useQuery } from '../../queries.ts';
import { DisplayButton } from '../project/display/display-button.tsx';
import { useWritable } from '../project/use-writable.ts';
import type { AcrossProps } from '../project/view-props.ts';
import { AcrossFrame } from '../views/across-frame.tsx';
import { BoardBody } from './board-body.tsx';

export default function BoardAcross({ handle, children }: AcrossProps) {
  const { grouping, lanes, sort } = handle.view;
  const { data: found, state } = useFoundTasks(handle.filter, sort);
  const board = useQuery(boardOf, found?.ids ?? [], noFilter, grouping, lanes, sort);
  const { canWrite, mayChange } = useWritable();
  return (
    <AcrossFrame
      {...{ handle, found, state }}
      layouts={children}
      choices={<DisplayButton projectId="" handle={handle} />}
    >
      <BoardBody projectId="" home={null} mayMove={mayChange} {...{ handle, board, canWrite }} />
    </AcrossFrame>
  );
}
