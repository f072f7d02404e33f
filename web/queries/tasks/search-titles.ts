// The titles of all tasks on this device as a search reads them: made plain once for a row, gathered once for a state of the rows,
// and narrowed while someone types on. With fifty thousand tasks each key would otherwise wait for all of them.

import type { TaskRow } from '../../sync/rows/rows.ts';
import type { Query, Reader } from '../../sync/rows/store.ts';

interface Titled {
  readonly task: TaskRow;
  readonly title: string;
  /** A bit for each letter in it: most titles that lack one of those wanted are passed over without being read. */
  readonly letters: number;
}

/** What was asked last of all titles, and those that held it. */
interface Found {
  readonly text: string;
  readonly held: readonly Titled[];
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

const titlesOf: Query<[], readonly Titled[]> = {
  shared: 1,
  read(store) {
    // Left over from a project that is no longer ours: there is nothing to open.
    const ours = new Set(store.all('projects').map(({ id }) => id));
    return store
      .all('tasks')
      .filter(({ project_id }) => ours.has(project_id))
      .map(titled);
  },
};

/** All titles of tasks that can be opened. Asked ahead of need it spares the first key of a search the wait. */
export const allTitles = (store: Reader): readonly Titled[] => store.read(titlesOf);

const lastFound = new WeakMap<readonly Titled[], Found>();

/** All that hold each of these words: looked for where they were last found, if all that was done since is to write on. */
export function titlesWith(store: Reader, text: string, words: readonly string[]): readonly Titled[] {
  const all = allTitles(store);
  const last = lastFound.get(all) ?? { text: '', held: all };
  if (last.text === text) return last.held;
  const wanted = lettersOf(words.join(''));
  const among = text.startsWith(last.text) ? last.held : all;
  const held = among.filter(
    ({ title, letters }) => (letters & wanted) === wanted && words.every((word) => title.includes(word)),
  );
  lastFound.set(all, { text, held });
  return held;
}
