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
  readonly start_date: string | null;
  readonly due_date: string | null;
  readonly estimate: number | null;
  readonly created_at: string;
  readonly updated_at: string;
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

export interface SharedFile {
  readonly id: string;
  readonly task_id: string;
  readonly name: string;
  readonly size_bytes: number;
  readonly object_path: string;
}

export interface SharedProject {
  readonly name: string;
  readonly description: string;
  readonly key: string;
  readonly color: string | null;
}

/** A saved view as it was when it was shared. */
export interface SharedView {
  readonly name: string;
  readonly layout: string;
  readonly sort: readonly { readonly by: string; readonly descending: boolean }[];
}

export interface Shared {
  /** The task of a link to one. */
  readonly taskId: string | null;
  /** Of a link to one. */
  readonly view: SharedView | null;
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
  /** Where the link shows them. */
  readonly files: readonly SharedFile[];
  /** Its bytes, as long as the link is open. */
  download(file: SharedFile): Promise<Blob>;
}

interface Opened {
  readonly access_token: string;
  readonly task_id: string | null;
  readonly view: SharedView | null;
  readonly options: { readonly files?: boolean };
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
  const [projects, columns, tasks, labels, people, comments, files] = await Promise.all([
    all<SharedProject>('projects', 'name,description,key,color', 'id'),
    all<Shared['columns'][number]>('workflow_columns', 'id,name,kind,color', 'position,id'),
    all<SharedTask>('tasks', columnsOfTasks, 'order_rank,id'),
    all<Shared['labels'][number]>('task_labels', 'id,name,color', 'name,id'),
    all<Shared['people'][number]>('profiles', 'id,display_name,avatar_url', 'display_name,id'),
    all<SharedComment>('task_comments', 'id,task_id,author_id,body,created_at', 'created_at,id'),
    opened.options.files === true
      ? all<SharedFile>('task_attachments', 'id,task_id,name,size_bytes,object_path', 'created_at,id')
      : [],
  ]);
  const [project] = projects;
  const download = async ({ object_path }: SharedFile): Promise<Blob> => {
    const path = object_path.split('/').map(encodeURIComponent).join('/');
    return (await send(`/storage/v1/object/authenticated/attachments/${path}`, { headers })).blob();
  };
  // Revoked since it was opened.
  if (project === undefined) throw new Refusal('', 'share_link_not_found', 404);
  return {
    taskId: opened.task_id,
    view: opened.view,
    project,
    columns,
    tasks,
    labels,
    people,
    comments,
    files,
    download,
  };
}

const columnsOfTasks = [
  'id,column_id,number,title,description,priority,start_date,due_date,estimate,created_at,updated_at,completed_at,parent_id',
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
  return (await send(path, init)).json() as Promise<Answer>;
}

async function send(path: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(path, { ...init, cache: 'no-store', credentials: 'omit' }).catch(() => null);
  if (answer === null) throw new Refusal('', '', 0);
  if (answer.ok) return answer;
  const { message = '', code = '' } = (await answer.json().catch(() => ({}))) as { message?: string; code?: string };
  throw new Refusal(message, code, answer.status);
}
