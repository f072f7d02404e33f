// `explain`: what blocks a task, who may see and change it, and what a change would mean before it is made.

import { choice, fields, object, text } from '../../http/open-api.ts';
import { asData, type Board } from '../board.ts';
import { findTask, readColumns, readMembers } from '../names.ts';
import { plainLine } from '../plain-text.ts';
import { changesOf, taskChange } from '../task-changes.ts';
import { keyOf, openPredecessors, readTasks, type TaskRow, waitsColumn } from '../tasks.ts';
import { argumentsOf, declareTool } from '../tool.ts';
import { ToolFault } from '../tool-fault.ts';

export const explain = declareTool({
  name: 'explain',
  title: 'Explain',
  description: 'Explains what blocks a task, who can see and change it, or what a change would do. Saves nothing.',
  scope: 'read',
  hints: { readOnly: true, idempotent: true },
  input: object({
    task: text(),
    about: choice(['blocked', 'who', 'change']),
    'change?': fields('Fields to change, as in update_tasks, without task and version'),
  }),
  output: object({ answer: text() }),
  async run({ task: named, about, change }, { board }) {
    const task = await findTask(board, named, waitsColumn);
    const { said, others } =
      about === 'blocked'
        ? await blocked(board, task)
        : about === 'who'
          ? await who(board, task)
          : await previewChange(board, task, change);
    const answer = [...said, ...(others.length === 0 ? [] : [asData(others.join('\n'))])].join('\n');
    return { structured: { answer }, text: answer };
  },
});

interface Explained {
  /** The server's own statements, outside the mark. */
  readonly said: readonly string[];
  /** Lines with titles and names. */
  readonly others: readonly string[];
}

/** Its fields are not listed again: each costs every conversation. */
const readChange = argumentsOf('explain', object(taskChange));

async function blocked(board: Board, task: TaskRow): Promise<Explained> {
  const key = keyOf(task);
  if (task.completed_at !== null) return { said: [`${key} is done.`], others: [] };
  const lines: string[] = [];
  const seen = new Set([task.id]);
  let layer: readonly TaskRow[] = [task];
  for (let depth = 0; depth < 5 && layer.length > 0; depth++) {
    const next: string[] = [];
    for (const one of layer)
      for (const before of openPredecessors(one)) {
        if (lines.length < 60)
          lines.push(
            `${'  '.repeat(depth)}${keyOf(one)} waits for ${keyOf({ ...one, ...before })} ${plainLine(before.title)}`,
          );
        if (!seen.has(before.id)) next.push(before.id);
        seen.add(before.id);
      }
    layer = next.length === 0 ? [] : await readTasks(board, [['id', `in.(${next.slice(0, 100).join()})`]], waitsColumn);
  }
  const [claim] = await claimsOf(board, task.id);
  if (claim !== undefined) lines.push(`Claimed by ${claim}.`);
  const columns = await readColumns(board, task.project_id);
  const counts = await Promise.all(
    columns
      .filter(({ wip_limit: limit }) => limit !== null)
      .map(async (column) => {
        const rows = await board.read<readonly unknown[]>('tasks', [
          ['select', 'id'],
          ['column_id', `eq.${column.id}`],
          ['archived_at', 'is.null'],
          ['limit', String((column.wip_limit ?? 0) + 1)],
        ]);
        return rows.length >= (column.wip_limit ?? 0)
          ? `Column ${plainLine(column.name, 60)} is at its limit of ${column.wip_limit}.`
          : null;
      }),
  );
  lines.push(...counts.filter((line) => line !== null));
  if (lines.length === 0) return { said: [`Nothing blocks ${key}.`], others: [] };
  const before = openPredecessors(task).map((one) => keyOf({ ...task, ...one }));
  return {
    said: [
      ...(before.length === 0 ? [] : [`${key} waits for ${before.join(', ')}.`]),
      'Blockers, claims and full columns:',
    ],
    others: lines,
  };
}

interface Claimed {
  readonly expires_at: string;
  readonly claimant: { readonly display_name: string | null } | null;
}

async function claimsOf(board: Board, taskId: string): Promise<readonly string[]> {
  const rows = await board.read<readonly Claimed[]>('task_claims', [
    ['select', 'expires_at,claimant:profiles(display_name)'],
    ['task_id', `eq.${taskId}`],
    ['ended_at', 'is.null'],
    ['expires_at', `gt.${new Date().toISOString()}`],
  ]);
  return rows.map((row) => `${plainLine(row.claimant?.display_name ?? 'Someone', 40)} until ${row.expires_at}`);
}

