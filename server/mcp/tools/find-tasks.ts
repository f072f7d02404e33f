// `find_tasks`: tasks of a project, a saved view or a filter, as compact lines in pages.

import { createHash } from 'node:crypto';
import { choice, fields, flag, object, text, whole } from '../../http/open-api.ts';
import { asData, type Query } from '../board.ts';
import { findView, orderOf, queryOfFilter, readTime } from '../find-views.ts';
import { findProject } from '../names.ts';
import { linesOf, readTasks, waitsColumn } from '../tasks.ts';
import { declareTool } from '../tool.ts';
import { ToolFault } from '../tool-fault.ts';

const usual = 50;
const most = 200;

export const findTasks = declareTool({
  name: 'find_tasks',
  title: 'Find tasks',
  description:
    'Finds tasks, one per line: KEY vVERSION [p0|p1] title @assignee #label due DATE waits for KEY. Without arguments: open tasks of all your projects.',
  scope: 'read',
  hints: { readOnly: true, idempotent: true },
  input: object({
    'project?': text('Key'),
    'view?': text('Name or id of a saved view'),
    'filter?': fields(
      '{"all"|"any":[{property,is,value}]}, as in saved views: assignee any_of ["me"], due_date before "+7", blocked is "yes"',
    ),
    'text?': text('Words to search'),
    'mine?': flag(),
    'state?': choice(['open', 'done', 'all'], 'Default open; with a view, all'),
    'since?': text('Changed since this ISO time'),
    'limit?': whole('Default 50, at most 200'),
    'cursor?': text('`next` of the previous answer'),
  }),
  output: object({ markdown: text(), 'next?': text() }),
  async run(args, { board, progress }) {
    const { cursor, limit: asked = usual, ...what } = args;
    const limit = Math.min(Math.max(1, asked), most);
    const mark = createHash('sha256').update(JSON.stringify(what)).digest('base64url').slice(0, 6);
    const offset = readCursor(cursor, mark);
    const project = args.project === undefined ? null : await findProject(board, args.project);
    const view = args.view === undefined ? null : await findView(board, args.view, project);
    const filters = [view?.filter, args.filter].filter((one) => one !== undefined && one !== null);
    const { more, query } = filters.length === 0 ? { more: '', query: [] } : await queryOfFilter(board, allOf(filters));
    const within = project?.id ?? view?.project_id ?? null;
    const conditions: Query = [
      ...(within === null ? [] : [['project_id', `eq.${within}`] as const]),
      ['archived_at', 'is.null'],
      ...stateOf(args.state ?? (view === null ? 'open' : 'all')),
      ...(args.since === undefined ? [] : [['updated_at', `gt.${readTime(args.since)}`] as const]),
      ...(args.mine === true ? [['asked.user_id', `eq.${board.me}`] as const] : []),
      ...(args.text === undefined ? [] : [['id', `in.(${(await search(args.text)).join()})`] as const]),
    ];
    await progress(0, 1, 'Reading tasks');
    const found = await readTasks(
      board,
      [
        ...conditions,
        ...query,
        ['order', orderOf(view?.sort)],
        ['offset', String(offset)],
        ['limit', String(limit + 1)],
      ],
      `${waitsColumn}${args.mine === true ? ',asked:task_assignees!inner()' : ''}${more}`,
    );
    const tasks = found.slice(0, limit);
    const next = found.length > limit ? `${offset + limit}.${mark}` : undefined;
    const markdown = tasks.length === 0 ? 'No tasks match.' : asData(linesOf(tasks).join('\n'));
    const end = next === undefined ? '' : `\nMore: call again with cursor ${next}`;
    return {
      structured: { markdown, ...(next === undefined ? {} : { next }) },
      text: `${markdown}${end}`,
    };

    async function search(words: string): Promise<readonly string[]> {
      const rows = await board.call<readonly { id: string }[]>('search_tasks', {
        query: words,
        max_rows: 200,
        ...(within === null ? {} : { project_id: within }),
      });
      return rows.map(({ id }) => id);
    }
  },
});

const allOf = (filters: readonly unknown[]): unknown => (filters.length === 1 ? filters[0] : { all: filters });

function stateOf(state: 'open' | 'done' | 'all'): Query {
  if (state === 'all') return [];
  return [['completed_at', state === 'open' ? 'is.null' : 'not.is.null']];
}

function readCursor(cursor: string | undefined, mark: string): number {
  if (cursor === undefined) return 0;
  const [, offset, of] = /^(\d{1,6})\.([\w-]{6})$/.exec(cursor) ?? [];
  if (offset === undefined || of !== mark)
    throw new ToolFault(
      'This cursor belongs to a call with other arguments. Repeat those arguments, or leave out cursor.',
      'KB884',
    );
  return Number(offset);
}
