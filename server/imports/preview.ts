// What an import would bring, told without writing anything: counts, each list with its first cards, and every problem.

import type { Problem, Read } from './neutral.ts';
import type { Invited, Matched } from './people.ts';

const cardsShown = 5;

export interface Preview {
  readonly counts: Readonly<
    Record<'tasks' | 'archived' | 'subtasks' | 'comments' | 'items' | 'labels' | 'dependencies' | 'files', number>
  >;
  readonly lists: readonly {
    readonly name: string | null;
    readonly count: number;
    readonly first: readonly string[];
  }[];
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
  const { tasks } = project;
  const sum = (of: (task: (typeof tasks)[number]) => number): number => tasks.reduce((all, task) => all + of(task), 0);
  const lists = new Map<string | null, string[]>(project.states.map(({ name }) => [name, []]));
  for (const { state, title } of tasks) {
    const known = lists.get(state) ?? [];
    known.push(title);
    lists.set(state, known);
  }
  return {
    counts: {
      tasks: tasks.length,
      archived: sum(({ archived }) => Number(archived)),
      subtasks: sum(({ parent }) => Number(parent !== null)),
      comments: sum(({ comments }) => comments.length),
      items: sum(({ checklist }) => checklist.length),
      labels: new Set(tasks.flatMap(({ labels }) => labels.map((name) => name.toLowerCase()))).size,
      dependencies: sum(({ waitsFor }) => waitsFor.length),
      files: sum(({ attachments }) => attachments.length),
    },
    lists: [...lists].map(([name, titles]) => ({ name, count: titles.length, first: titles.slice(0, cardsShown) })),
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
