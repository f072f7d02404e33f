// Undoes an import as a whole: deletes its rows and restores the ones it changed. Columns and labels used elsewhere by now stay, as do people who
// joined by its invitations; open invitations are withdrawn. People whom it added go, unless they have done or got something in the project since.

import { figures } from '../../contract/views.ts';
import type { Caller, StatementRunner, Transaction } from '../database/types.ts';
import { importSettings } from './import-settings.ts';

const rowsAtOnce = 1000;

/** In this order: what hangs on a task before the task. */
const steps: readonly (readonly [kind: string, table: string, restore: string | null])[] = [
  ['dependency', 'task_dependencies', null],
  ['assignee', 'task_assignees', null],
  ['label_link', 'task_label_links', null],
  ['item', 'task_checklist_items', 'title = b.title, is_done = b.is_done'],
  ['comment', 'task_comments', 'body = b.body'],
  ['attachment', 'task_attachments', null],
  [
    'task',
    'tasks',
    `title = b.title, description = b.description, priority = b.priority, column_id = b.column_id, start_date = b.start_date,
     due_date = b.due_date, ${figures.map((name) => `${name} = b.${name}`).join(', ')}, parent_id = b.parent_id, archived_at = b.archived_at`,
  ],
];

export interface Undone {
  readonly removed: number;
  readonly restored: number;
}

/** Null where the caller has no such import. */
export async function undoImport(database: StatementRunner, caller: Caller, importId: string): Promise<Undone | null> {
  const [found] = await database.objectsAs<{ id: string; project_id: string }>(caller, {
    text: 'select id, project_id from private.imports where id = $1',
    values: [importId],
  });
  if (found === undefined) return null;
  const counts = { removed: 0, restored: 0 };
  for (const [kind, table, restore] of steps) {
    for (;;) {
      const rows = await database.transactAs(
        caller,
        (tx) => undoSome(tx, { importId, projectId: found.project_id, kind, table, restore }),
        importSettings,
      );
      if (kind === 'task') {
        counts.removed += rows.removed;
        counts.restored += rows.restored;
      }
      if (rows.taken < rowsAtOnce) break;
    }
  }
  await database.transactAs(caller, (tx) => undoPlaces(tx, importId, found.project_id), importSettings);
  return counts;
}

interface Step {
  readonly importId: string;
  readonly projectId: string;
  readonly kind: string;
  readonly table: string;
  readonly restore: string | null;
}

async function undoSome(tx: Transaction, { importId, projectId, kind, table, restore }: Step) {
  const rows = await tx.objects<{ row_id: string; before: unknown }>({
    text: `delete from private.import_changes where import_id = $1 and kind = $2 and row_id in (
             select row_id from private.import_changes where import_id = $1 and kind = $2 order by row_id desc limit ${rowsAtOnce})
           returning row_id, before`,
    values: [importId, kind],
  });
  const made = rows.filter(({ before }) => before === null).map(({ row_id }) => row_id);
  const changed = rows.filter(({ before }) => before !== null);
  const removed = await tx.run({
    text: `delete from public.${table} where project_id = $1 and id in (select jsonb_array_elements_text($2::jsonb)::uuid)`,
    values: [projectId, JSON.stringify(made)],
  });
  let restored = 0;
  if (restore !== null && changed.length > 0) {
    const result = await tx.run({
      text: `update public.${table} t set ${restore}
             from jsonb_populate_recordset(null::public.${table}, $2::jsonb) as b where t.project_id = $1 and t.id = b.id`,
      values: [projectId, JSON.stringify(changed.map(({ before }) => before))],
    });
    restored = result.affected;
  }
  // The next import of the same file makes them again, and changes again what is as it was.
  await tx.run({
    text: `delete from private.import_origins where project_id = $1 and row_id in (select jsonb_array_elements_text($2::jsonb)::uuid)`,
    values: [projectId, JSON.stringify(made)],
  });
  await tx.run({
    text: `update private.import_origins set digest = '' where project_id = $1 and row_id in (select jsonb_array_elements_text($2::jsonb)::uuid)`,
    values: [projectId, JSON.stringify(changed.map(({ row_id }) => row_id))],
  });
  return { taken: rows.length, removed: removed.affected, restored };
}

async function undoPlaces(tx: Transaction, importId: string, projectId: string): Promise<void> {
  const of = (kind: string) =>
    `id in (select row_id from private.import_changes where import_id = $1 and kind = '${kind}')`;
  await tx.run({
    text: `delete from public.task_labels l where project_id = $2 and ${of('label')}
           and not exists (select from public.task_label_links k where k.project_id = l.project_id and k.label_id = l.id)`,
    values: [importId, projectId],
  });
  await tx.run({
    text: `delete from public.workflow_columns c where project_id = $2 and ${of('column')}
           and not exists (select from public.tasks t where t.project_id = c.project_id and t.column_id = c.id)
           and exists (select from public.workflow_columns o where o.project_id = c.project_id
             and o.id not in (select row_id from private.import_changes where import_id = $1 and kind = 'column'))`,
    values: [importId, projectId],
  });
  await tx.run({ text: 'delete from private.awaited_assignees where import_id = $1', values: [importId] });
  // By owners alone: who is none any more leaves them to those who are.
  await tx.run({
    text: `delete from public.project_invitations where project_id = $2 and ${of('invitation')} and accepted_at is null and private.is_owner($2)`,
    values: [importId, projectId],
  });
  const added = `m.project_id = $2 and m.own_role = 'editor' and private.is_owner($2)
    and m.user_id in (select row_id from private.import_changes where import_id = $1 and kind = 'member')
    and not exists (select from public.task_assignees a where a.project_id = m.project_id and a.user_id = m.user_id)
    and not exists (select from public.task_activity a where a.project_id = m.project_id and a.actor_id = m.user_id)`;
  for (const text of [
    // Whom a group brings, too, stays as what it says.
    `update public.project_members m set own_role = null where ${added} and private.role_by_groups(m.project_id, m.user_id) is not null`,
    `delete from public.project_members m where ${added}`,
  ])
    await tx.run({ text, values: [importId, projectId] });
  await tx.run({
    text: `update private.imports set state = 'undone', updated_at = now() where id = $1`,
    values: [importId],
  });
}
