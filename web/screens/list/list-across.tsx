// The list of a view across projects: the rows, columns and cells that the list of a project has, of what the server found. What only one
// project has is not there: a new task, many at once, an outline.

import { noFilter } from '../../../contract/views.ts';
import { useFoundTasks } from '../../queries/tasks/found-tasks.ts';
import { emptyColumnsOf, groupedListOf, useQuery } from '../../queries.ts';
import { DisplayButton } from '../project/display/display-button.tsx';
import { useWritable } from '../project/use-writable.ts';
import type { AcrossProps } from '../project/view-props.ts';
import { AcrossFrame } from '../views/across-frame.tsx';
import { useTable } from './columns.ts';
import { TaskList } from './task-list.tsx';

export default function ListAcross({ handle, children }: AcrossProps) {
  const { grouping, sort } = handle.view;
  const { data: found, state } = useFoundTasks(handle.filter, sort);
  const ids = found?.ids ?? [];
  const list = useQuery(groupedListOf, ids, noFilter, grouping, sort);
  const emptyColumns = useQuery(emptyColumnsOf, ids, noFilter);
  const table = useTable('', handle, emptyColumns);
  return (
    <AcrossFrame
      {...{ handle, found, state }}
      layouts={children}
      choices={<DisplayButton projectId="" handle={handle} table={table} />}
    >
      <TaskList projectId="" home={null} {...{ handle, list, table, emptyColumns }} {...useWritable()} />
    </AcrossFrame>
  );
}
