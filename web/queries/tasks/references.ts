// Tasks that a text names, by their key or by their address in this app: what they are called and how far they are.

import type { Query } from '../../sync/react.tsx';
import type { ColumnKind, TaskRow } from '../../sync/rows/rows.ts';
import type { Reader } from '../../sync/rows/store.ts';
import { taskKey } from './tasks.ts';

export interface TaskPlace {
  /** As they stand in the text. */
  readonly words: string;
  readonly key: string;
  readonly projectId: string;
  readonly number: number;
}

export interface TaskReference extends TaskPlace {
  readonly title: string;
  readonly done: boolean;
  readonly column: string;
  readonly kind: ColumnKind;
  readonly color: string | null;
}

const key = /(?<![\p{L}\p{N}_/-])([A-Z][A-Z0-9]{1,5})-([1-9]\d{0,8})(?![\p{L}\p{N}_-])/gu;
const address = /https?:\/\/[^\s<>()[\]"'`]+/g;
const inApp = /^\/app\/(?:projects\/([0-9a-f-]{36})\/[a-z]+|inbox\/([0-9a-f-]{36}))\/(\d{1,9})\/?(?:[?#].*)?$/;

interface Named {
  readonly words: string;
  readonly projectId: string;
  readonly number: number;
}

/** A text that names more than anybody reads is not looked up to its end each time a task changes. */
const mostNamed = 500;

/** Those whose project is known here, each once. */
function namedIn(store: Reader, text: string): Named[] {
  const found = new Map<string, Named>();
  if (/[A-Z]-\d/.test(text) || /[A-Z][A-Z0-9]-\d/.test(text)) {
    const projects = new Map(store.all('projects').map((project) => [project.key, project.id]));
    for (const [words, projectKey = '', number] of text.matchAll(key)) {
      const projectId = projects.get(projectKey);
      if (projectId !== undefined) found.set(words, { words, projectId, number: Number(number) });
      if (found.size >= mostNamed) break;
    }
  }
  for (const [words] of text.matchAll(address)) {
    if (!words.startsWith(`${location.origin}/app/`)) continue;
    const [, one, other, number] = inApp.exec(words.slice(location.origin.length)) ?? [];
    const projectId = one ?? other;
    if (projectId !== undefined && store.get('projects', projectId))
      found.set(words, { words, projectId, number: Number(number) });
    if (found.size >= 2 * mostNamed) break;
  }
  return [...found.values()];
}

/** Tasks by an address they had before they went to another project, as far as it was asked for. */
const formerAddresses = new WeakMap<Reader, Map<string, string>>();

export function noteFormerAddress(store: Reader, projectId: string, number: number, taskId: string): void {
  const addresses = formerAddresses.get(store) ?? new Map<string, string>();
  formerAddresses.set(store, addresses.set(`${projectId}/${number}`, taskId));
}

function taskOf(store: Reader, { projectId, number }: Named): TaskRow | undefined {
  const here = store.where('tasks', 'project_id', projectId).find((task) => task.number === number);
  if (here !== undefined) return here;
  const id = formerAddresses.get(store)?.get(`${projectId}/${number}`);
  if (id !== undefined) return store.get('tasks', id);
  // Its former address is noted as the task comes, from whichever project.
  store.version('tasks');
  return undefined;
}

/** Those that are here. */
function foundIn(store: Reader, text: string): { readonly place: TaskPlace; readonly task: TaskRow }[] {
  return namedIn(store, text).flatMap((named) => {
    const task = taskOf(store, named);
    if (task === undefined) return [];
    const { project_id: projectId, number } = task;
    const project = store.get('projects', projectId);
    if (project === undefined) return [];
    return {
      place: { words: named.words, projectId, number: number ?? named.number, key: taskKey(project, task) },
      task,
    };
  });
}

/** Where they are and no more: the same list while only titles and columns change. */
export const placesIn: Query<[text: string], TaskPlace[]> = {
  read: (store, text) => foundIn(store, text).map(({ place }) => place),
};

export const referencesIn: Query<[text: string], TaskReference[]> = {
  read: (store, text) =>
    foundIn(store, text).map(({ place, task }) => {
      const column = store.get('workflow_columns', task.column_id);
      return {
        ...place,
        title: task.title,
        done: task.completed_at !== null,
        column: column?.name ?? '',
        kind: column?.kind ?? (task.completed_at === null ? 'todo' : 'done'),
        color: column?.color ?? null,
      };
    }),
};

/** A text that names more than anybody reads does not have every reader ask for all of them. */
const mostAsked = 50;

/** Addresses of named tasks that are not here, though their project is known: to be asked for, with commas between. */
export const unknownReferencesIn: Query<[text: string], string> = {
  read: (store, text) =>
    namedIn(store, text)
      .filter((named) => taskOf(store, named) === undefined)
      .slice(0, mostAsked)
      .map(({ projectId, number }) => `${projectId}/${number}`)
      .join(),
};
