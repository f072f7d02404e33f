// Tasks as tools read and say them: one compact line each.

import type { Board, Query } from './board.ts';
import { plainLine } from './plain-text.ts';

export interface TaskRow {
  readonly id: string;
  readonly project_id: string;
  readonly column_id: string;
  readonly parent_id: string | null;
  readonly number: number;
  readonly title: string;
  readonly priority: string;
  readonly start_date: string | null;
  readonly due_date: string | null;
  readonly estimate: number | null;
  readonly completed_at: string | null;
  readonly archived_at: string | null;
  readonly updated_at: string;
  readonly version: number;
  /** Null for guests, who see tasks and not their project. */
  readonly project: { readonly key: string; readonly name: string } | null;
  readonly column: { readonly name: string; readonly kind: string } | null;
  readonly task_assignees: readonly {
    readonly user_id: string;
    readonly profiles: { readonly display_name: string | null } | null;
  }[];
  readonly task_label_links: readonly {
    readonly label_id: string;
    readonly task_labels: { readonly name: string } | null;
  }[];
  readonly waits?: readonly { readonly predecessor: Predecessor | null }[];
}
export interface Predecessor {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly completed_at: string | null;
  readonly archived_at: string | null;
}

export const taskColumns = [
  'id,project_id,column_id,parent_id,number,title,priority,start_date,due_date,estimate,completed_at,archived_at,updated_at,version',
  'project:projects(key,name)',
  'column:workflow_columns(name,kind)',
  'task_assignees(user_id,profiles(display_name))',
  'task_label_links(label_id,task_labels(name))',
].join();

export const waitsColumn =
  ',waits:task_dependencies!task_dependencies_successor_of_same_project(predecessor:tasks!task_dependencies_predecessor_of_same_project(id,number,title,completed_at,archived_at))';

export const readTasks = (board: Board, query: Query, more = ''): Promise<readonly TaskRow[]> =>
  board.read('tasks', [['select', taskColumns + more], ...query]);

export const keyOf = ({ project, number, id }: Pick<TaskRow, 'project' | 'number' | 'id'>): string =>
  project === null ? id : `${project.key}-${number}`;
export const addressOf = (
  board: Board,
  { project_id: project, number }: Pick<TaskRow, 'project_id' | 'number'>,
): string => `${board.siteUrl}/app/projects/${project}/board/${number}`;
export const assigneesOf = (task: TaskRow): string[] =>
  task.task_assignees.map(({ profiles }) => plainLine(profiles?.display_name ?? 'Someone', 40));
export const labelsOf = (task: TaskRow): string[] =>
  task.task_label_links.flatMap(({ task_labels: label }) => (label === null ? [] : [plainLine(label.name, 40)]));
export const openPredecessors = (task: Pick<TaskRow, 'waits'>): readonly Predecessor[] =>
  (task.waits ?? []).flatMap(({ predecessor }) =>
    predecessor === null || predecessor.completed_at !== null || predecessor.archived_at !== null ? [] : [predecessor],
  );

/** The usual priority is left out. */
export function lineOf(task: TaskRow): string {
  const people = assigneesOf(task);
  const labels = labelsOf(task);
  const blocked = task.completed_at === null ? openPredecessors(task) : [];
  return [
    `${keyOf(task)} v${task.version}`,
    ...(task.priority === 'p2' ? [] : [task.priority]),
    plainLine(task.title, 120),
    ...(people.length > 0 ? [people.map((name) => `@${name}`).join(' ')] : []),
    ...labels.map((name) => `#${name}`),
    ...(task.due_date === null ? [] : [`due ${task.due_date}`]),
    ...(blocked.length > 0
      ? [`waits for ${blocked.map((one) => keyOf({ ...one, project: task.project })).join(', ')}`]
      : []),
    ...(task.archived_at === null ? [] : ['archived']),
  ].join(' ');
}

/** Lines under heads of their project and column. */
export function linesOf(tasks: readonly TaskRow[]): string[] {
  const lines: string[] = [];
  let head = '';
  for (const task of tasks) {
    const next = `# ${task.project === null ? 'Shared with you' : `${task.project.key} ${plainLine(task.project.name, 60)}`} / ${plainLine(task.column?.name ?? '', 60)}`;
    if (next !== head) lines.push(next);
    head = next;
    lines.push(lineOf(task));
  }
  return lines;
}
