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
  const sum = (of: (task: (typeof tasks)[number]) => number): number => tasks.reduce((all, task) => all + of(task), 0);
  const lists = new Map<string | null, string[]>(states.map(({ name }) => [name, []]));
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
  };
}
