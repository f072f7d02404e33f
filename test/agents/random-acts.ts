// Things that an agent or a person may do to a board, each drawn by two numbers over the rows that are there. A refusal is an answer, too.

import type { SupabaseClient } from '@supabase/supabase-js';
import type { Rows } from './snapshots.ts';

interface Ground {
  readonly client: SupabaseClient;
  readonly project: string;
  readonly people: readonly string[];
  readonly rows: Rows;
  readonly a: number;
  readonly b: number;
}

export interface Act {
  readonly name: string;
  /** The code of a refusal. */
  readonly run: (ground: Ground) => Promise<string | undefined>;
}

type Row = Readonly<Record<string, string>>;

const idsOf = (rows: Rows, table: string): Row[] =>
  [...rows].flatMap(([key, row]) => (key.startsWith(`${table} `) ? [row as Row] : []));
const pick = <T>(all: readonly T[], n: number): T | undefined => all[n % Math.max(all.length, 1)];

type Answer = PromiseLike<{ error: { code: string } | null }>;

const act = (name: string, run: (ground: Ground & { one(table: string, n?: number): Row }) => Answer): Act => ({
  name,
  async run(ground) {
    const missing = 'nothing there';
    try {
      const one = (table: string, n = ground.a): Row => {
        const row = pick(idsOf(ground.rows, table), n);
        if (row === undefined) throw new Error(missing);
        return row;
      };
      return (await run({ ...ground, one })).error?.code;
    } catch (error) {
      if (error instanceof Error && error.message === missing) return missing;
      throw error;
    }
  },
});

