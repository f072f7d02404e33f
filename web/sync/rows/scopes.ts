// Scopes of rows that are fetched together: the user's world, assigned tasks, the inbox, notification settings, views, one project, one
// task. Each scope knows its questions and the rows that its answers replace.

import type { Door } from '../door.ts';
import { dataOf } from '../door.ts';
import { type AnyRow, hasVersions, type Rows, type TableName } from './rows.ts';
import type { Store } from './store.ts';

export type Scope =
  | { readonly kind: 'me'; readonly userId: string }
  | { readonly kind: 'mine'; readonly userId: string }
  | { readonly kind: 'inbox'; readonly userId: string }
  | { readonly kind: 'hearing'; readonly userId: string }
  | { readonly kind: 'views'; readonly userId: string }
  | { readonly kind: 'templates'; readonly userId: string }
  | { readonly kind: 'project'; readonly projectId: string }
  | { readonly kind: 'fields'; readonly projectId: string }
  | { readonly kind: 'watchers'; readonly projectId: string }
  | { readonly kind: 'task'; readonly projectId: string; readonly taskId: string };

export function scopeName(scope: Scope): string {
  if (scope.kind === 'project') return `project ${scope.projectId}`;
  if (scope.kind === 'fields' || scope.kind === 'watchers') return `${scope.kind} ${scope.projectId}`;
  return scope.kind === 'task' ? `task ${scope.taskId}` : scope.kind;
}

/** One question: which rows of a table, which columns, and how to tell a row belongs to the answer. */
export interface Question<T extends TableName = TableName> {
  readonly table: T;
  readonly columns: string;
  readonly equals?: readonly [column: string, value: string];
  /** Only rows in which this column is empty. */
  readonly isNull?: string;
  /** The order pages follow; ends in a unique column. */
  readonly order: readonly string[];
  /** The same as the first of them, in the rows that are asked beside: the server begins a later page there. */
  readonly beside?: string;
  readonly part: (row: Rows[T]) => boolean;
  /** Kept on this device for the next visit. */
  readonly keep: boolean;
  /** Which rows to keep, where `part` alone does not say. */
  readonly kept?: (row: Rows[T], store: Store) => boolean;
}

/**
 * Each question is checked against its own table; a list of them no longer says which is whose, and those who walk it keep the two
 * together. Versions are asked for with every row.
 */
const ask = <T extends TableName>(question: Question<T>): Question => {
  const { table, columns } = question;
  const named = columns === '*' || !hasVersions(table) ? columns : `${columns},version`;
  return { ...question, columns: named } as unknown as Question;
};

/** A task without its description: what boards, lists and searches show. */
const taskColumns =
  'id,project_id,column_id,number,title,priority,order_rank,start_date,due_date,estimate,completed_at,archived_at,cover_attachment_id,parent_id,subtask_position,created_by,created_at,updated_at';

const columnColumns = 'id,project_id,name,kind,position,wip_limit,color,required_fields';

/** What is not done. */
function inboxQuestions(userId: string): Question[] {
  return [
    ask({
      table: 'notifications',
      columns: 'id,user_id,kind,project_id,task_id,actor_id,data,read_at,snoozed_until,done_at,created_at',
      equals: ['user_id', userId],
      isNull: 'done_at',
      order: ['id'],
      part: (row) => row.done_at === null,
      keep: true,
    }),
  ];
}

/** What one wants to hear of, and when. */
function hearingQuestions(userId: string): Question[] {
  const whole = { equals: ['user_id', userId], part: () => true, keep: false } as const;
  return [
    ask({
      table: 'notification_settings',
      columns: 'id,user_id,project_id,kind,inbox,mail,push',
      order: ['id'],
      ...whole,
    }),
    ask({ table: 'notification_schedules', columns: 'user_id,time_zone,daily_hour', order: ['user_id'], ...whole }),
    ask({ table: 'project_watchers', columns: 'project_id,user_id', order: ['project_id', 'user_id'], ...whole }),
  ];
}

/** The views one may see, of all projects and of none, and which open first. */
function viewQuestions(): Question[] {
  const whole = { order: ['id'], part: () => true, keep: true } as const;
  const columns = 'id,project_id,owner_id,name,filter,is_shared,layout,grouping,lanes,sort,shown,position';
  return [
    ask({ table: 'saved_views', columns, ...whole }),
    ask({ table: 'view_defaults', columns: 'id,project_id,user_id,view_id', ...whole }),
  ];
}

/** All one may use, without their documents. */
const templateQuestion = ask({
  table: 'templates',
  columns: 'id,project_id,owner_id,built_in,language,kind,name,description,holds',
  order: ['id'],
  part: () => true,
  keep: false,
});