interface Grant {
  readonly level: string;
  readonly user_id: string | null;
  readonly groups: { readonly name: string } | null;
}

async function who(board: Board, task: TaskRow): Promise<Explained> {
  const [members, [row], grants, role] = await Promise.all([
    readMembers(board, task.project_id),
    board.read<readonly { is_restricted: boolean; audience_id: string | null }[]>('tasks', [
      ['select', 'is_restricted,audience_id'],
      ['id', `eq.${task.id}`],
    ]),
    board.read<readonly Grant[]>('task_grants', [
      ['select', 'level,user_id,groups(name)'],
      ['task_id', `eq.${task.id}`],
    ]),
    board.call<string | null>('current_project_role', { project_id: task.project_id }),
  ]);
  const guests = grants.flatMap(({ user_id: id }) => id ?? []);
  const people = await (guests.length === 0
    ? []
    : board.read<readonly { id: string; display_name: string | null }[]>('profiles', [
        ['select', 'id,display_name'],
        ['id', `in.(${guests.join()})`],
      ]));
  const nameOf = ({ user_id: id, groups: group }: Grant): string =>
    plainLine(group?.name ?? people.find((one) => one.id === id)?.display_name ?? 'Someone', 40);
  const named = (wanted: string): string =>
    members
      .filter((one) => one.role === wanted)
      .slice(0, 50)
      .map(({ name }) => plainLine(name, 40))
      .join(', ');
  const { scope } = board.claims;
  return {
    said: [
      `You: ${role ?? 'guest'}${scope === undefined ? '' : `, with a token for ${scope}`}.`,
      ...(row?.is_restricted === true || row?.audience_id != null
        ? ['Restricted: only people named on it, those who work on it, and owners see it.']
        : []),
    ],
    others: [
      `Owners (all, also settings and members): ${named('owner')}`,
      `Editors (change and comment): ${named('editor') || 'none'}`,
      `Viewers (read; comment where the project allows it): ${named('viewer') || 'none'}`,
      ...grants.map((grant) => `Shared with ${nameOf(grant)}: ${grant.level}`),
    ],
  };
}

const comparedFields = [
  'title',
  'priority',
  'start_date',
  'due_date',
  'estimate',
  'completed_at',
  'archived_at',
  'column_id',
  'description',
] as const;
type After = readonly {
  readonly table: string;
  readonly change: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}[];

const unchanged: Explained = { said: ['Nothing would change.'], others: [] };

async function previewChange(board: Board, task: TaskRow, given: object = {}): Promise<Explained> {
  const change = readChange(given);
  if (Object.keys(change).length === 0) throw new ToolFault('Give the change, such as {"column": "Done"}.', 'KB884');
  const changes = await changesOf(board, task, change, null);
  if (changes.length === 0) return unchanged;
  const [[before], columns] = await Promise.all([
    board.read<readonly Readonly<Record<string, unknown>>[]>('tasks', [['id', `eq.${task.id}`]]),
    readColumns(board, task.project_id),
  ]);
  const after = await board.dryRun<After>(changes, task.project_id).catch((error: unknown) => {
    if (error instanceof ToolFault) return error;
    throw error;
  });
  if (after instanceof ToolFault) return { said: [`It would be refused: ${after.message}`], others: [] };
  const columnName = (id: unknown): unknown => columns.find((one) => one.id === id)?.name ?? id;
  const say = (name: string, value: unknown): string =>
    plainLine(JSON.stringify(name === 'column_id' ? columnName(value) : value) ?? 'null', 200);
  const rows = after.filter(({ table }) => table === 'tasks').flatMap(({ rows: of }) => of);
  const last: Record<string, unknown> = Object.assign({}, ...rows);
  const lines = comparedFields
    .filter((name) => name in last && last[name] !== before?.[name])
    .map((name) => `${name.replace(/_id$/, '')}: ${say(name, before?.[name])} → ${say(name, last[name])}`);
  const links = after
    .filter(({ table }) => table !== 'tasks')
    .map(({ table, change: verb, rows: of }) => `${verb} in ${table}: ${of.length}`);
  return lines.length + links.length === 0
    ? unchanged
    : { said: ['It would change this; nothing is saved:'], others: [...lines, ...links] };
}
