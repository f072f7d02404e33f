// Issues as `gh issue list --state all --limit 5000 --json number,title,body,state,labels,assignees,comments,createdAt,closedAt,milestone,author,url`
// writes them; with fewer fields asked for, what is there is taken, and what is asked for beside them is kept in words.

import { type Person, plainTask, type Read, type Task, UnreadableFile } from '../neutral.ts';
import { at, firstOf, list, object, objects, perhapsPart, text } from './json.ts';
import { known, leftoversOf, reportedLeftovers, timeOf } from './leftovers.ts';

/** `gh` gives thirty unless it is asked for more; the guide asks for five thousand. */
const limits = [30, 5000];

// Left out on purpose: ids, when something last changed, how the reader stands to it, and where labels and people are drawn.
const person = known('id login name email is_bot databaseId');
const keysOfIssue = known('number title body state stateReason closed createdAt closedAt url comments id updatedAt', {
  labels: known('id name color description'),
  assignees: person,
  author: person,
  milestone: known('number title dueOn'),
});
const keysOfComment = known('id createdAt body url authorAssociation viewerDidAuthor includesCreatedEdit', {
  author: person,
});

export function isGitHub(value: unknown): boolean {
  const first = firstOf(value);
  return first !== undefined && 'number' in first && 'title' in first;
}

export function fromGitHub(value: unknown): Read {
  if (!isGitHub(value) && !(Array.isArray(value) && value.length === 0))
    throw new UnreadableFile('These are no issues as `gh issue list --json number,title,…` writes them.');
  const issues = objects(value).toSorted((one, other) => Number(text(one, 'number')) - Number(text(other, 'number')));
  const people = new Map<string, Person>();
  const labels = new Map<string, string | null>();
  const meanings = new Map<string, string>();
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
    for (const label of list(issue, 'labels')) meanings.set(text(label, 'name'), text(label, 'description'));
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
      leftovers: reportedLeftovers(
        ['Author', text(at(issue, 'author'), 'login')],
        ['Milestone', text(milestone, 'title')],
        ...timeOf('Due', text(milestone, 'dueOn')),
        ['Closed as', reason === 'COMPLETED' ? '' : reason.toLowerCase().replaceAll('_', ' ')],
        ['GitHub', text(issue, 'url')],
        ...leftoversOf(issue, keysOfIssue),
        ...list(issue, 'comments').flatMap((one) =>
          leftoversOf(one, keysOfComment, `Comment of ${text(one, 'createdAt').slice(0, 16)}`),
        ),
      ),
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
      leftovers: reportedLeftovers(...[...meanings].map(([name, words]) => [`Label ${name}`, words] as const)),
    },
    problems: perhapsPart(issues.length, limits, 'issues'),
  };
}
