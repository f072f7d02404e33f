// Reads the CSV of an issue search in Jira (Export → CSV, all fields). A field with several values has a column for each, a comment is
// `moment;author;words`, and parents are named by number or key.

import type { Comment } from '../neutral.ts';
import type { Dates } from '../read-dates.ts';
import type { TableFormat } from './table.ts';

export const jira: TableFormat = {
  source: 'jira',
  scope: (table) => {
    const at = table.header.findIndex((name) => name.toLowerCase() === 'issue key');
    return `jira:${(table.rows.at(0)?.cells[at] ?? '').replace(/-\d+$/, '')}`;
  },
  columns: {
    'issue key': 'id',
    'issue id': 'alias',
    summary: 'title',
    description: 'description',
    status: 'state',
    priority: 'priority',
    assignee: 'assignees',
    labels: 'labels',
    // Its kind, and the sprints it was in, are found as labels here.
    'issue type': 'labels',
    'work type': 'labels',
    sprint: 'labels',
    components: 'labels',
    'component/s': 'labels',
    parent: 'parent',
    'parent id': 'parent',
    'parent key': 'parent',
    'inward issue link (blocks)': 'waits_for',
    'due date': 'due',
    'custom field (start date)': 'start',
    created: 'created',
    resolved: 'completed',
    comment: 'comment',
    attachment: 'attachments',
    // Of whoever exports, and another in each file.
    'last viewed': 'leave_out',
    'custom field (story points)': 'estimate',
    'custom field (story point estimate)': 'estimate',
  },
  // What there are several of has a column each.
  separator: /\n/,
  limit: 1000,
  silent: { votes: '0' },
  // `moment;author;name;address`
  attachment: (value) => value.split(';')[2] ?? value,
  comments: (value, dates) => {
    const comment = datedComment(value, dates);
    return [{ ...comment, body: wordsOfWiki(comment.body) }];
  },
  finish: (task, cell) => {
    const description = wordsOfWiki(task.description);
    const epic = cell('custom field (epic link)');
    return task.parent === null && epic !== ''
      ? { ...task, description, parent: epic, leftovers: task.leftovers.filter(([name]) => !/epic link/i.test(name)) }
      : { ...task, description };
  },
};

/** The marks of Jira's own texts as markdown, but in code; what is none of them stays as it is. */
function wordsOfWiki(text: string): string {
  const parts = text.split(/\{(?:code|noformat)(?::[^{}]*)?\}/);
  return parts
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part
            .replaceAll(/^(#+)[ ]/gm, (_, deep: string) => `${'  '.repeat(deep.length - 1)}1. `)
            .replaceAll(/^([*-]+)[ ]/gm, (_, deep: string) => `${'  '.repeat(deep.length - 1)}- `)
            .replaceAll(/^h([1-6])\.[ ]/gm, (_, level: string) => `${'#'.repeat(Number(level))} `)
            .replaceAll(/(?<![\w*])\*([^\s*](?:[^*\n]*[^\s*])?)\*(?![\w*])/g, '**$1**')
            .replaceAll(/\{\{([^{}\n]+)\}\}/g, '`$1`')
            .replaceAll(/\[([^[\]|\n]+)\|([^[\]|\s]+)(?:\|[^[\]\n]*)?\]/g, '[$1]($2)'),
    )
    .join('\n```\n');
}

/** `moment;author;words`; what is none is all words. */
export function datedComment(value: string, dates: Dates): Comment {
  const [, when = '', author = '', body = ''] = /^([^;\n]{6,40});([^;\n]{0,200});(.*)$/s.exec(value) ?? [];
  const at = dates.moment(when);
  return at === null
    ? { origin: null, author: null, at: null, body: value }
    : { origin: null, author: author || null, at, body };
}
