// Reads issues of GitLab: its CSV (Export as CSV), or JSON of its API and of `glab issue list --output json`. Neither has comments.

import { type Person, plainTask, type Read, type Task, UnreadableFile } from '../neutral.ts';
import { firstCell } from '../read-table.ts';
import { at, firstOf, list, object, objects, perhapsPart, strings, text } from './json.ts';
import { known, leftoversOf, reportedLeftovers } from './leftovers.ts';
import type { TableFormat } from './table.ts';

export const gitlabTable: TableFormat = {
  source: 'gitlab',
  scope: (table) => scopeOf(firstCell(table, 'URL')),
  columns: {
    'issue id': 'id',
    title: 'title',
    description: 'description',
    state: 'state',
    assignee: 'assignees',
    labels: 'labels',
    weight: 'estimate',
    'due date': 'due',
    'created at (utc)': 'created',
    'closed at (utc)': 'completed',
  },
  separator: /,/,
  silent: { confidential: 'no', locked: 'no', 'time estimate': '0', 'time spent': '0' },
};

/** What its API gives a page, unless it is asked for more, and at most. */
const limits = [20, 100];

// Left out on purpose: ids and addresses of the API, when something last changed, how the reader stands to it, and what says nothing where it is as it
// mostly is. Comments are not in the file, so their number is told.
const person = known('id username name state avatar_url web_url locked public_email');
const keysOfIssue = known(
  `iid title description state created_at closed_at labels due_date weight web_url
   id project_id moved_to_id updated_at discussion_locked references _links subscribed has_tasks task_status imported imported_from service_desk_reply_to
   assignee type upvotes_by_me`,
  {
    assignees: person,
    author: person,
    milestone: known('title due_date id iid project_id group_id created_at updated_at'),
    task_completion_status: known('count completed_count'),
    time_stats: known('human_time_estimate human_total_time_spent'),
  },
);
const keysOfLabel = known('id name color text_color description_html');
const silent: Readonly<Record<string, string>> = { 'Issue type': 'issue', Severity: 'UNKNOWN' };

export function isGitLab(value: unknown): boolean {
  const first = firstOf(value);
  return first !== undefined && 'iid' in first && 'web_url' in first;
}

export function fromGitLab(value: unknown): Read {
  if (!isGitLab(value)) throw new UnreadableFile('These are no issues as the API of GitLab gives them.');
  const issues = objects(value).toSorted((one, other) => Number(text(one, 'iid')) - Number(text(other, 'iid')));
  const people = new Map<string, Person>();
  const labels = new Map<string, string | null>();
  const tasks = issues.map((issue): Task => {
    const closed = text(issue, 'state') === 'closed';
    const milestone = object(issue, 'milestone');
    // Names alone, or with all that is known of each, as it was asked for.
    const detailed = list(issue, 'labels');
    const names = [...strings(issue, 'labels'), ...detailed.map((one) => text(one, 'name'))].filter(Boolean);
    for (const name of names) labels.set(name, labels.get(name) ?? null);
    for (const one of detailed) labels.set(text(one, 'name'), /^#[0-9a-f]{6}$/i.exec(text(one, 'color'))?.[0] ?? null);
    const assignees = list(issue, 'assignees').map((who) => {
      const key = text(who, 'username');
      if (!people.has(key)) people.set(key, { key, name: text(who, 'name') || key, address: null });
      return key;
    });
    return {
      ...plainTask(text(issue, 'iid'), text(issue, 'title')),
      description: text(issue, 'description').replaceAll('\r\n', '\n'),
      state: closed ? 'Closed' : 'Open',
      done: closed,
      labels: names,
      assignees,
      due: text(issue, 'due_date') || text(milestone, 'due_date') || null,
      estimate: Number(text(issue, 'weight')) || null,
      created: text(issue, 'created_at') || null,
      completed: text(issue, 'closed_at') || null,
      leftovers: reportedLeftovers(
        ['Author', text(at(issue, 'author'), 'name')],
        ['Milestone', text(milestone, 'title')],
        ['Milestone due', text(issue, 'due_date') === '' ? '' : text(milestone, 'due_date')],
        ['GitLab', text(issue, 'web_url')],
        ...leftoversOf(issue, keysOfIssue).filter(([name, value]) => silent[name] !== value),
        ...detailed.flatMap((one) => leftoversOf(one, keysOfLabel, `Label ${text(one, 'name')}`)),
      ),
    };
  });
  return {
    project: {
      source: 'gitlab',
      scope: scopeOf(text(issues[0], 'web_url')),
      name: null,
      states: [
        { name: 'Open', kind: 'todo' },
        { name: 'Closed', kind: 'done' },
      ],
      labels: [...labels].map(([name, color]) => ({ name, color })),
      people: [...people.values()],
      tasks,
    },
    problems: perhapsPart(issues.length, limits, 'issues'),
  };
}

const scopeOf = (url: string): string => `gitlab:${url.replace(/\/-\/.*|\/issues\/.*/, '')}`;
