// Who may do what: every role, every table, every verb, through the door. The list of tables comes from the catalog, so a
// new table without rows here fails. Each request is rolled back, so all of them meet the same board.
//
// A cell says who may. What everyone else gets follows from one rule: who sees the row is refused (403, code 42501), to who
// does not see it there is nothing to change (an empty answer), an insert is refused, and without signing in it is 401.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../helpers/app.ts';
import { type Board, bareTask, makeBoard, type Role } from './board.ts';

interface Cells {
  /** Picks the board's row. */
  readonly row: (board: Board) => string;
  readonly sees: readonly Role[];
  readonly insert: {
    readonly body: (board: Board, role: Role) => Record<string, unknown>;
    readonly may: readonly Role[];
  };
  readonly update: { readonly body: Record<string, unknown>; readonly may: readonly Role[] };
  readonly delete: { readonly may: readonly Role[] };
  /** Verbs nobody was granted: refused before any row is looked at, outsiders too. */
  readonly closed?: readonly ('insert' | 'update' | 'delete')[];
}

const members: readonly Role[] = ['owner', 'editor', 'viewer'];
const writers: readonly Role[] = ['owner', 'editor'];
const owners: readonly Role[] = ['owner'];
const nobody: readonly Role[] = [];

const matrix: Readonly<Record<string, Cells>> = {
  projects: {
    row: (board) => `id=eq.${board.project}`,
    sees: members,
    insert: { body: () => ({ name: 'Another', key: 'AN' }), may: nobody },
    update: { body: { name: 'Renamed', archived_at: '2026-01-01T00:00:00Z' }, may: owners },
    delete: { may: owners },
    closed: ['insert'],
  },
  project_members: {
    row: (board) => `project_id=eq.${board.project}&user_id=eq.${board.people.viewer.id}`,
    sees: members,
    insert: {
      body: (board) => ({ project_id: board.project, user_id: board.people.outsider.id, role: 'editor' }),
      may: owners,
    },
    update: { body: { role: 'editor' }, may: owners },
    // the row is the viewer's own: everyone may leave
    delete: { may: ['owner', 'viewer'] },
  },
  project_invitations: {
    row: (board) => `id=eq.${board.invitation}`,
    sees: members,
    insert: {
      body: (board) => ({ project_id: board.project, email: 'more@example.test', role: 'editor' }),
      may: owners,
    },
    update: { body: { role: 'editor' }, may: owners },
    delete: { may: owners },
  },
  profiles: {
    row: (board) => `id=eq.${board.people.editor.id}`,
    sees: members,
    // one's own only, and that one is there already: see the hostile list
    insert: { body: () => ({ id: randomUUID(), display_name: 'Nobody' }), may: nobody },
    update: { body: { display_name: 'Someone else' }, may: ['editor'] },
    delete: { may: nobody },
    closed: ['delete'],
  },
  workflow_columns: {
    row: (board) => `id=eq.${board.columns.todo}`,
    sees: members,
    insert: { body: (board) => ({ project_id: board.project, name: 'Review' }), may: writers },
    update: { body: { name: 'Next', kind: 'custom', position: 1.5 }, may: writers },
    delete: { may: writers },
  },
  tasks: {
    row: (board) => `id=eq.${board.tasks[0]}`,
    sees: members,
    insert: { body: (board) => ({ project_id: board.project, title: 'Another' }), may: writers },
    update: { body: { title: 'Renamed', priority: 'p0' }, may: writers },
    delete: { may: writers },
  },
  task_assignees: {
    row: (board) => `task_id=eq.${board.tasks[0]}&user_id=eq.${board.people.editor.id}`,
    sees: members,
    insert: { body: (board) => ({ task_id: board.tasks[0], user_id: board.people.viewer.id }), may: writers },
    update: { body: { created_at: '2020-01-01T00:00:00Z' }, may: writers },
    delete: { may: writers },
  },
  task_labels: {
    row: (board) => `id=eq.${board.label}`,
    sees: members,
    insert: { body: (board) => ({ project_id: board.project, name: 'new' }), may: writers },
    update: { body: { name: 'renamed' }, may: writers },
    delete: { may: writers },
  },
  task_label_links: {
    row: (board) => `task_id=eq.${board.tasks[0]}&label_id=eq.${board.label}`,
    sees: members,
    insert: { body: (board) => ({ task_id: board.tasks[0], label_id: board.spareLabel }), may: writers },
    update: { body: { created_at: '2020-01-01T00:00:00Z' }, may: writers },
    delete: { may: writers },
  },
  task_checklist_items: {
    row: (board) => `id=eq.${board.item}`,
    sees: members,
    insert: { body: (board) => ({ task_id: board.tasks[0], title: 'One more' }), may: writers },
    update: { body: { is_done: true }, may: writers },
    delete: { may: writers },
  },
  task_attachments: {
    row: (board) => `id=eq.${board.attachment}`,
    sees: members,
    insert: {
      body: (board) => ({
        task_id: board.tasks[0],
        name: 'plan.pdf',
        content_type: 'application/pdf',
        object_path: `${board.project}/${board.tasks[0]}/plan.pdf`,
      }),
      may: writers,
    },
    update: { body: { name: 'renamed.txt' }, may: writers },
    delete: { may: writers },
  },
  task_dependencies: {
    row: (board) => `project_id=eq.${board.project}&successor_id=eq.${board.tasks[1]}`,
    sees: members,
    insert: {
      body: (board) => ({ predecessor_id: board.tasks[1], successor_id: board.tasks[2] }),
      may: writers,
    },
    update: { body: { lag_days: 2 }, may: writers },
    delete: { may: writers },
  },
  custom_fields: {
    row: (board) => `id=eq.${board.field}`,
    sees: members,
    insert: { body: (board) => ({ project_id: board.project, name: 'Until', kind: 'date' }), may: writers },
    update: { body: { name: 'Price', unit: 'kg', position: 1.5 }, may: writers },
    delete: { may: writers },
  },
  task_field_values: {
    row: (board) => `task_id=eq.${board.tasks[0]}&field_id=eq.${board.field}`,
    sees: members,
    insert: {
      body: (board) => ({ task_id: board.tasks[0], field_id: board.spareField, value: 'Wintergreen' }),
      may: writers,
    },
    update: { body: { value: 7 }, may: writers },
    delete: { may: writers },
  },
  task_recurrences: {
    row: (board) => `id=eq.${board.recurrence}`,
    sees: members,
    insert: { body: (board) => ({ task_id: board.tasks[1], rule: 'FREQ=WEEKLY;BYDAY=MO' }), may: writers },
    update: { body: { rule: 'FREQ=MONTHLY', mode: 'after_completion' }, may: writers },
    delete: { may: writers },
  },
  calendar_feeds: {
    row: (board) => `id=eq.${board.feed}`,
    sees: ['editor'],
    // made by a procedure, with its secret
    insert: { body: () => ({ kind: 'mine', name: 'Mine' }), may: nobody },
    update: { body: { name: 'Renamed' }, may: ['editor'] },
    delete: { may: ['editor'] },
    closed: ['insert'],
  },
  templates: {
    row: (board) => `id=eq.${board.template}`,
    sees: members,
    insert: {
      body: (board) => ({ project_id: board.project, kind: 'task', name: 'Bug', body: bareTask }),
      may: writers,
    },
    update: { body: { name: 'Renamed' }, may: writers },
    delete: { may: writers },
  },
  task_comments: {
    row: (board) => `id=eq.${board.comment}`,
    sees: members,
    insert: { body: (board) => ({ task_id: board.tasks[0], body: 'Hello' }), may: writers },
    update: { body: { body: 'Put in your mouth' }, may: ['editor'] },
    delete: { may: writers },
  },
  comment_reactions: {
    row: (board) => `comment_id=eq.${board.comment}&user_id=eq.${board.people.editor.id}`,
    sees: members,
    insert: { body: (board) => ({ comment_id: board.comment, emoji: '🎉' }), may: writers },
    update: { body: { emoji: '👎' }, may: nobody },
    delete: { may: ['editor'] },
    closed: ['update'],
  },
  comment_resolutions: {
    row: (board) => `comment_id=eq.${board.comment}`,
    sees: members,
    insert: { body: (board) => ({ comment_id: board.reply }), may: writers },
    update: { body: { created_at: '2020-01-01T00:00:00Z' }, may: nobody },
    delete: { may: writers },
    closed: ['update'],
  },
  task_activity: {
    row: (board) => `task_id=eq.${board.tasks[0]}&kind=eq.created`,
    sees: members,
    insert: { body: (board) => ({ project_id: board.project, kind: 'created' }), may: nobody },
    update: { body: { kind: 'updated' }, may: nobody },
    delete: { may: nobody },
    closed: ['insert', 'update', 'delete'],
  },
  notifications: {
    row: (board) => `user_id=eq.${board.people.editor.id}&kind=eq.assigned`,
    sees: ['editor'],
    insert: { body: (board) => ({ user_id: board.people.viewer.id, kind: 'mentioned' }), may: nobody },
    update: { body: { read_at: '2026-01-01T00:00:00Z' }, may: ['editor'] },
    delete: { may: ['editor'] },
    closed: ['insert'],
  },
  notification_settings: {
    row: (board) => `user_id=eq.${board.people.editor.id}&kind=eq.mentioned`,
    sees: ['editor'],
    insert: { body: (board) => ({ project_id: board.project, kind: 'commented', mail: 'off' }), may: members },
    update: { body: { mail: 'daily' }, may: ['editor'] },
    delete: { may: ['editor'] },
  },
  notification_schedules: {
    row: (board) => `user_id=eq.${board.people.editor.id}`,
    sees: ['editor'],
    // the editor has one already, and tries to make another's
    insert: {
      body: (board, role) => (role === 'editor' ? { user_id: board.people.viewer.id } : { daily_hour: 7 }),
      may: ['owner', 'viewer', 'outsider'],
    },
    update: { body: { time_zone: 'Asia/Tokyo' }, may: ['editor'] },
    delete: { may: ['editor'] },
  },
  task_watchers: {
    row: (board) => `task_id=eq.${board.tasks[0]}&user_id=eq.${board.people.editor.id}`,
    sees: members,
    insert: { body: (board) => ({ task_id: board.tasks[2] }), may: members },
    update: { body: { is_watching: false }, may: ['editor'] },
    delete: { may: ['editor'] },
  },
  project_watchers: {
    row: (board) => `project_id=eq.${board.project}&user_id=eq.${board.people.editor.id}`,
    sees: ['editor'],
    // the editor watches this one already, and tries a project of somebody else's
    insert: {
      body: (board, role) => ({ project_id: role === 'editor' ? board.elsewhere.project : board.project }),
      may: ['owner', 'viewer'],
    },
    update: { body: { created_at: '2020-01-01T00:00:00Z' }, may: ['editor'] },
    delete: { may: ['editor'] },
  },
  push_subscriptions: {
    // address and keys are granted to nobody
    row: (board) => `user_id=eq.${board.people.editor.id}&select=id`,
    sees: ['editor'],
    insert: { body: (board) => ({ user_id: board.people.editor.id, endpoint: 'https://push.test/x' }), may: nobody },
    update: { body: { endpoint: 'https://push.test/x' }, may: nobody },
    delete: { may: ['editor'] },
    closed: ['insert', 'update'],
  },
  saved_views: {
    row: (board) => `id=eq.${board.view}`,
    sees: members,
    insert: { body: (board) => ({ project_id: board.project, name: 'For all', is_shared: true }), may: writers },
    update: { body: { name: 'Renamed' }, may: ['editor'] },
    delete: { may: writers },
  },
  view_defaults: {
    row: (board) => `id=eq.${board.firstView}`,
    sees: members,
    // for oneself
    insert: { body: (board) => ({ project_id: board.project, view_id: board.view }), may: members },
    // this one is for everybody
    update: { body: { created_at: '2020-01-01T00:00:00Z' }, may: owners },
    delete: { may: owners },
  },
};

