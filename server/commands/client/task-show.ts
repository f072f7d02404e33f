// `kanbase task show`: one task with what it waits for and its comments.

import type { ClientCall, ClientCommand } from './client-command.ts';
import { projectFlag } from './projects.ts';
import { openPredecessors, type Predecessor, waitsColumn } from './task-list.ts';
import { addressOf, assigneesOf, findTask, keyOf, labelsOf, plainTask, readTasks } from './tasks.ts';
import { cleanLine, cleanText, paint, sayFacts, sayJson } from './write-output.ts';

export const taskShow: ClientCommand = {
  name: 'task show',
  summary: 'Show a task with its description and comments.',
  words: [{ name: 'TASK', meaning: 'WEB-12, or 12 in the usual project.' }],
  flags: [projectFlag],
  examples: ['npx kanbase task show WEB-12', 'npx kanbase task show 12 --json'],
  run: show,
};

interface Comment {
  readonly id: string;
  readonly parent_id: string | null;
  readonly body: string;
  readonly created_at: string;
  readonly author: { readonly display_name: string | null } | null;
}

interface Part {
  readonly number: number;
  readonly completed_at: string | null;
}

async function show(call: ClientCall): Promise<void> {
  const instance = await call.instance();
  const { screen } = call;
  const task = await findTask(call, call.words[0] ?? '');
  const [[further], comments, parts] = await Promise.all([
    readTasks(instance, [['id', `eq.${task.id}`]], waitsColumn) as unknown as Promise<
      readonly { waits: readonly { predecessor: Predecessor | null }[] }[]
    >,
    instance.read<readonly Comment[]>('task_comments', [
      ['select', 'id,parent_id,body,created_at,author:profiles(display_name)'],
      ['task_id', `eq.${task.id}`],
      ['order', 'created_at,id'],
    ]),
    instance.read<readonly Part[]>('tasks', [
      ['select', 'number,completed_at'],
      ['parent_id', `eq.${task.id}`],
      ['archived_at', 'is.null'],
    ]),
  ]);
  const waits = openPredecessors({ waits: further?.waits ?? [] }).map((number) => `${task.project.key}-${number}`);
  if (call.flags.has('json'))
    return sayJson(screen, {
      ...plainTask(instance, task),
      waits_for: waits,
      subtasks: parts.map(({ number, completed_at: at }) => ({
        key: `${task.project.key}-${number}`,
        is_done: at !== null,
      })),
      comments: comments.map(({ author, ...comment }) => ({ ...comment, author: author?.display_name ?? null })),
    });
  screen.say(`${paint(screen, 'bold', keyOf(task))}  ${paint(screen, 'bold', cleanLine(task.title))}`);
  sayFacts(screen, [
    ['Project', task.project.name],
    ['Column', task.column?.name ?? null],
    ['Priority', task.priority.toUpperCase()],
    ['Start', task.start_date],
    ['Due', task.due_date],
    ['Estimate', task.estimate === null ? null : String(task.estimate)],
    ['Assignees', assigneesOf(task).join(', ')],
    ['Labels', labelsOf(task).join(', ')],
    ['Waits for', waits.join(', ')],
    [
      'Subtasks',
      parts.length === 0
        ? null
        : `${parts.filter((part) => part.completed_at !== null).length} of ${parts.length} done`,
    ],
    ['Address', addressOf(instance, task)],
  ]);
  if (task.description.trim() !== '') screen.say(`\n${readable(task.description)}`);
  for (const { author, body, created_at: at, parent_id: parent } of comments) {
    const name = author?.display_name ?? 'Someone';
    const indent = parent === null ? '' : '  ';
    screen.say(`\n${indent}${paint(screen, 'bold', cleanLine(name))} ${paint(screen, 'dim', timeOf(at))}`);
    screen.say(readable(body).replaceAll(/^/gm, indent));
  }
}

/** Mentions as names. */
const readable = (text: string): string =>
  cleanText(text)
    .trim()
    .replaceAll(/@\[([^[\]]{1,200})\]\([^()@]{1,100}\)/g, '@$1');

const timeOf = (moment: string): string => new Date(moment).toISOString().slice(0, 16).replace('T', ' ');
