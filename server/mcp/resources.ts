// Resources: a task, a project's board and a saved view as Markdown, by addresses that hold keys and ids.

import type { ListResourcesResult, ListResourceTemplatesResult } from '@modelcontextprotocol/server';
import { asData, type Board } from './board.ts';
import { findView, orderOf, queryOfFilter } from './find-views.ts';
import { inboxUri, isAgent, writeInbox } from './inbox.ts';
import { findProject, findTask, readColumns, readProjects } from './names.ts';
import { cutText, plainLine } from './plain-text.ts';
import { writeTask } from './task-markdown.ts';
import { linesOf, readTasks, waitsColumn } from './tasks.ts';

const mostTasks = 200;
export const mimeType = 'text/markdown';

export const resourceTemplates: ListResourceTemplatesResult['resourceTemplates'] = [
  {
    name: 'task',
    title: 'Task',
    uriTemplate: 'kanbase://task/{key}',
    description: 'A task with its comments',
    mimeType,
  },
  {
    name: 'project',
    title: 'Project',
    uriTemplate: 'kanbase://project/{key}',
    description: 'The board of a project',
    mimeType,
  },
  {
    name: 'view',
    title: 'Saved view',
    uriTemplate: 'kanbase://view/{id}',
    description: 'The tasks of a saved view',
    mimeType,
  },
];

export type ResourceKind = 'task' | 'project' | 'view' | 'agent';

export function readUri(uri: string): { readonly kind: ResourceKind; readonly name: string } | null {
  if (uri === inboxUri) return { kind: 'agent', name: 'inbox' };
  const [, kind, name] = /^kanbase:\/\/(task|project|view)\/([\w-]{1,60})$/.exec(uri) ?? [];
  return kind === undefined || name === undefined ? null : { kind: kind as ResourceKind, name };
}

/** Projects and the views of theirs; tasks are found by tools. */
export async function listResources(board: Board): Promise<ListResourcesResult['resources']> {
  const [agent, projects, views] = await Promise.all([
    isAgent(board),
    readProjects(board),
    board.read<readonly { id: string; name: string }[]>('saved_views', [
      ['select', 'id,name'],
      ['order', 'name,id'],
      ['limit', '200'],
    ]),
  ]);
  return [
    ...(agent ? [{ uri: inboxUri, name: 'inbox', title: 'Inbox', mimeType }] : []),
    ...projects.map(({ key, name }) => ({
      uri: `kanbase://project/${key}`,
      name: key,
      title: plainLine(name, 100),
      mimeType,
    })),
    ...views.map(({ id, name }) => ({ uri: `kanbase://view/${id}`, name: plainLine(name, 100), mimeType })),
  ];
}

export async function readResource(board: Board, kind: ResourceKind, name: string): Promise<string> {
  if (kind === 'agent') return writeInbox(board);
  if (kind === 'task') return writeTask(board, await findTask(board, name, waitsColumn));
  return kind === 'project' ? writeProject(board, name) : writeView(board, name);
}

async function writeProject(board: Board, named: string): Promise<string> {
  const project = await findProject(board, named);
  const [[row], columns, tasks] = await Promise.all([
    board.read<readonly { description: string }[]>('projects', [
      ['select', 'description'],
      ['id', `eq.${project.id}`],
    ]),
    readColumns(board, project.id),
    readTasks(
      board,
      [
        ['project_id', `eq.${project.id}`],
        ['archived_at', 'is.null'],
        ['completed_at', 'is.null'],
        ['order', orderOf(null)],
        ['limit', String(mostTasks)],
      ],
      waitsColumn,
    ),
  ]);
  const markdown = asData(
    [
      `# ${project.key} ${plainLine(project.name)}`,
      cutText(row?.description ?? '', 4000),
      `Columns: ${columns.map((one) => `${plainLine(one.name, 60)} (${one.kind}${one.wip_limit === null ? '' : `, limit ${one.wip_limit}`})`).join(', ')}`,
      ...linesOf(tasks).map((line) => line.replace(/^# /, '## ')),
    ]
      .filter((part) => part !== '')
      .join('\n'),
  );
  return tasks.length === mostTasks
    ? `Only the first ${mostTasks} open tasks; find_tasks has the rest.\n${markdown}`
    : markdown;
}

async function writeView(board: Board, named: string): Promise<string> {
  const view = await findView(board, named, null);
  const { more, query } = await queryOfFilter(board, view.filter);
  const tasks = await readTasks(
    board,
    [
      ...(view.project_id === null ? [] : [['project_id', `eq.${view.project_id}`] as const]),
      ['archived_at', 'is.null'],
      ...query,
      ['order', orderOf(view.sort)],
      ['limit', String(mostTasks)],
    ],
    waitsColumn + more,
  );
  return asData([`# ${plainLine(view.name)}`, ...linesOf(tasks).map((line) => line.replace(/^# /, '## '))].join('\n'));
}
