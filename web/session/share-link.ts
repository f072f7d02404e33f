// A public link as its holder reads it, without a session: opened by its token, then read from /rest/v1 with the token that this answers.

import { Refusal } from '../sync/door.ts';
import type { ColumnKind, Priority } from '../sync/rows/rows.ts';

export interface SharedTask {
  readonly id: string;
  readonly column_id: string;
  readonly number: number;
  readonly title: string;
  readonly description: string;
  readonly priority: Priority;
  readonly due_date: string | null;
  readonly completed_at: string | null;
  readonly parent_id: string | null;
  readonly task_label_links: readonly { readonly label_id: string }[];
  readonly task_assignees: readonly { readonly user_id: string }[];
  readonly task_checklist_items: readonly { readonly id: string; readonly title: string; readonly is_done: boolean }[];
}

export interface SharedComment {
  readonly id: string;
  readonly task_id: string;
  readonly author_id: string | null;
  readonly body: string;
  readonly created_at: string;
}

export interface SharedProject {
  readonly name: string;
  readonly description: string;
  readonly key: string;
  readonly color: string | null;
}

export interface Shared {
  /** The task of a link to one. */
  readonly taskId: string | null;
  readonly project: SharedProject;
  readonly columns: readonly {
    readonly id: string;
    readonly name: string;
    readonly kind: ColumnKind;
    readonly color: string | null;
  }[];
  readonly tasks: readonly SharedTask[];
  readonly labels: readonly { readonly id: string; readonly name: string; readonly color: string | null }[];
  readonly people: readonly {
    readonly id: string;
    readonly display_name: string;
    readonly avatar_url: string | null;
  }[];
  readonly comments: readonly SharedComment[];
}

interface Opened {
  readonly access_token: string;
  readonly task_id: string | null;
}

/** Answers of /rest/v1 are no longer than this, whatever DATA_MAX_ROWS allows. */
const rowsAtOnce = 500;
const mostPages = 20;

export async function openShareLink(anonKey: string, token: string, password: string | null): Promise<Shared> {
  const opened = await ask<Opened>('/auth/v1/share_links/open', {
    method: 'POST',
    headers: { apikey: anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ token, ...(password === null ? {} : { password }) }),
  });
  const headers = { apikey: anonKey, authorization: `Bearer ${opened.access_token}` };
  const all = <Row>(table: string, select: string, order: string): Promise<readonly Row[]> =>
    readAll((offset) => {
      const query = new URLSearchParams({ select, order, limit: String(rowsAtOnce), offset: String(offset) });
      return ask(`/rest/v1/${table}?${query}`, { headers });
    });
  const [projects, columns, tasks, labels, people, comments] = await Promise.all([
    all<SharedProject>('projects', 'name,description,key,color', 'id'),
    all<Shared['columns'][number]>('workflow_columns', 'id,name,kind,color', 'position,id'),
    all<SharedTask>('tasks', columnsOfTasks, 'order_rank,id'),
    all<Shared['labels'][number]>('task_labels', 'id,name,color', 'name,id'),
    all<Shared['people'][number]>('profiles', 'id,display_name,avatar_url', 'display_name,id'),
    all<SharedComment>('task_comments', 'id,task_id,author_id,body,created_at', 'created_at,id'),
  ]);
  const [project] = projects;
  // Revoked since it was opened.
  if (project === undefined) throw new Refusal('', 'share_link_not_found', 404);
  return { taskId: opened.task_id, project, columns, tasks, labels, people, comments };
}

const columnsOfTasks = [
  'id,column_id,number,title,description,priority,due_date,completed_at,parent_id',
  'task_label_links(label_id),task_assignees(user_id),task_checklist_items(id,title,is_done)',
].join();

async function readAll<Row>(read: (offset: number) => Promise<readonly Row[]>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let page = 0; page < mostPages; page++) {
    const some = await read(rows.length);
    rows.push(...some);
    if (some.length < rowsAtOnce) break;
  }
  return rows;
}

async function ask<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(path, { ...init, cache: 'no-store', credentials: 'omit' }).catch(() => null);
  if (answer === null) throw new Refusal('', '', 0);
  const body: unknown = await answer.json().catch(() => ({}));
  if (answer.ok) return body as Answer;
  const { message = '', code = '' } = body as { message?: string; code?: string };
  throw new Refusal(message, code, answer.status);
}
