// The files that came in the same zip as what was read: which of a task's attachments are among them. How they come into the
// project is attach-files.ts; what is not among them stays in the description, as a name or a link.

import type { Readable } from 'node:stream';
import type { Caller } from '../database/types.ts';
import { none, type Read, type Task } from './neutral.ts';

export interface FilesOfImport {
  /** Paths in the zip. */
  readonly names: readonly string[];
  open(name: string): Promise<Readable>;
}

/** Saves a file as if that person had uploaded it; rejects with `NotSaved` where it is too large, say. */
export type SaveFile = (file: {
  readonly caller: Caller;
  readonly userId: string;
  /** In the bucket of attachments. */
  readonly key: string;
  readonly type: string;
  readonly bytes: Readable;
}) => Promise<number>;

/** A file that is refused by its size, its kind, or for want of room. */
export class NotSaved extends Error {}
export const notSaved = (words: string): Error => new NotSaved(words);

/** Attachments that are in the zip, with where; the others are left to the words that name them. */
export function withFiles({ project, problems }: Read, names: readonly string[]): Read {
  if (!project.tasks.some(({ attachments }) => attachments.length > 0)) return { project, problems };
  if (names.length === 0)
    return { project: { ...project, tasks: project.tasks.map((task) => ({ ...task, attachments: none })) }, problems };
  const find = finder(names);
  const tasks = project.tasks.map((task): Task => {
    const attachments = task.attachments.flatMap((file) => {
      const entry = find(file.places);
      return entry === null ? [] : [{ ...file, entry }];
    });
    const here = new Set(attachments.map(({ under, words }) => JSON.stringify([under, words])));
    const isHere = (name: string, line: string): boolean => here.has(JSON.stringify([name, line]));
    const leftovers = task.leftovers.flatMap(([name, value]): (readonly [string, string])[] => {
      const lines = value.split('\n').filter((line) => !isHere(name, line));
      return isHere(name, value) || lines.length === 0 ? [] : [[name, lines.join('\n')]];
    });
    return { ...task, attachments, leftovers };
  });
  return { project: { ...project, tasks }, problems };
}

/** Of a path, from its end: nothing that is read names more of it. */
const mostParts = 8;

/** The one entry whose path ends so, or the one in a folder that is called so; several are none. */
export function finder(names: readonly string[]): (places: readonly string[]) => string | null {
  const byEnd = new Map<string, string | null>();
  const add = (key: string, name: string): void => void byEnd.set(key, byEnd.has(key) ? null : name);
  for (const name of names) {
    const parts = name.split('/');
    for (let from = Math.max(0, parts.length - mostParts); from < parts.length; from++) {
      add(parts.slice(from).join('/'), name);
      if (from < parts.length - 1) add(`${parts.slice(from, -1).join('/')}/`, name);
    }
  }
  return (places) => {
    for (const place of places) {
      const found = byEnd.get(place.replace(/^\.?\/+/, ''));
      if (found !== undefined && found !== null) return found;
    }
    return null;
  };
}
