// Prompts that people choose in their client: a stand-up, triage, and a plan of a release.

import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import type { Board } from './board.ts';
import { asData } from './board.ts';
import { readTime } from './find-views.ts';
import { findProject } from './names.ts';
import { cutText, plainLine } from './plain-text.ts';
import { ToolFault } from './tool-fault.ts';

const project = { name: 'project', description: 'Key of the project', required: true } as const;

interface Declared extends Prompt {
  readonly write: (project: string, args: Readonly<Record<string, string>>) => string;
}

const declared: readonly Declared[] = [
  {
    name: 'stand_up',
    title: 'Stand-up',
    description: 'Summarizes what’s done, in progress and blocked',
    arguments: [project, { name: 'since', description: 'ISO time; a day ago when left out', required: false }],
    write: (named, { since }) =>
      `Write a stand-up for ${named}. With find_tasks, look at tasks changed since ${since === undefined ? new Date(Date.now() - 86_400_000).toISOString() : readTime(since)} (state all), then at those in progress and those that are blocked (filter {"all":[{"property":"blocked","is":"is","value":"yes"}]}). For each blocked one, call explain with about: blocked. Answer in three short lists, Done, Doing and Blocked, with keys and names. Change nothing.`,
  },
  {
    name: 'triage',
    title: 'Triage',
    description: 'Sorts new tasks: priority, labels, people, duplicates',
    arguments: [project],
    write: (named) =>
      `Triage the open tasks of ${named} that stand in its first column and have nobody assigned. Read each with get_task, and search for duplicates with find_tasks (text). Propose priority, labels and a person for each in a table, and name duplicates. Ask me before you change anything; then save with update_tasks and the versions you read.`,
  },
  {
    name: 'plan_release',
    title: 'Plan a release',
    description: 'Turns a text into tasks with subtasks and dependencies',
    arguments: [project, { name: 'text', description: 'Notes, a specification or a list of wishes', required: true }],
    write: (named, { text = '' }) =>
      `Plan a release in ${named} from the text below. Look at what exists with find_tasks first. Then propose tasks: a title that begins with a verb, a description that says when it is done, a priority, subtasks by parent, and what it waits for. Ask me before you create them with create_tasks, in one call where they refer to each other (#1 is the first of the call).\n${asData(cutText(text, 50_000))}`,
  },
];

export const prompts: readonly Prompt[] = declared.map(({ write: _, ...prompt }) => prompt);

export async function writePrompt(
  board: Board,
  name: string,
  args: Readonly<Record<string, string>>,
): Promise<GetPromptResult> {
  const prompt = declared.find((one) => one.name === name);
  if (prompt === undefined)
    throw new ToolFault(
      `There is no prompt ${plainLine(name, 60)}. There are: ${declared.map((one) => one.name).join(', ')}.`,
    );
  for (const { name: needed, required } of prompt.arguments ?? [])
    if (required === true && (args[needed] ?? '').trim() === '')
      throw new ToolFault(`The prompt ${name} needs ${needed}.`);
  const { key } = await findProject(board, args.project ?? '');
  return {
    ...(prompt.description === undefined ? {} : { description: prompt.description }),
    messages: [
      {
        role: 'user',
        // The key alone: a name could hold orders.
        content: { type: 'text', text: prompt.write(key, args) },
      },
    ],
  };
}
