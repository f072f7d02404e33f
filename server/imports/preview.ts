// Preview of an import, without writing anything: counts, each list with its first cards, and every problem.

import { cardsShown, type Outline, type Problem, type Read } from './neutral.ts';
import type { Invited, Matched } from './people.ts';

export interface Preview extends Outline {
  readonly people: readonly {
    /** How the file names them. */
    readonly key: string;
    readonly name: string;
    readonly address: string | null;
    readonly userId: string | null;
    /** The address to which an invitation would go. */
    readonly invited: string | null;
  }[];
  readonly problems: readonly Problem[];
}

export function previewOf({ project, problems }: Read, matched: Matched, invited: Invited): Preview {
  return {
    ...(project.whole?.outline ?? outlineOf(project)),
    people: project.people.map(({ key, name, address }) => ({
      key,
      name,
      address,
      userId: matched.get(key) ?? null,
      invited: invited.get(key) ?? null,
    })),
    problems,
  };
}

function outlineOf({ states, tasks }: Read['project']): Outline {
  const counts = { tasks: 0, archived: 0, subtasks: 0, comments: 0, items: 0, labels: 0, dependencies: 0, files: 0 };
  const labels = new Set<string>();
  const lists = new Map<string | null, { count: number; first: string[] }>(
    states.map(({ name }) => [name, { count: 0, first: [] }]),
  );
  for (const task of tasks) {
    counts.tasks++;
    counts.archived += Number(task.archived);
    counts.subtasks += Number(task.parent !== null);
    counts.comments += task.comments.length;
    counts.items += task.checklist.length;
    counts.dependencies += task.waitsFor.length;
    counts.files += task.attachments.length;
    for (const name of task.labels) labels.add(name.toLowerCase());
    const list = lists.get(task.state) ?? { count: 0, first: [] };
    lists.set(task.state, list);
    list.count++;
    if (list.first.length < cardsShown) list.first.push(task.title);
  }
  return {
    counts: { ...counts, labels: labels.size },
    lists: [...lists].map(([name, list]) => ({ name, ...list })),
  };
}