export function questionsOf(scope: Scope): Question[] {
  if (scope.kind === 'me')
    return [
      ask({ table: 'projects', columns: '*', order: ['id'], part: () => true, keep: true }),
      ask({
        table: 'project_members',
        columns: 'project_id,user_id,role,created_at',
        order: ['project_id', 'user_id'],
        part: () => true,
        keep: true,
      }),
      ask({
        table: 'profiles',
        columns: 'id,display_name,avatar_url,shows_presence',
        order: ['id'],
        part: () => true,
        keep: true,
      }),
    ];
  if (scope.kind === 'mine') {
    const { userId } = scope;
    return [
      ask({
        table: 'task_assignees',
        columns: 'project_id,task_id,user_id',
        equals: ['user_id', userId],
        order: ['task_id', 'user_id'],
        part: (row) => row.user_id === userId,
        keep: true,
      }),
      // A task that is no longer mine lost its link above; the row itself may still be on a board.
      ask({
        table: 'tasks',
        columns: `${taskColumns},task_assignees!inner()`,
        equals: ['task_assignees.user_id', userId],
        order: ['id'],
        beside: 'task_assignees.task_id',
        part: () => false,
        keep: true,
        kept: (row, store) => store.get('task_assignees', `${row.id} ${userId}`) !== undefined,
      }),
      ask({ table: 'workflow_columns', columns: columnColumns, order: ['id'], part: () => true, keep: true }),
    ];
  }
  if (scope.kind === 'inbox') return inboxQuestions(scope.userId);
  if (scope.kind === 'hearing') return hearingQuestions(scope.userId);
  if (scope.kind === 'views') return viewQuestions();
  if (scope.kind === 'templates') return [templateQuestion];
  if (scope.kind === 'project') {
    const { projectId } = scope;
    const equals = ['project_id', projectId] as const;
    const part = (row: { readonly project_id: string }): boolean => row.project_id === projectId;
    const whole = { equals, part, keep: true } as const;
    return [
      ask({
        table: 'workflow_columns',
        columns: columnColumns,
        order: ['id'],
        ...whole,
      }),
      ask({ table: 'tasks', columns: taskColumns, order: ['id'], ...whole }),
      ask({ table: 'task_labels', columns: 'id,project_id,name,color', order: ['id'], ...whole }),
      ask({
        table: 'custom_fields',
        columns: 'id,project_id,name,kind,options,unit,default_value,position',
        order: ['id'],
        ...whole,
      }),
      ask({ table: 'task_assignees', columns: 'project_id,task_id,user_id', order: ['task_id', 'user_id'], ...whole }),
      ask({
        table: 'task_label_links',
        columns: 'project_id,task_id,label_id',
        order: ['task_id', 'label_id'],
        ...whole,
      }),
      ask({
        table: 'task_checklist_items',
        columns: 'id,project_id,task_id,title,is_done,position',
        order: ['id'],
        ...whole,
      }),
      ask({
        table: 'task_attachments',
        columns: 'id,project_id,task_id,name,content_type,size_bytes,object_path,uploaded_by,created_at',
        order: ['id'],
        ...whole,
      }),
      ask({
        table: 'task_dependencies',
        columns: 'id,project_id,predecessor_id,successor_id,type,lag_days',
        order: ['id'],
        ...whole,
      }),
      ask({
        table: 'task_recurrences',
        columns:
          'id,project_id,task_id,rule,mode,time_zone,starts_on,copies,column_id,lead_days,paused_at,next_on,is_over',
        order: ['id'],
        ...whole,
      }),
      ask({
        table: 'task_comments',
        columns: 'id,project_id,task_id,author_id,parent_id,created_at',
        order: ['id'],
        ...whole,
      }),
      ask({
        table: 'project_invitations',
        columns: 'id,project_id,email,role,invited_by,expires_at,accepted_at,created_at',
        order: ['id'],
        equals,
        part,
        keep: false,
      }),
    ];
  }
  if (scope.kind === 'fields') return [fieldValuesQuestion('project_id', scope.projectId)];
  if (scope.kind === 'watchers') return [watchersQuestion('project_id', scope.projectId)];
  return questionsOfTask(scope.taskId);
}

/** A project may have hundreds of thousands: whoever shows those of many tasks asks for columns of them (queries/field-columns.ts). */
function fieldValuesQuestion(column: 'project_id' | 'task_id', value: string): Question {
  return ask({
    table: 'task_field_values',
    columns: 'project_id,task_id,field_id,value',
    equals: [column, value],
    order: ['task_id', 'field_id'],
    part: (row) => row[column] === value,
    keep: false,
  });
}

