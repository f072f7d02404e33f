// Ticking a box in a description or comment: one line of it changes, whatever others do to the rest meanwhile.

import { t } from '../strings/messages.ts';
import { dataOf, Refusal } from '../sync/door.ts';
import type { Mutation } from '../sync/journal/entries.ts';
import { update } from '../sync/rows/diff.ts';
import type { Reader } from '../sync/rows/store.ts';
import { define, flag, number, oneOf, only, record, text } from './define-command.ts';

/** Others may save at the same moment. */
const tries = 5;

/** The text with one of its lines changed; null: the line is not there any more. */
function withLine(text: string, line: string, changed: string, nth: number): string | null {
  const lines = text.split('\n');
  let seen = 0;
  const at = lines.findIndex((one) => one === line && seen++ === nth);
  // Elsewhere now, or one of fewer.
  const place = at < 0 ? lines.lastIndexOf(line) : at;
  return place < 0 ? null : lines.with(place, changed).join('\n');
}

const change = define(
  'tickBox',
  record({ table: oneOf('tasks', 'task_comments'), id: text, line: text, changed: text, nth: number, done: flag }),
  {
    merges: true,
    apply(store, { table, id, line, changed, nth }) {
      if (table === 'tasks') {
        const row = store.get('tasks', id);
        const description = row && withLine(row.description ?? '', line, changed, nth);
        return only(row && description != null && update('tasks', row, { description }));
      }
      const row = store.get('task_comments', id);
      const body = row && withLine(row.body ?? '', line, changed, nth);
      return only(row && body != null && update('task_comments', row, { body }));
    },
    async send(door, { table, id, line, changed, nth }) {
      for (let left = tries; left > 0; left--) {
        if (table === 'tasks') {
          const [row] = dataOf(await door.from('tasks').select().eq('id', id));
          const description = row && withLine(row.description, line, changed, nth);
          // Gone, or somebody has ticked it: as it is there, it is here.
          if (row === undefined || description == null) return row ? [{ table, row }] : [{ table, gone: id }];
          const [saved] = dataOf(
            await door.from('tasks').update({ description }).eq('id', id).eq('version', row.version).select(),
          );
          if (saved) return [{ table, row: saved }];
        } else {
          const [row] = dataOf(await door.from('task_comments').select().eq('id', id));
          const body = row && withLine(row.body, line, changed, nth);
          if (row === undefined || body == null) return row ? [{ table, row }] : [{ table, gone: id }];
          const [saved] = dataOf(
            await door.from('task_comments').update({ body }).eq('id', id).eq('version', row.version).select(),
          );
          if (saved) return [{ table, row: saved }];
        }
      }
      // As if nobody had answered: tried again a little later.
      throw new Refusal('Others keep changing this text', '', 503);
    },
  },
);

export interface CheckboxChange {
  readonly table: 'tasks' | 'task_comments';
  readonly id: string;
  readonly line: string;
  readonly changed: string;
  readonly nth: number;
  readonly words: string;
  readonly done: boolean;
}

export function tickBox(_: Reader, { words, ...args }: CheckboxChange): Mutation {
  return change(args, t(args.done ? 'task.did.ticked' : 'task.did.unticked', { words }));
}
