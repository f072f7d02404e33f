// One's own data as Vikunja exports them (settings → Export): `data.json` of the zip, with the files beside it. Several projects become one, in
// which labels say where a task stood. Texts are HTML there. Its bucket is said of a task in older exports alone; without it, open and done tell the list.

import { type Person, plainTask, type Read, type State, type Task, UnreadableFile } from '../neutral.ts';
import { kindOfState } from '../state-kinds.ts';
import { wordsOfHtml } from './html.ts';
import { at, flag, list, number, object, objects, text } from './json.ts';

export function isVikunja(value: unknown): boolean {
  const [first] = objects(value);
  return (
    first !== undefined && 'hex_color' in first && 'title' in first && ('tasks' in first || 'is_archived' in first)
  );
}

export function fromVikunja(value: unknown): Read {
  if (!isVikunja(value)) throw new UnreadableFile('This is no data.json of Vikunja.');
  const projects = objects(value).filter((one) => list(one, 'tasks').length > 0);
  const people = new Map<string, Person>();
  const labels = new Map<string, string | null>();
  const states = new Map<string, State>();
  const meet = (who: object): string => {
    const key = text(who, 'username') || text(who, 'id');
    if (key !== '' && !people.has(key))
      people.set(key, { key, name: text(who, 'name') || key, address: text(who, 'email') || null });
    return key;
  };
  const tasks = projects.flatMap((project) => {
    const buckets = new Map(list(project, 'buckets').map((one) => [text(one, 'id'), text(one, 'title')]));
    const own = projects.length > 1 ? [text(project, 'title')] : [];
    for (const name of own) labels.set(name, null);
    return list(project, 'tasks').map((task): Task => {
      const bucket = buckets.get(text(task, 'bucket_id')) ?? null;
      const done = flag(task, 'done');
      const state = done && (bucket === null || kindOfState(bucket) !== 'done') ? 'Done' : bucket;
      if (state !== null) states.set(state.toLowerCase(), { name: state, kind: kindOfState(state) });
      for (const one of list(task, 'labels'))
        labels.set(
          text(one, 'title'),
          /^[0-9a-f]{6}$/i.test(text(one, 'hex_color')) ? `#${text(one, 'hex_color')}` : null,
        );
      const related = object(task, 'related_tasks');
      const files = list(task, 'attachments').map((one) => `- ${text(at(one, 'file'), 'name')}`);
      const repeats = number(task, 'repeat_after') ?? 0;
      return {
        ...plainTask(text(task, 'id'), text(task, 'title')),
        aliases: [text(task, 'identifier')].filter(Boolean),
        description: wordsOfHtml(text(task, 'description')),
        state,
        done,
        archived: flag(project, 'is_archived'),
        priority: (number(task, 'priority') ?? 0) >= 4 ? 'p0' : number(task, 'priority') === 3 ? 'p1' : 'p2',
        labels: [...own, ...list(task, 'labels').map((one) => text(one, 'title'))],
        assignees: list(task, 'assignees').map(meet).filter(Boolean),
        parent: text(list(related, 'parenttask')[0], 'id') || null,
        waitsFor: list(related, 'blocked').map((one) => text(one, 'id')),
        start: moment(task, 'start_date')?.slice(0, 10) ?? null,
        due: (moment(task, 'due_date') ?? moment(task, 'end_date'))?.slice(0, 10) ?? null,
        created: moment(task, 'created'),
        completed: moment(task, 'done_at'),
        attachments: list(task, 'attachments').map((one) => {
          const file = object(one, 'file');
          return {
            origin: text(one, 'id') || text(file, 'id'),
            name: text(file, 'name'),
            type: text(file, 'mime') || null,
            at: moment(one, 'created'),
            places: text(file, 'id') === '' ? [] : [`files/${text(file, 'id')}`],
            under: 'Attachments',
            words: `- ${text(file, 'name')}`,
          };
        }),
        comments: list(task, 'comments').map((one) => ({
          origin: text(one, 'id') || null,
          author: meet(object(one, 'author')) || null,
          at: moment(one, 'created'),
          body: wordsOfHtml(text(one, 'comment')),
        })),
        leftovers: [
          ...(files.length > 0 ? [['Attachments', files.join('\n')] as const] : []),
          ...(repeats > 0 ? [['Repeats after', `${repeats / 3600} h`] as const] : []),
        ],
      };
    });
  });
  const [only] = projects;
  return {
    project: {
      source: 'vikunja',
      scope: `vikunja:${projects.map((one) => text(one, 'id')).join(',')}`,
      name: projects.length === 1 ? text(only, 'title') || null : null,
      states: [...states.values()],
      labels: [...labels].map(([name, color]) => ({ name, color })),
      people: [...people.values()],
      tasks,
    },
    problems: [],
  };
}

/** A moment that is not set is the first of the first year. */
function moment(of: object, name: string): string | null {
  const value = text(of, name);
  return value === '' || value.startsWith('0001-') ? null : value;
}
