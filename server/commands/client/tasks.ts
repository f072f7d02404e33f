// Tasks as client commands read them: found by key or number, and with the names of what they point to.

import { CommandError, UsageError } from '../command.ts';
import type { ClientCall } from './client-command.ts';
import type { Instance } from './instance.ts';
import { chosenProject, type Project, readProjects, requireProject } from './projects.ts';
import { type Column, cleanLine } from './write-output.ts';

export interface Task {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly description: string;
  readonly priority: string;
  readonly start_date: string | null;
  readonly due_date: string | null;
  readonly estimate: number | null;
  readonly completed_at: string | null;
  readonly created_at: string;
  readonly project: Project;
  readonly column: { readonly id: string; readonly name: string; readonly kind: string } | null;
  readonly task_assignees: readonly { readonly profiles: { readonly display_name: string | null } | null }[];
  readonly task_label_links: readonly { readonly task_labels: { readonly name: string } | null }[];
}

export const taskColumns = [
  'id,number,title,description,priority,start_date,due_date,estimate,completed_at,created_at',
  'project:projects!inner(id,key,name)',
  'column:workflow_columns!inner(id,name,kind)',
  'task_assignees(profiles(display_name))',
  'task_label_links(task_labels(name))',
].join(',');

export const keyOf = ({ project, number }: Pick<Task, 'number' | 'project'>): string =>
  cleanLine(`${project.key}-${number}`);
export const assigneesOf = (task: Task): string[] =>
  task.task_assignees.map(({ profiles }) => profiles?.display_name ?? 'Someone');
export const labelsOf = (task: Task): string[] =>
  task.task_label_links.flatMap(({ task_labels: label }) => (label === null ? [] : [label.name]));

/** As `--json` has it, whatever else was read to find it. */
export function plainTask(instance: Instance, task: Task): Record<string, unknown> {
  const { id, number, title, description, priority, start_date, due_date, estimate } = task;
  return {
    key: keyOf(task),
    ...{ id, number, title, description, priority, start_date, due_date, estimate },
    completed_at: task.completed_at,
    created_at: task.created_at,
    project: task.project,
    column: task.column?.name ?? null,
    assignees: assigneesOf(task),
    labels: labelsOf(task),
    url: addressOf(instance, task),
  };
}

export const addressOf = (instance: Instance, { project, number }: Pick<Task, 'number' | 'project'>): string =>
  cleanLine(`${instance.address}/app/projects/${project.id}/board/${number}`);

export const listColumns: readonly Column<Task>[] = [
  { head: 'TASK', text: keyOf, tone: 'bold' },
  { head: 'TITLE', text: ({ title }) => title, isElastic: true },
  { head: 'COLUMN', text: ({ column }) => column?.name ?? '' },
  { head: 'PRIORITY', text: ({ priority }) => priority.toUpperCase() },
  { head: 'DUE', text: ({ due_date: due }) => due ?? '' },
  { head: 'ASSIGNEES', text: (task) => assigneesOf(task).join(', '), tone: 'dim' },
];

/** `WEB-12`, or `12` in the usual project; the address of a task too. */
export async function findTask(call: ClientCall, named: string): Promise<Task> {
  const instance = await call.instance();
  const { project, number } = await placeOf(call, instance, named);
  // Also by a key that it had in another project.
  const [at] = await instance.call<readonly { id: string }[]>('task_at', { project_id: project.id, number });
  const [task] = at === undefined ? [] : await readTasks(instance, [['id', `eq.${at.id}`]]);
  if (task !== undefined) return task;
  throw new CommandError(
    `${project.key}-${number} is not there, or you can't see it. npx kanbase task list shows what is`,
  );
}

