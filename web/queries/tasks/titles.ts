// The titles of all tasks on this device as a search reads them: made plain once for a row, gathered once for a state of the rows,
// and narrowed while someone types on. With fifty thousand tasks each key would otherwise wait for all of them.

import type { TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';

interface Titled {
  readonly task: TaskRow;
  readonly title: string;
  /** A bit for each letter in it: most titles that lack one of those wanted are passed over without being read. */
  readonly letters: number;
}

interface Gathered {
  readonly tasks: number;
  readonly projects: number;
  readonly all: readonly Titled[];
  /** What was asked last, and all that held it. */
  text: string;
  held: readonly Titled[];
}

const ascii = /^[ -~]*$/;

/** Without capitals and accents. */
export function plain(text: string): string {
  // Most titles need no more; taking accents apart costs ten times as much.
  if (ascii.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();
}

/** Two letters may share a bit: it says what cannot be there, never what is. */
export function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at++) letters |= 1 << (text.charCodeAt(at) & 31);
  return letters;
}

/** Rows never change in place, so what was made of a title holds as long as the row does. */
const ofRows = new WeakMap<TaskRow, Titled>();

export function titled(task: TaskRow): Titled {
  let one = ofRows.get(task);
  if (one === undefined) {
    const title = plain(task.title);
    one = { task, title, letters: lettersOf(title) };
    ofRows.set(task, one);
  }
  return one;
}

const ofStores = new WeakMap<Reader, Gathered>();

function gather(store: Reader): Gathered {
  const [tasks, projects] = [store.version('tasks'), store.version('projects')];
  const old = ofStores.get(store);
  if (old?.tasks === tasks && old.projects === projects) return old;
  // Left over from a project that is no longer ours: there is nothing to open.
  const ours = new Set(store.all('projects').map(({ id }) => id));
  const all = store
    .all('tasks')
    .filter(({ project_id }) => ours.has(project_id))
    .map(titled);
  const gathered: Gathered = { tasks, projects, all, text: '', held: all };
  ofStores.set(store, gathered);
  return gathered;
}

/** All titles of tasks that can be opened. Asked ahead of need it spares the first key of a search the wait. */
export function allTitles(store: Reader): readonly Titled[] {
  return gather(store).all;
}

/** All that hold each of these words: looked for where they were last found, if all that was done since is to write on. */
export function titlesWith(store: Reader, text: string, words: readonly string[]): readonly Titled[] {
  const gathered = gather(store);
  if (gathered.text === text) return gathered.held;
  const wanted = lettersOf(words.join(''));
  const among = text.startsWith(gathered.text) ? gathered.held : gathered.all;
  const held = among.filter(
    ({ title, letters }) => (letters & wanted) === wanted && words.every((word) => title.includes(word)),
  );
  gathered.text = text;
  gathered.held = held;
  return held;
}
