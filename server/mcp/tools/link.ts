// `link`: dependencies between tasks, and which task is part of which.

import { choice, flag, object, text, whole } from '../../http/open-api.ts';
import { findTasks } from '../names.ts';
import { keyOf, type TaskRow } from '../tasks.ts';
import { declareTool } from '../tool.ts';
import { ToolFault } from '../tool-fault.ts';

const phrases = {
  waits_for: { linked: 'waits for', unlinked: 'no longer waits for', missing: 'doesn’t wait for' },
  blocks: { linked: 'blocks', unlinked: 'no longer blocks', missing: 'doesn’t block' },
  subtask_of: {
    linked: 'is now a subtask of',
    unlinked: 'is no longer a subtask of',
    missing: 'isn’t a subtask of',
  },
} as const;

export const link = declareTool({
  name: 'link',
  title: 'Link tasks',
  description: 'Links two tasks of a project, or unlinks them.',
  scope: 'write',
  hints: { destructive: true, idempotent: true },
  input: object({
    task: text(),
    is: choice(['waits_for', 'blocks', 'subtask_of']),
    other: text(),
    'remove?': flag(),
    'fence?': whole(),
  }),
  output: object({ linked: flag() }),
  async run({ task: named, is, other: otherNamed, remove = false, fence }, { board: plain }) {
    const [task, other] = (await findTasks(plain, [named, otherNamed])) as [TaskRow, TaskRow];
    const say = (phrase: keyof (typeof phrases)[typeof is]): string =>
      `${keyOf(task)} ${phrases[is][phrase]} ${keyOf(other)}`;
    const missing = { structured: { linked: false }, text: `${say('missing')}; nothing was removed.` };
    if (task.project_id !== other.project_id)
      throw new ToolFault(
        'The tasks are of two projects. Links hold within one: mention the other task in a comment instead.',
        'KB884',
      );
    const board = (await plain.inSession(task.project_id)).withFence(fence);
    if (is === 'subtask_of') {
      if (remove && task.parent_id !== other.id) return missing;
      await board.write('PATCH', 'tasks', { parent_id: remove ? null : other.id }, [
        ['id', `eq.${task.id}`],
        ['select', 'id'],
      ]);
    } else {
      const [before, after] = is === 'waits_for' ? [other, task] : [task, other];
      const pair = { project_id: task.project_id, predecessor_id: before.id, successor_id: after.id };
      const [known] = await board.read<readonly { id: string }[]>('task_dependencies', [
        ['select', 'id'],
        ['project_id', `eq.${task.project_id}`],
        ['predecessor_id', `eq.${before.id}`],
        ['successor_id', `eq.${after.id}`],
      ]);
      if (remove && known === undefined) return missing;
      if (remove)
        await board.write('DELETE', 'task_dependencies', undefined, [
          ['id', `eq.${known?.id}`],
          ['select', 'id'],
        ]);
      else if (known === undefined) await board.write('POST', 'task_dependencies', pair, [['select', 'id']]);
    }
    return { structured: { linked: !remove }, text: `${say(remove ? 'unlinked' : 'linked')}.` };
  },
});
