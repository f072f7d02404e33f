// Rows by the names that a model uses for projects, columns, people, labels and tasks. A name that fits nothing or several is refused with those there are.

import { asData, type Board, type Query } from './board.ts';
import { plainLine } from './plain-text.ts';
import { readTasks, type TaskRow } from './tasks.ts';
import { ToolFault } from './tool-fault.ts';

export interface Project {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}
export interface Column {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly wip_limit: number | null;
}
interface Named {
  readonly id: string;
  readonly name: string;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isId = (text: string): boolean => uuid.test(text);

/** One call asks for each list once. */
const lists = new WeakMap<Board, Map<string, Promise<unknown>>>();
export function once<T>(board: Board, what: string, read: () => Promise<T>): Promise<T> {
  const known = lists.get(board) ?? new Map<string, Promise<unknown>>();
  lists.set(board, known);
  const before = known.get(what) as Promise<T> | undefined;
  if (before !== undefined) return before;
  const asked = read();
  known.set(what, asked);
  return asked;
}

export const readProjects = (board: Board): Promise<readonly Project[]> =>
  once(board, 'projects', () =>
    board.read('projects', [
      ['select', 'id,key,name'],
      ['archived_at', 'is.null'],
      ['order', 'name,id'],
      ['limit', '500'],
    ]),
  );

export const readColumns = (board: Board, projectId: string): Promise<readonly Column[]> =>
  once(board, `columns ${projectId}`, () =>
    board.read('workflow_columns', [
      ['select', 'id,name,kind,wip_limit'],
      ['project_id', `eq.${projectId}`],
      ['order', 'position,id'],
    ]),
  );

export const readLabels = (board: Board, projectId: string): Promise<readonly Named[]> =>
  once(board, `labels ${projectId}`, () =>
    board.read('task_labels', [
      ['select', 'id,name'],
      ['project_id', `eq.${projectId}`],
      ['order', 'name,id'],
    ]),
  );

export interface Member extends Named {
  readonly role: string;
}

export const readMembers = (board: Board, projectId: string): Promise<readonly Member[]> =>
  once(board, `members ${projectId}`, async () => {
    const rows = await board.read<
      readonly { user_id: string; role: string; profiles: { display_name: string | null } | null }[]
    >('project_members', [
      ['select', 'user_id,role,profiles(display_name)'],
      ['project_id', `eq.${projectId}`],
      ['user_id', 'not.is.null'],
      ['order', 'created_at,user_id'],
      ['limit', '500'],
    ]);
    return rows.map(({ user_id: id, role, profiles }) => ({ id, role, name: profiles?.display_name ?? 'Someone' }));
  });

/** Their names; a list may be searched for thousands in one call. */
const lowerCased = new WeakMap<readonly Named[], readonly string[]>();

/** The one of this name, else the only one whose name begins so. */
export function findNamed<T extends Named>(kind: string, among: readonly T[], named: string): T {
  const wanted = named.trim().toLowerCase();
  const lowered = lowerCased.get(among) ?? among.map(({ name }) => name.toLowerCase());
  lowerCased.set(among, lowered);
  const exact = among.filter(({ id }, at) => lowered[at] === wanted || id === wanted);
  const found = exact.length > 0 ? exact : among.filter((_, at) => lowered[at]?.startsWith(wanted));
  const [only, other] = found;
  if (wanted !== '' && only !== undefined && other === undefined) return only;
  const names = (only === undefined ? among : found).slice(0, 30).map(({ name }) => plainLine(name, 60));
  if (names.length === 0)
    throw new ToolFault(`There are no ${kind}s here, or you can’t see them. Leave them out, or ask a person.`, 'KB885');
  const asked = JSON.stringify(plainLine(named, 60));
  throw new ToolFault(
    `${only === undefined ? `There is no ${kind} ${asked}` : `${asked} matches several ${kind}s`}. Use one of:\n${asData(names.join('\n'))}`,
    'KB885',
  );
}

export const noProjects = 'You or your token can’t see any project. Ask a person for access.';

export async function findProject(board: Board, named: string): Promise<Project> {
  const projects = await readProjects(board);
  const wanted = named.trim();
  const exact = projects.find(({ id, key }) => id === wanted.toLowerCase() || key === wanted.toUpperCase());
  if (exact !== undefined) return exact;
  const byName = projects.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const [only, other] = byName;
  if (only !== undefined && other === undefined) return only;
  const shown = projects.slice(0, 30).map(({ key, name }) => `${key} ${plainLine(name, 60)}`);
  throw new ToolFault(
    `There is no project ${JSON.stringify(plainLine(wanted, 60))}, or you or your token can’t see it. ${shown.length > 0 ? `Use one of these keys:\n${asData(shown.join('\n'))}` : noProjects}`,
    'KB885',
  );
}

export async function findPeople(
  board: Board,
  projectId: string,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const members = await readMembers(board, projectId);
  return [
    ...new Set(names.map((name) => (name.toLowerCase() === 'me' ? board.me : findNamed('member', members, name).id))),
  ];
}

export async function findLabels(
  board: Board,
  projectId: string,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const labels = await readLabels(board, projectId);
  return [...new Set(names.map((name) => findNamed('label', labels, name).id))];
}

/** `WEB-12`, an id, or the address of a task. */
function readReference(named: string): { readonly id: string } | { readonly key: string; readonly number: number } {
  const text = named.trim().replace(/^kanbase:\/\/task\//, '');
  if (isId(text)) return { id: text.toLowerCase() };
  const [, key, digits] = /^([a-z][a-z0-9]{1,5})-(\d{1,9})$/i.exec(text) ?? [];
  const [, project, place] = /\/app\/projects\/([0-9a-f-]{36})\/\w+\/(\d{1,9})(?:[?#]|$)/i.exec(text) ?? [];
  const number = Number(digits ?? place);
  if (Number.isNaN(number))
    throw new ToolFault(`${JSON.stringify(plainLine(named, 60))} names no task. Use a key such as WEB-12.`, 'KB885');
  return { key: key ?? project ?? '', number };
}

const mostTasks = 100;

/** In the order they are named; also those of former keys. */
export async function findTasks(board: Board, names: readonly string[], more = ''): Promise<readonly TaskRow[]> {
  if (names.length > mostTasks)
    throw new ToolFault(`These are ${names.length} other tasks; name at most ${mostTasks} in one call.`, 'KB884');
  const wanted = await Promise.all(
    names.map(async (named) => {
      const reference = readReference(named);
      if ('id' in reference) return { named, id: reference.id, project: '', number: 0 };
      return { named, id: '', project: (await findProject(board, reference.key)).id, number: reference.number };
    }),
  );
  const ids = wanted.filter(({ id }) => id !== '').map(({ id }) => id);
  const byProject = new Map<string, number[]>();
  for (const { project, number } of wanted)
    if (project !== '') byProject.set(project, [...(byProject.get(project) ?? []), number]);
  const conditions = [
    ...(ids.length > 0 ? [`id.in.(${ids.join()})`] : []),
    ...[...byProject].map(([project, numbers]) => `and(project_id.eq.${project},number.in.(${numbers.join()}))`),
  ];
  const found = conditions.length === 0 ? [] : await readTasks(board, [['or', `(${conditions.join()})`]], more);
  const tasks: TaskRow[] = [];
  for (const { named, id, project, number } of wanted) {
    const task =
      found.find((one) => (id === '' ? one.project_id === project && one.number === number : one.id === id)) ??
      (id === '' ? await taskAtFormerKey(board, project, number, more) : undefined);
    if (task === undefined)
      throw new ToolFault(
        `There is no task ${plainLine(named, 60)}, or you can't see it. Use find_tasks to see which there are.`,
        'PT404',
      );
    tasks.push(task);
  }
  return tasks;
}

export async function findTask(board: Board, named: string, more = ''): Promise<TaskRow> {
  const [task] = await findTasks(board, [named], more);
  return task as TaskRow;
}

/** By a key that it had before it was moved to another project. */
async function taskAtFormerKey(
  board: Board,
  project: string,
  number: number,
  more: string,
): Promise<TaskRow | undefined> {
  const [at] = await board.call<readonly { id: string }[]>('task_at', { project_id: project, number });
  if (at === undefined) return undefined;
  const query: Query = [['id', `eq.${at.id}`]];
  return (await readTasks(board, query, more))[0];
}