async function placeOf(
  call: ClientCall,
  instance: Instance,
  named: string,
): Promise<{ readonly project: Project; readonly number: number }> {
  const [, key, digits] = /^(?:([a-z][a-z0-9]*)-)?#?(\d{1,9})$/i.exec(named) ?? [];
  const [, id, place] = /\/app\/projects\/([0-9a-f-]{36})\/\w+\/(\d{1,9})(?:[?#]|$)/i.exec(named) ?? [];
  const number = Number(digits ?? place);
  if (Number.isNaN(number))
    throw new UsageError(`${JSON.stringify(named)} is not a task: WEB-12, or 12 in the usual project`);
  if (key === undefined && id === undefined) return { project: await requireProject(call), number };
  const projects = await readProjects(instance);
  const project = projects.find((one) => one.id === id || one.key === key?.toUpperCase());
  if (project === undefined)
    throw new CommandError(
      `you see no project with the key ${key?.toUpperCase() ?? id}. npx kanbase project list shows yours`,
    );
  return { project, number };
}

export function readTasks(
  instance: Instance,
  query: readonly (readonly [string, string])[],
  more = '',
): Promise<readonly Task[]> {
  return instance.read('tasks', [['select', taskColumns + more], ...query]);
}

export async function projectFilter(call: ClientCall): Promise<readonly (readonly [string, string])[]> {
  const project = await chosenProject(call);
  return project === null ? [] : [['project_id', `eq.${project.id}`]];
}

/** A value within quotes, for lists and patterns of filters. */
export const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** The one of this name, or the only one whose name begins so. */
export function findNamed<T extends Named>(kind: string, among: readonly T[], named: string): T {
  const wanted = named.trim().toLowerCase();
  const exact = among.filter(({ name }) => name.toLowerCase() === wanted);
  const found = exact.length > 0 ? exact : among.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const [only, other] = found;
  if (only !== undefined && other === undefined) return only;
  const names = (only === undefined ? among : found).map(({ name }) => cleanLine(name)).join(', ');
  throw new CommandError(
    only === undefined
      ? `there is no ${kind} ${JSON.stringify(named)}${names === '' ? '' : `. There are: ${names}`}`
      : `${JSON.stringify(named)} could be any of these: ${names}`,
  );
}

export async function readColumns(
  instance: Instance,
  projectId: string,
): Promise<readonly (Named & { kind: string })[]> {
  return instance.read('workflow_columns', [
    ['select', 'id,name,kind'],
    ['project_id', `eq.${projectId}`],
    ['order', 'position,id'],
  ]);
}

/** As a pattern of `ilike`. */
export const beginningWith = (text: string): string => `${text.trim().replaceAll(/[\\%_*]/g, '_')}*`;

/** `me` is whoever asks. */
export async function findPerson(instance: Instance, named: string): Promise<string> {
  if (named === 'me' || named === '@me') return instance.me();
  const name = named.replace(/^@/, '');
  const profiles = await instance.read<readonly { id: string; display_name: string | null }[]>('profiles', [
    ['select', 'id,display_name'],
    ['display_name', `ilike.${beginningWith(name)}`],
    ['limit', '50'],
  ]);
  const people = profiles.map((one) => ({ id: one.id, name: one.display_name ?? '' }));
  return findNamed('member', people, name).id;
}

/** A day as people write it. */
export function readDay(text: string, flag: string): string {
  const [, digits] = /^\+(\d{1,4})$/.exec(text) ?? [];
  const days = { today: 0, tomorrow: 1 }[text.toLowerCase()] ?? (digits === undefined ? null : Number(digits));
  if (days !== null) {
    const day = new Date();
    day.setDate(day.getDate() + days);
    const two = (number: number): string => String(number).padStart(2, '0');
    return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
  }
  const day = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return text;
  throw new UsageError(`${flag} must be a day such as 2026-12-24, today, tomorrow or +3, not ${JSON.stringify(text)}`);
}

export function readPriority(text: string): string {
  if (/^p[0-2]$/i.test(text)) return text.toLowerCase();
  throw new UsageError(`--priority must be p0, p1 or p2, not ${JSON.stringify(text)}`);
}
