// Cells of the rights matrix, for `test/policies` and `npm run bench -- --policies`. A cell lists the allowed roles. The rest follows from one rule:
// a caller who sees the row is refused (403, code 42501), one who doesn't sees an empty answer, an insert is refused, and without signing in it is
// 401.

import { randomUUID } from 'node:crypto';
import type { TestApp } from '../helpers/app.ts';
import { type Board, bareTask, type Role } from './board.ts';

export interface Cells {
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
/** A guest of another task than the rows are of sees what is around all tasks. */
const around: readonly Role[] = [...members, 'guest'];
const writers: readonly Role[] = ['owner', 'editor'];
const owners: readonly Role[] = ['owner'];
const nobody: readonly Role[] = [];

/** Made and changed by procedures, and by the server. */
const told = (name: 'session' | 'activity' | 'proposal', body: (board: Board) => Record<string, unknown>): Cells => ({
  row: (board) => `id=eq.${board[name]}`,
  sees: members,
  insert: { body, may: nobody },
  update: { body: { created_at: '2026-01-01' }, may: nobody },
  delete: { may: nobody },
  closed: ['insert', 'update', 'delete'],
});
const sessionCells = {
  agent_sessions: told('session', ({ project }) => ({ project_id: project, mode: 'write' })),
  agent_activities: told('activity', ({ project, session }) => ({
    project_id: project,
    session_id: session,
    kind: 'thought',
    body: 'x',
  })),
  agent_proposals: told('proposal', ({ project, session }) => ({
    project_id: project,
    session_id: session,
    call: {},
    difference: [],
  })),
};

export const matrix: Readonly<Record<string, Cells>> = {
  projects: {
    row: (board) => `id=eq.${board.project}`,
    sees: around,
    insert: { body: () => ({ name: 'Another', key: 'AN' }), may: nobody },
    update: {
      body: { name: 'Renamed', archived_at: '2026-01-01T00:00:00Z', viewers_may_comment: true },
      may: owners,
    },
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
  access_log: {
    row: (board) => `id=eq.${board.logLine}`,
    sees: owners,
    insert: { body: (board) => ({ project_id: board.project, subject: {}, object: {}, change: {} }), may: nobody },
    update: { body: { address: '' }, may: nobody },
    delete: { may: nobody },
    closed: ['insert', 'update', 'delete'],
  },
  groups: {
    row: (board) => `id=eq.${board.group}`,
    sees: owners,
    insert: { body: () => ({ name: 'Another' }), may: nobody },
    update: { body: { name: 'Renamed' }, may: owners },
    delete: { may: owners },
    closed: ['insert'],
  },
  group_members: {
    row: (board) => `group_id=eq.${board.group}&user_id=eq.${board.people.owner.id}`,
    sees: owners,
    insert: { body: (board) => ({ group_id: board.group, user_id: board.people.outsider.id }), may: owners },
    update: { body: { is_manager: true }, may: owners },
    delete: { may: owners },
  },
  api_keys: {
    row: (board) => `id=eq.${board.key}`,
    sees: ['editor'],
    // made by a procedure, with its secret
    insert: { body: (board) => ({ user_id: board.people.editor.id, name: 'Mine', scope: 'write' }), may: nobody },
    update: { body: { scope: 'write' }, may: nobody },
    delete: { may: nobody },
    closed: ['insert', 'update', 'delete'],
  },
  service_accounts: {
    row: (board) => `id=eq.${board.service}`,
    sees: owners,
    // made by a procedure, with its account
    insert: { body: (board) => ({ id: randomUUID(), project_id: board.project }), may: nobody },
    update: { body: { project_id: null }, may: nobody },
    delete: { may: nobody },
    closed: ['insert', 'update', 'delete'],
  },
  agents: {
    row: (board) => `id=eq.${board.agent}`,
    sees: owners,
    // made by a procedure, with its service account
    insert: { body: (board) => ({ id: board.service }), may: nobody },
    update: { body: { about: 'Plans releases' }, may: owners },
    delete: { may: nobody },
    closed: ['insert', 'delete'],
  },
  ...sessionCells,
  join_links: {
    row: (board) => `id=eq.${board.joinLink}`,
    sees: owners,
    insert: { body: (board) => ({ project_id: board.project, role: 'editor' }), may: nobody },
    update: { body: { role: 'viewer' }, may: nobody },
    delete: { may: nobody },
    closed: ['insert', 'update', 'delete'],
  },
  share_links: {
    row: (board) => `id=eq.${board.shareLink}`,
    sees: owners,
    insert: { body: (board) => ({ project_id: board.project, scope: 'project' }), may: nobody },
    update: { body: { uses: 0 }, may: nobody },
    delete: { may: nobody },
    closed: ['insert', 'update', 'delete'],
  },
  webhooks: {
    row: (board) => `id=eq.${board.webhook}`,
    sees: owners,
    insert: {
      body: (board) => ({
        project_id: board.project,
        name: 'Mine',
        url: 'https://example.com/',
        events: ['task.created'],
      }),
      may: nobody,
    },
    update: { body: { name: 'Renamed', shape: 'slack' }, may: owners },
    delete: { may: owners },
    closed: ['insert'],
  },
  webhook_deliveries: {
    row: (board) => `id=eq.${board.delivery}`,
    sees: owners,
    insert: {
      body: (board) => ({
        project_id: board.project,
        webhook_id: board.webhook,
        event_id: randomUUID(),
        event: 'x',
        place: 1,
      }),
      may: nobody,
    },
    update: { body: { state: 'queued' }, may: nobody },
    delete: { may: nobody },
    closed: ['insert', 'update', 'delete'],
  },
  profiles: {
    row: (board) => `id=eq.${board.people.editor.id}`,
    sees: around,
    // one's own only, and that one is there already: see the hostile list
    insert: { body: () => ({ id: randomUUID(), display_name: 'Nobody' }), may: nobody },
    update: { body: { display_name: 'Someone else' }, may: ['editor'] },
    delete: { may: nobody },
    closed: ['delete'],
  },
  workflow_columns: {
    row: (board) => `id=eq.${board.columns.todo}`,
    sees: around,
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
    sees: around,
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
    sees: around,
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
  task_claims: {
    row: (board) => `id=eq.${board.claim}`,
    sees: members,
    // made, extended and ended by procedures
    insert: {
      body: (board) => ({ task_id: board.tasks[1], user_id: board.people.editor.id, expires_at: '2040-01-01' }),
      may: nobody,
    },
    update: { body: { expires_at: '2040-01-01' }, may: nobody },
    delete: { may: nobody },
    closed: ['insert', 'update', 'delete'],
  },
  task_grants: {
    row: (board) => `task_id=eq.${board.tasks[0]}&user_id=eq.${board.people.editor.id}`,
    sees: members,
    insert: { body: (board) => ({ task_id: board.tasks[1], user_id: board.people.viewer.id }), may: writers },
    update: { body: { is_named: true }, may: writers },
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
  access_grants: {
    row: (board) => `feed_id=eq.${board.feed}`,
    sees: ['editor'],
    // made by the server, when it signs
    insert: { body: (board) => ({ user_id: board.people.editor.id, kind: 'unsubscribe_link', epoch: 0 }), may: nobody },
    update: { body: { epoch: 7 }, may: nobody },
    delete: { may: ['editor'] },
    closed: ['insert', 'update'],
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
      may: ['owner', 'viewer', 'guest', 'outsider'],
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
  favorite_views: {
    row: (board) => `view_id=eq.${board.view}`,
    sees: ['editor'],
    // the editor has this one already, and tries a view of somebody else's
    insert: {
      body: (board, role) => ({ view_id: role === 'editor' ? board.elsewhere.view : board.view }),
      may: ['owner', 'viewer'],
    },
    update: { body: { position: 7 }, may: ['editor'] },
    delete: { may: ['editor'] },
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

const addedBy = (table: string, may: readonly Role[]): Cells => {
  const cells = matrix[table] as Cells;
  return { ...cells, insert: { ...cells.insert, may } };
};

/** The same where the project lets its viewers comment. */
export const matrixWithCommentingViewers: Readonly<Record<string, Cells>> = {
  ...matrix,
  task_comments: addedBy('task_comments', members),
  comment_reactions: addedBy('comment_reactions', members),
};

export type Verb = 'select' | 'insert' | 'update' | 'delete';

interface Outcome {
  readonly status: number;
  readonly rows: number | null;
  readonly code: string | null;
}

const done = (status: number): Outcome => ({ status, rows: 1, code: null });
const nothing: Outcome = { status: 200, rows: 0, code: null };
const refused: Outcome = { status: 403, rows: null, code: '42501' };
const unknown: Outcome = { status: 401, rows: null, code: '42501' };

/** What a cell must be answered. */
export function due(cells: Cells, verb: Verb, role: Role): Outcome {
  if (verb === 'select') return cells.sees.includes(role) ? done(200) : nothing;
  if (cells[verb].may.includes(role)) return done(verb === 'insert' ? 201 : 200);
  if (role === 'anonymous') return unknown;
  return verb === 'insert' || cells.sees.includes(role) || cells.closed?.includes(verb) ? refused : nothing;
}

/** The request of a cell, which is rolled back, and what came of it. */
export async function askCell(
  app: Pick<TestApp, 'request'>,
  board: Board,
  { verb, table, role, token, insert }: Asked,
): Promise<Outcome> {
  const cells = matrix[table] as Cells;
  const methods = { select: 'GET', insert: 'POST', update: 'PATCH', delete: 'DELETE' };
  const body = {
    select: undefined,
    insert: (insert ?? cells.insert).body(board, role),
    update: cells.update.body,
    delete: undefined,
  };
  const response = await app.request(`/rest/v1/${table}${verb === 'insert' ? '' : `?${cells.row(board)}`}`, {
    method: methods[verb],
    ...(token === undefined ? {} : { token }),
    headers: { 'Content-Type': 'application/json', Prefer: 'return=representation, tx=rollback' },
    ...(body[verb] === undefined ? {} : { body: JSON.stringify(body[verb]) }),
  });
  const answer: unknown = await response.json();
  return {
    status: response.status,
    rows: Array.isArray(answer) ? answer.length : null,
    code: Array.isArray(answer) ? null : (answer as { code: string }).code,
  };
}

interface Asked {
  readonly verb: Verb;
  readonly table: string;
  readonly role: Role;
  /** The public key's where there is none. */
  readonly token?: string;
  /** Instead of the row that the matrix has them insert. */
  readonly insert?: Cells['insert'];
}