let app: TestApp;
let board: Board;
beforeAll(async () => {
  app = await startApp({ settings: { DATA_TX_OVERRIDE: 'true' } });
  board = await makeBoard(app);
});
afterAll(() => app.close());

const roles: readonly Role[] = ['owner', 'editor', 'viewer', 'outsider', 'anonymous'];

async function send(role: Role, method: string, path: string, body?: unknown) {
  const response = await app.request(`/rest/v1/${path}`, {
    method,
    ...(role === 'anonymous' ? {} : { token: board.people[role].token }),
    headers: { 'Content-Type': 'application/json', Prefer: 'return=representation, tx=rollback' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  return {
    status: response.status,
    rows: Array.isArray(answer) ? answer.length : null,
    code: Array.isArray(answer) ? null : (answer as { code: string }).code,
  };
}

const done = (status: number) => ({ status, rows: 1, code: null });
const nothing = { status: 200, rows: 0, code: null };
const refused = { status: 403, rows: null, code: '42501' };
const unknown = { status: 401, rows: null, code: '42501' };

it('covers every table that is served', async () => {
  const tables = await app.sql<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p', 'v', 'm', 'f') and relnamespace = 'public'::regnamespace order by 1`,
  );
  expect(tables.map((table) => table.name)).toEqual(Object.keys(matrix).sort());
});

describe.each(Object.entries(matrix))('%s', (table, cells) => {
  it.each(roles)('select as %s', async (role) => {
    expect(await send(role, 'GET', `${table}?${cells.row(board)}`)).toEqual(
      cells.sees.includes(role) ? done(200) : nothing,
    );
  });

  it.each(roles)('insert as %s', async (role) => {
    const answer = await send(role, 'POST', table, cells.insert.body(board, role));
    expect(answer).toEqual(cells.insert.may.includes(role) ? done(201) : role === 'anonymous' ? unknown : refused);
  });

  it.each(roles)('update as %s', async (role) => {
    const answer = await send(role, 'PATCH', `${table}?${cells.row(board)}`, cells.update.body);
    expect(answer).toEqual(outcome(role, cells.update.may, 'update'));
  });

  it.each(roles)('delete as %s', async (role) => {
    const answer = await send(role, 'DELETE', `${table}?${cells.row(board)}`);
    expect(answer).toEqual(outcome(role, cells.delete.may, 'delete'));
  });

  function outcome(role: Role, may: readonly Role[], verb: 'update' | 'delete') {
    if (role === 'anonymous') return unknown;
    if (may.includes(role)) return done(200);
    return cells.sees.includes(role) || cells.closed?.includes(verb) ? refused : nothing;
  }
});
