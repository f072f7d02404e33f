// Cases of the data bench. Each is one HTTP request with a hole for a number, and the same request to Postgres is made from it by the data
// door's own stages, so that both sides run the same statements.

export interface Case {
  readonly name: string;
  readonly method: string;
  /** Below /rest/v1; `{id}` is the id of a random task. */
  readonly path: string;
  readonly prefer?: string;
  /** `{id}` and `{n}` may stand in it; several bodies are taken by turns. */
  readonly bodies?: readonly string[];
  /** Which project's tasks `{id}` ranges over, and how many there are. */
  readonly project: number;
  readonly tasks: number;
  /** What it writes makes the next measure slower, so it comes late. */
  readonly writes: boolean;
}

/** The fill's own numbering. */
export const projectId = (n: number): string => `00000000-0000-4000-9000-${String(n).padStart(12, '0')}`;
const columnId = (project: number, column: number): string =>
  `00000000-0000-4000-a${String(column).padStart(3, '0')}-${String(project).padStart(12, '0')}`;
const BOARD = 'id,number,title,priority,column_id,order_rank,due_date,completed_at';

export function cases(idOf: (project: number, task: number) => string): readonly Case[] {
  const set = (start: number): string =>
    JSON.stringify(
      Array.from({ length: 100 }, (_, index) => ({
        id: idOf(1, start * 100 + index + 1),
        project_id: projectId(1),
        column_id: columnId(1, 1 + (((start * 100 + index + 1) * 7 + 1) % 4)),
        title: `Upserted ${start * 100 + index + 1}`,
      })),
    );
  const read = { method: 'GET', writes: false } as const;
  return [
    { ...read, name: 'one task by id', path: '/tasks?id=eq.{id}', project: 1, tasks: 50_000 },
    {
      ...read,
      name: 'a list of 200 tasks',
      path: `/tasks?select=${BOARD}&project_id=eq.${projectId(4)}&order=column_id,order_rank`,
      project: 4,
      tasks: 200,
    },
    {
      ...read,
      name: '50 tasks with assignees and labels',
      path: `/tasks?select=id,title,task_assignees(user_id,profiles(display_name)),task_label_links(task_labels(name,color))&project_id=eq.${projectId(3)}&order=column_id,order_rank&limit=50`,
      project: 3,
      tasks: 5000,
    },
    {
      ...read,
      name: '50 of 5,000 tasks, count=exact',
      path: `/tasks?select=id,title&project_id=eq.${projectId(3)}&order=column_id,order_rank&limit=50`,
      prefer: 'count=exact',
      project: 3,
      tasks: 5000,
    },
    {
      name: 'update a task by id',
      method: 'PATCH',
      path: '/tasks?id=eq.{id}',
      bodies: ['{"title":"Renamed {n}"}'],
      project: 1,
      tasks: 50_000,
      writes: true,
    },
    {
      name: 'insert a task',
      method: 'POST',
      path: '/tasks',
      bodies: Array.from({ length: 16 }, (_, index) =>
        JSON.stringify({ project_id: projectId(5 + index), column_id: columnId(5 + index, 1), title: 'A new task' }),
      ),
      project: 5,
      tasks: 228,
      writes: true,
    },
    {
      name: 'move_task',
      method: 'POST',
      path: '/rpc/move_task',
      bodies: [`{"task_id":"{id}","column_id":"${columnId(3, 2)}"}`],
      project: 3,
      tasks: 5000,
      writes: true,
    },
    {
      name: 'upsert 100 tasks',
      method: 'POST',
      path: '/tasks',
      prefer: 'resolution=merge-duplicates',
      bodies: Array.from({ length: 16 }, (_, index) => set(100 + index)),
      project: 1,
      tasks: 50_000,
      writes: true,
    },
  ];
}
