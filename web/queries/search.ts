// Finding tasks on this device, at once: by key, or by the beginnings of words in the title. What the device has never seen
// (descriptions, comments, projects not opened yet) the server finds a moment later.

import type { ProjectRow, TaskRow } from '../sync/rows.ts';
import type { Reader } from '../sync/store.ts';
import { matchWords } from './fuzzy.ts';
import { taskKey } from './tasks.ts';

/** Rows never change in place, so what was made of a title holds as long as the row does. */
const titles = new WeakMap<TaskRow, string>();

const ascii = /^[ -~]*$/;

/** Without capitals and accents. */
export function plain(text: string): string {
  // Most titles need no more; taking accents apart costs ten times as much.
  if (ascii.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();
}

function titleOf(task: TaskRow): string {
  let title = titles.get(task);
  if (title === undefined) {
    title = plain(task.title);
    titles.set(task, title);
  }
  return title;
}

/** Takes all titles apart ahead of need: with ten thousand tasks the first key of a search would wait for it. */
export function readTitles(store: Reader): void {
  for (const task of store.all('tasks')) titleOf(task);
}

/** How well a title holds the words; 0: not at all. Beginnings count more than middles, the start of the title most. */
function score(title: string, needles: readonly string[]): number {
  let sum = 0;
  for (const needle of needles) {
    const at = title.indexOf(needle);
    if (at < 0) return 0;
    const begins = at === 0 || title.includes(` ${needle}`);
    sum += at === 0 ? 4 : begins ? 3 : 1;
  }
  return sum;
}

/** Whether the title alone explains the match. */
export function titleHolds(task: TaskRow, text: string): boolean {
  return score(titleOf(task), plain(text.trim()).split(/\s+/)) > 0;
}

export function findTasks(store: Reader, text: string, limit: number): TaskRow[] {
  const needle = plain(text.trim());
  if (needle === '') return [];
  const needles = needle.split(/\s+/);
  const keys = keysOfProjects(store);
  const asksNumber = needles.length === 1 && /\d$/.test(needle);
  const best: Found[] = [];
  for (const task of store.all('tasks')) {
    const projectKey = keys.get(task.project_id);
    // Left over from a project that is no longer ours: there is nothing to open.
    if (projectKey === undefined) continue;
    let points = score(titleOf(task), needles);
    if (asksNumber && task.number !== null) {
      const number = String(task.number);
      const key = `${projectKey}-${number}`;
      if (key === needle || number === needle) points += 20;
      else if (key.startsWith(needle)) points += 5;
    }
    if (points === 0) continue;
    // Open before done, done before archived, among equals.
    if (task.completed_at !== null) points -= 0.5;
    if (task.archived_at !== null) points -= 0.75;
    keepBest(best, { task, score: points }, limit);
  }
  if (best.length < enough && needle.length >= 3) addLoose(best, store, needles, keys, limit);
  return best.map((one) => one.task);
}

function keysOfProjects(store: Reader): Map<string, string> {
  return new Map(store.all('projects').map((project) => [project.id, plain(project.key)]));
}

/** With so many that hold the words, those that hold only their letters are not asked for. */
const enough = 5;

function addLoose(
  best: Found[],
  store: Reader,
  needles: readonly string[],
  keys: ReadonlyMap<string, string>,
  limit: number,
): void {
  const known = new Set(best.map(({ task }) => task));
  for (const task of store.all('tasks')) {
    if (known.has(task) || !keys.has(task.project_id)) continue;
    const points = matchWords(titleOf(task), needles) / 100;
    if (points > 0) keepBest(best, { task, score: points - (task.completed_at === null ? 0 : 0.005) }, limit);
  }
}

/** What a key names exactly: "web" a project, "web-12" or "web 12" a task. */
export function findByKey(store: Reader, text: string): { readonly project?: ProjectRow; readonly task?: TaskRow } {
  const [, key = '', number] = /^([a-z0-9]{2,6}?)(?:[\s-]?(\d+))?$/.exec(plain(text.trim())) ?? [];
  const named = (wanted: string): ProjectRow | undefined =>
    store.all('projects').find((one) => plain(one.key) === wanted);
  // A key may end in digits itself.
  const project = named(plain(text.trim()));
  if (project !== undefined) return { project };
  const owner = number === undefined ? undefined : named(key);
  const task = owner && store.where('tasks', 'project_id', owner.id).find((one) => one.number === Number(number));
  return task === undefined ? {} : { task };
}

interface Found {
  readonly task: TaskRow;
  readonly score: number;
}

function isBetter(one: Found, other: Found): boolean {
  return one.score === other.score ? one.task.updated_at > other.task.updated_at : one.score > other.score;
}

/** Puts what was found into its place among the best; a short word may be found ten thousand times. */
function keepBest(best: Found[], found: Found, limit: number): void {
  const last = best.at(-1);
  if (last !== undefined && best.length >= limit && !isBetter(found, last)) return;
  const at = best.findIndex((one) => isBetter(found, one));
  best.splice(at < 0 ? best.length : at, 0, found);
  if (best.length > limit) best.pop();
}

export function findProjects(store: Reader, text: string, limit: number): ProjectRow[] {
  const needles = plain(text.trim()).split(/\s+/).filter(Boolean);
  return store
    .all('projects')
    .map((project) => ({ project, points: matchWords(plain(`${project.name} ${project.key}`), needles) }))
    .filter(({ points }) => needles.length === 0 || points > 0)
    .sort(
      ({ project: one, points }, { project: other, points: others }) =>
        Number(one.archived_at !== null) - Number(other.archived_at !== null) ||
        (needles.length > 0 && others - points) ||
        one.name.localeCompare(other.name),
    )
    .map(({ project }) => project)
    .slice(0, limit);
}

export function keyOfTask(store: Reader, task: TaskRow): string {
  return taskKey(store.get('projects', task.project_id), task);
}