/** Of a whole project only where a filter asks who watches. */
function watchersQuestion(column: 'project_id' | 'task_id', value: string): Question {
  return ask({
    table: 'task_watchers',
    columns: 'project_id,task_id,user_id,is_watching',
    equals: [column, value],
    order: ['task_id', 'user_id'],
    part: (row) => row[column] === value,
    keep: false,
  });
}

/** What only an open task shows. */
function questionsOfTask(taskId: string): Question[] {
  const equals = ['task_id', taskId] as const;
  const part = (row: { readonly task_id: string | null }): boolean => row.task_id === taskId;
  return [
    ask({
      table: 'tasks',
      columns: '*',
      equals: ['id', taskId],
      order: ['id'],
      part: (row) => row.id === taskId,
      keep: false,
    }),
    ask({
      table: 'task_comments',
      columns: 'id,project_id,task_id,author_id,parent_id,body,edited_at,created_at',
      equals,
      order: ['id'],
      part,
      keep: false,
    }),
    ask({
      table: 'task_activity',
      columns: 'id,project_id,task_id,actor_id,kind,change,created_at',
      equals,
      order: ['id'],
      part,
      keep: false,
    }),
    fieldValuesQuestion('task_id', taskId),
    ask({
      table: 'comment_reactions',
      columns: 'project_id,task_id,comment_id,user_id,emoji',
      equals,
      order: ['comment_id', 'user_id', 'emoji'],
      part,
      keep: false,
    }),
    ask({
      table: 'comment_resolutions',
      columns: 'project_id,task_id,comment_id,user_id',
      equals,
      order: ['comment_id'],
      part,
      keep: false,
    }),
    watchersQuestion('task_id', taskId),
  ];
}

const pageSize = 1000;
/** So many pages are asked for side by side; the next ones begin behind the last row of these, so that no page has to skip many rows. */
const pagesAtOnce = 3;

/** All rows of a result, page by page; the first page says how many there are. */
async function readAll(door: Door, question: Question): Promise<Partial<AnyRow>[]> {
  const page = (behind: Partial<AnyRow> | undefined, from: number) => {
    let request = door.from(question.table).select(question.columns, behind ? {} : { count: 'exact' });
    if (question.equals) request = request.eq(...question.equals);
    if (question.isNull) request = request.is(question.isNull, null);
    if (behind) {
      const [first = 'id'] = question.order;
      request = request.gte(first, textOf(behind, first)).or(isBehind(question.order, behind));
      if (question.beside) request = request.gte(question.beside, textOf(behind, first));
    }
    for (const column of question.order) request = request.order(column, { ascending: true });
    return request.range(from, from + pageSize - 1);
  };
  const first = await page(undefined, 0);
  const rows = rowsOf(first);
  const total = first.count ?? rows.length;
  // A server may allow smaller pages than we ask for.
  const stride = rows.length;
  while (stride > 0 && rows.length < total) {
    const behind = rows.at(-1);
    const pages = Math.min(pagesAtOnce, Math.ceil((total - rows.length) / stride));
    const next = await Promise.all(Array.from({ length: pages }, (_, at) => page(behind, stride * at)));
    const more = next.flatMap((result) => rowsOf(result).slice(0, stride));
    // Some went away meanwhile.
    if (more.length === 0) break;
    rows.push(...more);
  }
  return rows;
}

const textOf = (row: Partial<AnyRow>, column: string): string => String(row[column as keyof AnyRow]);

/** The rows that come after one, as a condition: a greater first column, or the same one and then the others likewise. */
function isBehind([column = 'id', ...rest]: readonly string[], row: Partial<AnyRow>): string {
  const value = JSON.stringify(textOf(row, column));
  const greater = `${column}.gt.${value}`;
  return rest.length === 0 ? greater : `${greater},and(${column}.eq.${value},or(${isBehind(rest, row)}))`;
}

/** The client's types tell rows from columns that are written out; of columns that come in a variable they know nothing. */
function rowsOf(result: Parameters<typeof dataOf<unknown>>[0]): Partial<AnyRow>[] {
  return (dataOf(result) ?? []) as Partial<AnyRow>[];
}

/** Asks a scope's questions at once and puts the results into the store together. */
export async function fetchScope(door: Door, store: Store, scope: Scope): Promise<void> {
  const since = store.now();
  const questions = questionsOf(scope);
  const results = await Promise.all(questions.map((question) => readAll(door, question)));
  store.batch(() => {
    questions.forEach((question, at) => {
      const rows = results[at] ?? [];
      // Asked by this question, so rows of its table.
      store.replace(question.table, question.part, rows as Partial<Rows[typeof question.table]>[], since);
    });
  });
}
