// One task as Markdown: head, and the sections that are asked for.

import { asData, type Board } from './board.ts';
import { cutText, plainLine } from './plain-text.ts';
import { addressOf, assigneesOf, keyOf, labelsOf, openPredecessors, type TaskRow } from './tasks.ts';

export const sections = [
  'description',
  'checklist',
  'subtasks',
  'dependencies',
  'fields',
  'attachments',
  'comments',
  'activity',
] as const;
export type Section = (typeof sections)[number];
export const usualSections: readonly Section[] = [
  'description',
  'checklist',
  'subtasks',
  'dependencies',
  'fields',
  'attachments',
  'comments',
];

const mostComments = 20;
const mostCharacters = 20_000;

interface Person {
  readonly display_name: string | null;
}
const nameOf = (person: Person | null): string => plainLine(person?.display_name ?? 'Someone', 40);
const timeOf = (moment: string): string => `${moment.slice(0, 16).replace('T', ' ')} UTC`;

export async function writeTask(
  board: Board,
  task: TaskRow,
  wanted: readonly Section[] = usualSections,
): Promise<string> {
  const [agents, ...parts] = await Promise.all([
    agentsAt(board, task.id),
    ...[...new Set(wanted)].map((section) => writers[section](board, task)),
  ]);
  return asData(
    [[headOf(board, task), ...(agents ?? [])].join('\n'), ...parts.filter((part) => part !== '')].join('\n\n'),
  );
}

export function headOf(board: Board, task: TaskRow): string {
  const blocked = openPredecessors(task);
  const facts = [
    ['Version', String(task.version)],
    ['Project', task.project === null ? '' : plainLine(task.project.name, 80)],
    ['Column', plainLine(task.column?.name ?? '', 80)],
    ['Priority', task.priority],
    ['Assignees', assigneesOf(task).join(', ')],
    ['Labels', labelsOf(task).join(', ')],
    ['Start', task.start_date ?? ''],
    ['Due', task.due_date ?? ''],
    ['Estimate', task.estimate === null ? '' : String(task.estimate)],
    ['Done', task.completed_at === null ? '' : timeOf(task.completed_at)],
    ['Archived', task.archived_at === null ? '' : timeOf(task.archived_at)],
    ['Waits for', blocked.map((one) => keyOf({ ...one, project: task.project })).join(', ')],
    ['Address', addressOf(board, task)],
  ].filter(([, value]) => value !== '');
  return [
    `# ${keyOf(task)} ${plainLine(task.title, 500)}`,
    ...facts.map(([name, value]) => `- ${name}: ${value}`),
  ].join('\n');
}

/** Open sessions about the task. */
async function agentsAt(board: Board, id: string): Promise<readonly string[]> {
  const rows = await board.read<
    readonly { id: string; state: string; profiles: { display_name: string | null } | null }[]
  >('agent_sessions', [
    ['select', 'id,state,profiles!agent_sessions_user_id_fkey(display_name)'],
    ['task_id', `eq.${id}`],
    ['ended_at', 'is.null'],
    ['ends_at', `gt.${new Date().toISOString()}`],
    ['order', 'created_at'],
    ['limit', '10'],
  ]);
  return rows.map((row) => `- Agent: ${nameOf(row.profiles)}, session ${row.id} (${row.state})`);
}

