// Rows of others are answered like missing ones: for every table with a project, every id that a new row may name.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';
import { type Board, bareTask, makeBoard } from './board.ts';

let board: Board;
const app = forSuite(startApp);
beforeAll(async () => {
  board = await makeBoard(app);
});

type Row = Record<string, unknown>;
/** A row of each table that the editor could add, without its project. */
const rows: Readonly<Record<string, (board: Board) => Row>> = {
  workflow_columns: () => ({ name: 'Review' }),
  tasks: (b) => ({ title: 'Another', column_id: b.columns.todo }),
  task_assignees: (b) => ({ task_id: b.tasks[1], user_id: b.people.viewer.id }),
  task_labels: () => ({ name: 'another' }),
  task_label_links: (b) => ({ task_id: b.tasks[1], label_id: b.spareLabel }),
  task_checklist_items: (b) => ({ task_id: b.tasks[1], title: 'One more' }),
  task_attachments: (b) => ({ task_id: b.tasks[1], name: 'x', object_path: `${b.project}/${b.tasks[1]}/x` }),
  task_dependencies: (b) => ({ predecessor_id: b.tasks[1], successor_id: b.tasks[2] }),
  task_comments: (b) => ({ task_id: b.tasks[1], body: 'Hello' }),
  comment_reactions: (b) => ({ comment_id: b.reply, task_id: b.tasks[0], emoji: '🚀' }),
  comment_resolutions: (b) => ({ comment_id: b.reply, task_id: b.tasks[0] }),
  templates: () => ({ kind: 'task', name: 'Another', body: bareTask }),
  saved_views: () => ({ name: 'Mine' }),
  view_defaults: (b) => ({ view_id: b.view }),
  custom_fields: () => ({ name: 'Size', kind: 'text' }),
  task_field_values: (b) => ({ task_id: b.tasks[1], field_id: b.spareField, value: 'x' }),
  task_grants: (b) => ({ task_id: b.tasks[1], user_id: b.people.viewer.id }),
  task_recurrences: (b) => ({ task_id: b.tasks[1], rule: 'FREQ=DAILY' }),
  project_members: (b) => ({ user_id: b.people.outsider.id }),
  project_invitations: () => ({ email: 'someone@example.test' }),
  task_watchers: (b) => ({ task_id: b.tasks[2] }),
  project_watchers: () => ({}),
  notification_settings: () => ({ kind: 'commented' }),
};

/** For each column that names something: what the outsider has of it. */
const foreign: Readonly<Record<string, (board: Board) => string>> = {
  project_id: (b) => b.elsewhere.project,
  task_id: (b) => b.elsewhere.task,
  predecessor_id: (b) => b.elsewhere.task,
  successor_id: (b) => b.elsewhere.task,
  column_id: (b) => b.elsewhere.column,
  label_id: (b) => b.elsewhere.label,
  user_id: (b) => b.people.outsider.id,
  created_by: (b) => b.people.outsider.id,
  author_id: (b) => b.people.outsider.id,
  owner_id: (b) => b.people.outsider.id,
  uploaded_by: (b) => b.people.outsider.id,
  invited_by: (b) => b.people.outsider.id,
  comment_id: (b) => b.elsewhere.comment,
  parent_id: (b) => b.elsewhere.comment,
  cover_attachment_id: (b) => b.elsewhere.attachment,
  view_id: (b) => b.elsewhere.view,
  field_id: (b) => b.elsewhere.field,
  group_id: (b) => b.elsewhere.group,
};

/** As the editor; ids in the answer are made alike, so that only what else differs shows. */
async function post(table: string, body: Row): Promise<{ status: number; answer: string }> {
  const response = await app.request(`/rest/v1/${table}`, {
    method: 'POST',
    token: board.people.editor.token,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.text()).replaceAll(
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
    '<id>',
  );
  return { status: response.status, answer };
}

/** The same row twice: once with what is the outsider's, once with an id that nobody has. */
function twins(row: Row, column: string): [Row, Row] {
  const theirs = foreign[column]?.(board) ?? '';
  const nobodys = randomUUID();
  const with_ = (id: string): Row => {
    const path = typeof row.object_path === 'string' ? { object_path: row.object_path } : {};
    const changed: Row = { ...row, ...path, [column]: id };
    if (column === 'task_id' && 'object_path' in row)
      changed.object_path = `${String(row.project_id ?? board.project)}/${id}/x`;
    return changed;
  };
  return [with_(theirs), with_(nobodys)];
}

it('covers every table with a project and every column that names a row', async () => {
  const columns = await app.sql<{ table: string; column: string }>(`
    select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and a.atttypid = 'uuid'::regtype and a.attname not in ('id', 'audience_id')
      and has_column_privilege('authenticated', c.oid, a.attnum, 'insert')
      and exists (select from pg_attribute p where p.attrelid = c.oid and p.attname = 'project_id')`);
  expect([...new Set(columns.map(({ table }) => table))].sort()).toEqual(Object.keys(rows).sort());
  expect([...new Set(columns.map(({ column }) => column))].sort()).toEqual(Object.keys(foreign).sort());
});

describe.each(Object.keys(rows))('%s', (table) => {
  it.each([true, false])('project named: %s', async (named) => {
    const row: Row = { ...rows[table]?.(board), ...(named ? { project_id: board.project } : {}) };
    const columns = await app.sql<{ column: string }>(
      `select a.attname as column from pg_attribute a
       where a.attrelid = 'public.${table}'::regclass and a.attname = any ($1)`,
      [Object.keys(foreign)],
    );
    const names = columns.map(({ column }) => column);
    for (const column of names.filter((name) => named || name !== 'project_id')) {
      // whom an editor may not add at all is nobody's secret: members are the owners' to add
      const [theirs, nobodys] = twins(row, column);
      const answer = await post(table, theirs);
      expect({ column, ...answer }).toEqual({ column, ...(await post(table, nobodys)) });
      // a template is a project's or a person's, whoever that is
      const both = table === 'templates' && column === 'owner_id' && named;
      expect(both ? [400] : [403, 409], `${column}: ${answer.answer}`).toContain(answer.status);
      // a row that would land in someone else's project is refused by its policy
      const saysProject = 'task_id' in row ? 'task_id' : 'successor_id' in row ? 'successor_id' : 'column_id';
      if (column === 'project_id' || (!named && column === saysProject))
        expect({ column, status: answer.status }).toEqual({ column, status: 403 });
    }
  });
});