export const acts: readonly Act[] = [
  act('makes a task', ({ client, project, a }) =>
    client.from('tasks').insert({ project_id: project, title: `New ${a}` }),
  ),
  act('makes a subtask', ({ client, project, one, b }) =>
    client.from('tasks').insert({ project_id: project, title: `Part ${b}`, parent_id: one('tasks').id }),
  ),
  act('renames', ({ client, one, b }) =>
    client
      .from('tasks')
      .update({ title: `Title ${b}` })
      .eq('id', one('tasks').id),
  ),
  act('changes several', ({ client, one, b }) =>
    client
      .from('tasks')
      .update({ priority: b % 2 === 0 ? 'p0' : 'p1', estimate: b, description: `Words ${b}` })
      .eq('id', one('tasks').id),
  ),
  act('moves to a column', ({ client, one, b }) =>
    client.rpc('move_task', { task_id: one('tasks').id, column_id: one('workflow_columns', b).id }),
  ),
  act('moves beside', ({ client, one, b }) =>
    client.rpc('move_task', {
      task_id: one('tasks').id,
      column_id: one('tasks', b).column_id,
      after_id: one('tasks', b).id,
    }),
  ),
  act('deletes a task', ({ client, one }) => client.from('tasks').delete().eq('id', one('tasks').id)),
  act('archives', ({ client, one, b }) =>
    client
      .from('tasks')
      .update({ archived_at: b % 2 === 0 ? '2030-01-01' : null })
      .eq('id', one('tasks').id),
  ),
  act('nests', ({ client, one, b }) =>
    client
      .from('tasks')
      .update({ parent_id: b % 3 === 0 ? null : one('tasks', b).id })
      .eq('id', one('tasks').id),
  ),
  act('comments', ({ client, one, b }) =>
    client.from('task_comments').insert({ task_id: one('tasks').id, body: `Said ${b}` }),
  ),
  act('edits a comment', ({ client, one, b }) =>
    client
      .from('task_comments')
      .update({ body: `Said otherwise ${b}` })
      .eq('id', one('task_comments').id),
  ),
  act('deletes a comment', ({ client, one }) =>
    client.from('task_comments').delete().eq('id', one('task_comments').id),
  ),
  act('reacts', ({ client, one }) =>
    client.from('comment_reactions').insert({ comment_id: one('task_comments').id, emoji: '👍' }),
  ),
  act('resolves', ({ client, one }) =>
    client.from('comment_resolutions').insert({ comment_id: one('task_comments').id }),
  ),
  act('opens a thread', ({ client, one }) =>
    client.from('comment_resolutions').delete().eq('comment_id', one('comment_resolutions').comment_id),
  ),
  act('assigns', ({ client, one, people, b }) =>
    client.from('task_assignees').insert({ task_id: one('tasks').id, user_id: pick(people, b) }),
  ),
  act('unassigns', ({ client, one }) => client.from('task_assignees').delete().eq('id', one('task_assignees').id)),
  act('adds a label', ({ client, project, b }) =>
    client.from('task_labels').insert({ project_id: project, name: `Label ${b}`, color: '#123456' }),
  ),
  act('renames a label', ({ client, one, b }) =>
    client
      .from('task_labels')
      .update({ name: `Named ${b}` })
      .eq('id', one('task_labels').id),
  ),
  act('deletes a label', ({ client, one }) => client.from('task_labels').delete().eq('id', one('task_labels').id)),
  act('labels', ({ client, one, b }) =>
    client.from('task_label_links').insert({ task_id: one('tasks').id, label_id: one('task_labels', b).id }),
  ),
  act('unlabels', ({ client, one }) => client.from('task_label_links').delete().eq('id', one('task_label_links').id)),
  act('makes wait', ({ client, one, b }) =>
    client.from('task_dependencies').insert({ predecessor_id: one('tasks').id, successor_id: one('tasks', b).id }),
  ),
  act('frees', ({ client, one }) => client.from('task_dependencies').delete().eq('id', one('task_dependencies').id)),
  act('adds a step', ({ client, one, b }) =>
    client.from('task_checklist_items').insert({ task_id: one('tasks').id, title: `Step ${b}` }),
  ),
  act('ticks off', ({ client, one, b }) =>
    client
      .from('task_checklist_items')
      .update({ is_done: b % 2 === 0 })
      .eq('id', one('task_checklist_items').id),
  ),
  act('deletes a step', ({ client, one }) =>
    client.from('task_checklist_items').delete().eq('id', one('task_checklist_items').id),
  ),
  act('adds a field', ({ client, project, b }) =>
    client
      .from('custom_fields')
      .insert({ project_id: project, name: `Field ${b}`, kind: 'number', default_value: b % 2 === 0 ? b : null }),
  ),
  act('deletes a field', ({ client, one }) => client.from('custom_fields').delete().eq('id', one('custom_fields').id)),
  act('fills a field', ({ client, one, a, b }) =>
    client
      .from('task_field_values')
      .upsert({ task_id: one('tasks').id, field_id: one('custom_fields', b).id, value: a }),
  ),
  act('adds a column', ({ client, project, b }) =>
    client
      .from('workflow_columns')
      .insert({ project_id: project, name: `Column ${b}`, kind: b % 2 === 0 ? 'in_progress' : 'todo' }),
  ),
  act('deletes a column', ({ client, one }) =>
    client.from('workflow_columns').delete().eq('id', one('workflow_columns').id),
  ),
  act('changes what a column stands for', ({ client, one, b }) =>
    client
      .from('workflow_columns')
      .update({ kind: b % 2 === 0 ? 'done' : 'in_progress' })
      .eq('id', one('workflow_columns').id),
  ),
  act('duplicates', ({ client, one }) => client.rpc('duplicate_task', { task_id: one('tasks').id })),
  act('makes it recur', ({ client, one }) =>
    client.from('task_recurrences').insert({ task_id: one('tasks').id, rule: 'FREQ=WEEKLY', mode: 'after_completion' }),
  ),
  act('restricts', ({ client, one, b }) =>
    client
      .from('tasks')
      .update({ is_restricted: b % 2 === 0 })
      .eq('id', one('tasks').id),
  ),
];
