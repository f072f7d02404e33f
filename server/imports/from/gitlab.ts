// Issues of GitLab: as it mails them (Export as CSV), or as its API and `glab issue list --output json` give them. Neither has comments.

import { type Person, plainTask, type Read, type Task, UnreadableFile } from '../neutral.ts';
import { at, list, object, objects, text } from './json.ts';
import type { TableFormat } from './table.ts';

export const gitlabTable: TableFormat = {
  source: 'gitlab',
  scope: (table) => scopeOf(table.rows[0]?.cells[table.header.indexOf('URL')] ?? ''),
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
  separator: /\s*,\s*/,
  silent: { confidential: 'no', locked: 'no', 'time estimate': '0', 'time spent': '0' },
};

export function isGitLab(value: unknown): boolean {
  const [first] = objects(value);
  return first !== undefined && 'iid' in first && 'web_url' in first;
}

export function fromGitLab(value: unknown): Read {
  if (!isGitLab(value)) throw new UnreadableFile('These are no issues as the API of GitLab gives them.');
  const issues = objects(value).toSorted((one, other) => Number(text(one, 'iid')) - Number(text(other, 'iid')));
  const people = new Map<string, Person>();
  const labels = new Set<string>();
  const tasks = issues.map((issue): Task => {
    const closed = text(issue, 'state') === 'closed';
    const milestone = object(issue, 'milestone');
    const names = ((at(issue, 'labels') ?? []) as unknown[]).filter((one): one is string => typeof one === 'string');
    for (const name of names) labels.add(name);
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
      leftovers: [
        ['Author', text(at(issue, 'author'), 'name')] as const,
        ['Milestone', text(milestone, 'title')] as const,
        ['GitLab', text(issue, 'web_url')] as const,
      ].filter(([, words]) => words !== ''),
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
      labels: [...labels].map((name) => ({ name, color: null })),
      people: [...people.values()],
      tasks,
    },
    problems: [],
  };
}

const scopeOf = (url: string): string => `gitlab:${url.replace(/\/-\/.*|\/issues\/.*/, '')}`;
