// `update_tasks`: changes of tasks, each based on a version; a conflict says what others changed.

import { list, object, text, type ValueOf, whole } from '../../http/open-api.ts';
import { asData, type Board, type Query } from '../board.ts';
import { findTasks } from '../names.ts';
import { changesOf, type Saved, savedTasks, taskChange } from '../task-changes.ts';
import { headOf, recentActivity } from '../task-markdown.ts';
import { keyOf, lineOf, readTasks, type TaskRow, waitsColumn } from '../tasks.ts';
import { declareTool, orUndefined } from '../tool.ts';
import { ToolFault } from '../tool-fault.ts';

const most = 50;
const update = object({ task: text(), version: whole('Version you read'), ...taskChange });
type Update = ValueOf<typeof update>;

export const updateTasks = declareTool({
  name: 'update_tasks',
  title: 'Update tasks',
  description:
    'Changes up to 50 tasks, all or none; null clears. If someone changed one since, nothing is saved and you are told what.',
  scope: 'write',
  hints: { destructive: true, idempotent: true },
  input: object({ updates: list(update, undefined, { minItems: 1 }), 'fence?': whole('Of your claim') }),
  output: object({ updated: list(object({ key: text(), version: whole() })) }),
  async run({ updates, fence }, { board: plain, progress }) {
    if (updates.length > most)
      throw new ToolFault(`These are ${updates.length} tasks; update at most ${most} in one call.`, 'KB884');
    await progress(0, 2, 'Looking up names');
    const tasks = await findTasks(
      plain,
      updates.map(({ task }) => task),
      waitsColumn,
    );
    const board = (await plain.inSession(tasks[0]?.project_id ?? '')).withFence(fence);
    const changes = (
      await Promise.all(updates.map((one, at) => changesOf(board, tasks[at] as TaskRow, one, one.version)))
    ).flat();
    await progress(1, 2, `Saving ${updates.length} tasks`);
    const saved = await board.call<Saved>('apply_changes', { changes }).catch(async (error: unknown) => {
      if (error instanceof ToolFault && error.code === 'KB017') throw await conflict(board, updates);
      throw error;
    });
    const query: Query = [['id', `in.(${tasks.map(({ id }) => id).join()})`]];
    const rows = await orUndefined(readTasks(plain, query, waitsColumn));
    await progress(2, 2, 'Saved');
    if (rows === undefined) {
      const versions = new Map(savedTasks(saved).map(({ id, version }) => [id, version]));
      const updated = tasks.map((task) => ({ key: keyOf(task), version: versions.get(task.id) ?? task.version }));
      return { structured: { updated }, text: `Saved: ${updated.map(({ key }) => key).join(', ')}.` };
    }
    const updated = tasks.flatMap(({ id }) => rows.find((row) => row.id === id) ?? []);
    return {
      structured: { updated: updated.map((task) => ({ key: keyOf(task), version: task.version })) },
      text: `Saved:\n${asData(updated.map(lineOf).join('\n'))}`,
    };
  },
});

/** Nothing was saved: the tasks as they are now, and what was done to them last. */
async function conflict(board: Board, updates: readonly Update[]): Promise<ToolFault> {
  const now = await findTasks(
    board,
    updates.map(({ task }) => task),
    waitsColumn,
  );
  const changed = now.filter((task, at) => task.version !== updates[at]?.version).slice(0, 5);
  const latest = await Promise.all(
    changed.map(async (task) =>
      [headOf(board, task), 'Latest changes:', ...(await recentActivity(board, task.id, 5))].join('\n'),
    ),
  );
  return new ToolFault(
    `Conflict: ${changed.map(keyOf).join(', ') || 'a task'} changed since you read it, and nothing was saved. Look at what changed; if your update still makes sense, call update_tasks again with the new version.\n${asData(latest.join('\n\n'))}`,
    'KB017',
  );
}
