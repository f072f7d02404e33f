// Issues as `gh issue list --state all --limit 5000 --json number,title,body,state,labels,assignees,comments,createdAt,closedAt,milestone,author,url`
// writes them; with fewer fields asked for, what is there is taken.

import { type Person, plainTask, type Read, type Task, UnreadableFile } from '../neutral.ts';
import { at, list, object, objects, text } from './json.ts';

export function isGitHub(value: unknown): boolean {
  const [first] = objects(value);
  return first !== undefined && 'number' in first && 'title' in first;
}

export function fromGitHub(value: unknown): Read {
  if (!isGitHub(value) && !(Array.isArray(value) && value.length === 0))
    throw new UnreadableFile('These are no issues as `gh issue list --json number,title,…` writes them.');
  const issues = objects(value).toSorted((one, other) => Number(text(one, 'number')) - Number(text(other, 'number')));
  const people = new Map<string, Person>();
  const labels = new Map<string, string | null>();
  const meet = (who: object): string => {
    const key = text(who, 'login');
    if (key !== '' && !people.has(key))
      people.set(key, { key, name: text(who, 'name') || key, address: text(who, 'email') || null });
    return key;
  };
  const tasks = issues.map((issue): Task => {
    const closed = text(issue, 'state').toUpperCase() === 'CLOSED';
    const milestone = object(issue, 'milestone');
    for (const label of list(issue, 'labels'))
      labels.set(text(label, 'name'), /^[0-9a-f]{6}$/i.test(text(label, 'color')) ? `#${text(label, 'color')}` : null);
    const reason = text(issue, 'stateReason');
    return {
      ...plainTask(text(issue, 'number'), text(issue, 'title')),
      aliases: [text(issue, 'id')].filter(Boolean),
      description: text(issue, 'body').replaceAll('\r\n', '\n'),
      state: closed ? 'Closed' : 'Open',
      done: closed,
      labels: list(issue, 'labels').map((label) => text(label, 'name')),
      assignees: list(issue, 'assignees').map(meet).filter(Boolean),
      due: text(milestone, 'dueOn').slice(0, 10) || null,
      created: text(issue, 'createdAt') || null,
      completed: text(issue, 'closedAt') || null,
      comments: list(issue, 'comments').map((comment) => ({
        origin: text(comment, 'id') || text(comment, 'url') || null,
        author: meet(object(comment, 'author')) || null,
        at: text(comment, 'createdAt') || null,
        body: text(comment, 'body').replaceAll('\r\n', '\n'),
      })),
      leftovers: [
        ['Author', text(at(issue, 'author'), 'login')] as const,
        ['Milestone', text(milestone, 'title')] as const,
        ['Closed as', reason === 'COMPLETED' ? '' : reason.toLowerCase().replaceAll('_', ' ')] as const,
        ['GitHub', text(issue, 'url')] as const,
      ].filter(([, words]) => words !== ''),
    };
  });
  const repository = /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\//.exec(text(issues[0], 'url'))?.[1];
  return {
    project: {
      source: 'github',
      scope: `github:${repository ?? ''}`,
      name: repository ?? null,
      states: [
        { name: 'Open', kind: 'todo' },
        { name: 'Closed', kind: 'done' },
      ],
      labels: [...labels].map(([name, color]) => ({ name, color })),
      people: [...people.values()],
      tasks,
    },
    problems: [],
  };
}
