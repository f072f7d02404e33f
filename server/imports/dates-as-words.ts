// Writes the dates of a file into descriptions, for people who may not backdate tasks and comments of a project.

import type { Read, Task } from './neutral.ts';

export function datesAsWords({ project, problems }: Read): Read {
  const tasks = project.tasks.map((task): Task => {
    const dates = [['Created', task.created] as const, ['Completed', task.completed] as const].flatMap(([name, at]) =>
      at === null ? [] : [[name, `${at.slice(0, 16).replace('T', ' ')} UTC`] as const],
    );
    return dates.length === 0 ? task : { ...task, leftovers: [...task.leftovers, ...dates] };
  });
  return { project: { ...project, tasks }, problems };
}
