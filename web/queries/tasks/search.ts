// Finding tasks on this device, at once: by key, or by the beginnings of words in the title. What the device has never seen
// (descriptions, comments, projects not opened yet) the server finds a moment later.

import { compareWords } from '../../strings/compare-words.ts';
import type { ProjectRow, TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { matchWords } from './fuzzy.ts';
import { allTitles, lettersOf, plain, titled, titlesWith } from './search-titles.ts';
import { taskKey } from './tasks.ts';

export { allTitles, plain } from './search-titles.ts';

/** A word, and as it stands behind another. */
type Wanted = readonly (readonly [word: string, behind: string])[];
const wantedOf = (words: readonly string[]): Wanted => words.map((word) => [word, ` ${word}`]);

/** How well a title holds the words; 0: not at all. Beginnings count more than middles, the start of the title most. */
function score(title: string, wanted: Wanted): number {
  let sum = 0;
  for (const [word, behind] of wanted) {
    const at = title.indexOf(word);
    if (at < 0) return 0;
    sum += at === 0 ? 4 : title.includes(behind) ? 3 : 1;
  }
  return sum;
}

/** Whether the title alone explains the match. */
export function titleHolds(task: TaskRow, text: string): boolean {
  return score(titled(task).title, wantedOf(plain(text.trim()).split(/\s+/))) > 0;
}

export function findTasks(store: Reader, text: string, limit: number): TaskRow[] {
  const needle = plain(text.trim());
  if (needle === '') return [];
  const words = needle.split(/\s+/);
  const wanted = wantedOf(words);
  const best: Found[] = [];
  const numbered = /^\S*\d$/.test(needle) ? numbersLike(store, needle) : undefined;
  for (const { task, title } of numbered === undefined ? titlesWith(store, needle, words) : allTitles(store)) {
    const points = score(title, wanted) + (numbered?.(task) ?? 0);
    if (points > 0) keepBest(best, { task, points: points - past(task) }, limit);
  }
  if (best.length < enough && needle.length >= 3) addLoose(best, store, words, limit);
  return best.map(({ task }) => task);
}

/** Open before done, done before archived, among equals. */
function past({ completed_at, archived_at }: TaskRow): number {
  return (completed_at === null ? 0 : 0.5) + (archived_at === null ? 0 : 0.75);
}

/** "12" and "web-12" name a task, "web-1" begins to: what that counts. */
function numbersLike(store: Reader, needle: string): (task: TaskRow) => number {
  const keys = new Map(store.all('projects').map(({ id, key }) => [id, `${plain(key)}-`]));
  return ({ project_id, number }) => {
    if (number === null) return 0;
    const key = keys.get(project_id) ?? '';
    const digits = String(number);
    if (digits === needle) return 20;
    if (!needle.startsWith(key)) return key.startsWith(needle) ? 5 : 0;
    const rest = needle.slice(key.length);
    return digits === rest ? 20 : digits.startsWith(rest) ? 5 : 0;
  };
}

/** With so many that hold the words, those that hold only their letters are not asked for. */
const enough = 5;

function addLoose(best: Found[], store: Reader, words: readonly string[], limit: number): void {
  const known = new Set(best.map(({ task }) => task));
  const wanted = lettersOf(words.join(''));
  for (const { task, title, letters } of allTitles(store)) {
    if ((letters & wanted) !== wanted || known.has(task)) continue;
    const points = matchWords(title, words) / 100;
    if (points > 0) keepBest(best, { task, points: points - past(task) / 100 }, limit);
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
  readonly points: number;
}

function isBetter(one: Found, other: Found): boolean {
  return one.points === other.points ? one.task.updated_at > other.task.updated_at : one.points > other.points;
}

/** Puts what was found into its place among the best; a short word may be found fifty thousand times. */
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
        compareWords(one.name, other.name),
    )
    .map(({ project }) => project)
    .slice(0, limit);
}

export function keyOfTask(store: Reader, task: TaskRow): string {
  return taskKey(store.get('projects', task.project_id), task);
}