const section = (head: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : [`## ${head}`, ...lines].join('\n');

const writers: Readonly<Record<Section, (board: Board, task: TaskRow) => Promise<string>>> = {
  async description(board, { id }) {
    const [row] = await board.read<readonly { description: string }[]>('tasks', [
      ['select', 'description'],
      ['id', `eq.${id}`],
    ]);
    const words = cutText(row?.description ?? '', mostCharacters);
    return words === '' ? '' : section('Description', [words]);
  },
  async checklist(board, { id }) {
    const rows = await board.read<readonly { title: string; is_done: boolean }[]>('task_checklist_items', [
      ['select', 'title,is_done'],
      ['task_id', `eq.${id}`],
      ['order', 'position,id'],
    ]);
    return section(
      'Checklist',
      rows.map(({ title, is_done: done }) => `- [${done ? 'x' : ' '}] ${plainLine(title, 300)}`),
    );
  },
  async subtasks(board, { id, project }) {
    const rows = await board.read<
      readonly { id: string; number: number; title: string; completed_at: string | null }[]
    >('tasks', [
      ['select', 'id,number,title,completed_at'],
      ['parent_id', `eq.${id}`],
      ['archived_at', 'is.null'],
      ['order', 'number'],
      ['limit', '200'],
    ]);
    return section(
      'Subtasks',
      rows.map(
        (row) => `- [${row.completed_at === null ? ' ' : 'x'}] ${keyOf({ ...row, project })} ${plainLine(row.title)}`,
      ),
    );
  },
  async dependencies(board, { id, project }) {
    const other = 'id,number,title,completed_at';
    const read = (mine: string, theirs: string, at: string) =>
      board.read<
        readonly { other: { id: string; number: number; title: string; completed_at: string | null } | null }[]
      >('task_dependencies', [
        ['select', `other:tasks!task_dependencies_${at}_of_same_project(${other})`],
        [mine, `eq.${id}`],
        ['order', theirs],
      ]);
    const [before, after] = await Promise.all([
      read('successor_id', 'predecessor_id', 'predecessor'),
      read('predecessor_id', 'successor_id', 'successor'),
    ]);
    const lines = (rows: typeof before, words: string): string[] =>
      rows.flatMap(({ other: one }) =>
        one === null
          ? []
          : [
              `- ${words} ${keyOf({ ...one, project })} ${plainLine(one.title)}${one.completed_at === null ? '' : ' (done)'}`,
            ],
      );
    return section('Dependencies', [...lines(before, 'waits for'), ...lines(after, 'blocks')]);
  },
  async fields(board, { id }) {
    const rows = await board.read<readonly { value: unknown; field: { name: string; options: unknown } | null }[]>(
      'task_field_values',
      [
        ['select', 'value,field:custom_fields(name,options)'],
        ['task_id', `eq.${id}`],
      ],
    );
    return section(
      'Fields',
      rows.flatMap(({ value, field }) =>
        field === null ? [] : [`- ${plainLine(field.name, 80)}: ${sayValue(value, field.options)}`],
      ),
    );
  },
  async attachments(board, { id }) {
    const rows = await board.read<readonly { id: string; name: string; content_type: string; size_bytes: number }[]>(
      'task_attachments',
      [
        ['select', 'id,name,content_type,size_bytes'],
        ['task_id', `eq.${id}`],
        ['order', 'created_at,id'],
      ],
    );
    return section(
      'Attachments',
      rows.map(
        (row) =>
          `- ${plainLine(row.name)} (${plainLine(row.content_type, 60)}, ${row.size_bytes} bytes) attachment:${row.id}`,
      ),
    );
  },
  async comments(board, { id }) {
    const rows = await board.read<
      readonly { id: string; parent_id: string | null; body: string; created_at: string; author: Person | null }[]
    >('task_comments', [
      ['select', 'id,parent_id,body,created_at,author:profiles(display_name)'],
      ['task_id', `eq.${id}`],
      ['order', 'created_at.desc,id.desc'],
      ['limit', String(mostComments + 1)],
    ]);
    const shown = rows.slice(0, mostComments).reverse();
    const lines = shown.map(
      (row) =>
        `### ${nameOf(row.author)}, ${timeOf(row.created_at)} (id ${row.id}${row.parent_id === null ? '' : `, answers ${row.parent_id}`})\n${cutText(row.body, 2000)}`,
    );
    return section(rows.length > mostComments ? `Last ${mostComments} comments` : 'Comments', lines);
  },
  async activity(board, { id }) {
    return section('Activity', await recentActivity(board, id, 20));
  },
};

/** Newest first. */
export async function recentActivity(board: Board, taskId: string, most: number): Promise<string[]> {
  const rows = await board.read<readonly { kind: string; change: unknown; created_at: string; actor: Person | null }[]>(
    'task_activity',
    [
      ['select', 'kind,change,created_at,actor:profiles(display_name)'],
      ['task_id', `eq.${taskId}`],
      ['order', 'id.desc'],
      ['limit', String(most)],
    ],
  );
  return rows.map(
    (row) =>
      `- ${timeOf(row.created_at)} ${nameOf(row.actor)}: ${row.kind} ${plainLine(JSON.stringify(row.change), 300)}`,
  );
}

function sayValue(value: unknown, options: unknown): string {
  const names = new Map(
    (Array.isArray(options) ? (options as readonly { id?: string; name?: string }[]) : []).map((one) => [
      one.id,
      one.name,
    ]),
  );
  const words = [value].flat().map((one) => (typeof one === 'string' ? (names.get(one) ?? one) : JSON.stringify(one)));
  return plainLine(words.join(', '), 500);
}
