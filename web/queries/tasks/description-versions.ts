// Versions of a task's description, read out of its history. Changes that one person makes within minutes are one version.

import type { Query } from '../../sync/react.tsx';
import type { ActivityRow } from '../../sync/rows/rows.ts';

export interface DescriptionVersion {
  /** The newest of its lines; '' for the text that the task began with. */
  readonly id: string;
  readonly lineIds: readonly string[];
  readonly text: string;
  /** The text it replaced; null for the first. */
  readonly before: string | null;
  readonly actorId: string | null;
  readonly at: string;
}

/** Milliseconds between two changes of one person that count as one. */
export const pause = 5 * 60_000;

interface TextChange {
  readonly from: string;
  readonly to: string;
}

/** Null: the line is of something else. */
export function descriptionChangeOf({ kind, change }: Pick<ActivityRow, 'kind' | 'change'>): TextChange | null {
  const { description } = (change ?? {}) as { description?: { from?: unknown; to?: unknown } };
  const { from, to } = description ?? {};
  return kind === 'updated' && typeof from === 'string' && typeof to === 'string' ? { from, to } : null;
}

/** Both changes as one; null: they are two, as are a change and its undoing. */
export function joinedChange(last: ActivityRow, next: ActivityRow): TextChange | null {
  const [one, other] = [descriptionChangeOf(last), descriptionChangeOf(next)];
  if (one === null || other === null || last.actor_id !== next.actor_id) return null;
  if (one.to !== other.from || one.from === other.to) return null;
  return Date.parse(next.created_at) - Date.parse(last.created_at) <= pause ? { from: one.from, to: other.to } : null;
}

/** Newest first; none where the text has never changed. */
export const descriptionVersionsOf: Query<[taskId: string], DescriptionVersion[]> = {
  read(store, taskId) {
    const versions: { line: ActivityRow; lineIds: string[] }[] = [];
    const lines = store.where('task_activity', 'task_id', taskId).filter((line) => descriptionChangeOf(line) !== null);
    lines.sort((one, other) => one.created_at.localeCompare(other.created_at) || (one.id < other.id ? -1 : 1));
    for (const line of lines) {
      const last = versions.at(-1);
      const description = last ? joinedChange(last.line, line) : null;
      if (last === undefined || description === null) versions.push({ line, lineIds: [line.id] });
      else
        versions.splice(-1, 1, {
          line: { ...line, change: { description: { ...description } } },
          lineIds: [...last.lineIds, line.id],
        });
    }
    const shown = versions.map(({ line, lineIds }): DescriptionVersion => {
      const { from: before, to: text } = descriptionChangeOf(line) ?? { from: '', to: '' };
      return { id: line.id, lineIds, text, before, actorId: line.actor_id, at: line.created_at };
    });
    const task = store.get('tasks', taskId);
    const first = shown[0]?.before;
    if (task && first)
      shown.unshift({
        id: '',
        lineIds: [],
        text: first,
        before: null,
        actorId: task.created_by,
        at: task.created_at,
      });
    return shown.reverse();
  },
};
