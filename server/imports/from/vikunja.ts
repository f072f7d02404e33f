// Reads a data export of Vikunja (settings → Export): `data.json` of the zip, with the files beside it. Several projects become one, in which labels
// name the project of a task. Texts are HTML. The bucket of a task stands in the views since 0.24, in the task before.

import { type Person, plainTask, type Read, type State, type Task, UnreadableFile } from '../neutral.ts';
import { kindOfState } from '../state-kinds.ts';
import { wordsOfHtml } from './html.ts';
import { at, firstOf, flag, list, number, object, objects, text } from './json.ts';
import { type Leftover, leftoversOf, reportedLeftovers, timeOf } from './leftovers.ts';
import { keys } from './vikunja-keys.ts';

export function isVikunja(value: unknown): boolean {
  const first = firstOf(value);
  return (
    first !== undefined && 'hex_color' in first && 'title' in first && ('tasks' in first || 'is_archived' in first)
  );
}

export function fromVikunja(value: unknown): Read {
  if (!isVikunja(value)) throw new UnreadableFile('This is no data.json of Vikunja.');
  const all = objects(value);
  const projects = all.filter((one) => list(one, 'tasks').length > 0);
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
    const board = boardOf(project);
    for (const state of board.states)
      if (!states.has(state.name.toLowerCase())) states.set(state.name.toLowerCase(), state);
    const own = projects.length > 1 ? [text(project, 'title')] : [];
    for (const name of own) labels.set(name, null);
    return board.tasks.map((task): Task => {
      const bucket = board.stateOf(task);
      const done = flag(task, 'done');
      const state = done && bucket?.kind !== 'done' ? board.doneName : (bucket?.name ?? null);
      if (state !== null && !states.has(state.toLowerCase()))
        states.set(state.toLowerCase(), { name: state, kind: 'done' });
      for (const one of list(task, 'labels'))
        labels.set(
          text(one, 'title'),
          /^[0-9a-f]{6}$/i.test(text(one, 'hex_color')) ? `#${text(one, 'hex_color')}` : null,
        );
      const related = object(task, 'related_tasks');
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
        leftovers: leftoversOfTask(task),
      };
    });
  });
  const only = projects.length === 1 ? projects[0] : undefined;
  return {
    project: {
      source: 'vikunja',
      scope: `vikunja:${projects.map((one) => text(one, 'id')).join(',')}`,
      name: text(only, 'title') || null,
      description: wordsOfHtml(text(only, 'description')),
      states: [...states.values()],
      labels: [...labels].map(([name, color]) => ({ name, color })),
      people: [...people.values()],
      tasks,
      leftovers: all.flatMap((one) => leftoversOfProject(one, one === only)),
    },
    problems: [],
  };
}

interface Board {
  readonly states: readonly State[];
  readonly doneName: string;
  /** As they stand on it. */
  readonly tasks: readonly object[];
  stateOf(task: object): State | null;
}

/** The first view of a project that has buckets. */
function boardOf(project: object): Board {
  const place = (one: object): number => number(one, 'position') ?? 0;
  const byPlace = (one: object, other: object): number => place(one) - place(other);
  const all = list(project, 'buckets');
  const view = list(project, 'views')
    .toSorted(byPlace)
    .find((one) => all.some((bucket) => text(bucket, 'project_view_id') === text(one, 'id')));
  const isHere = (one: object): boolean => view === undefined || text(one, 'project_view_id') === text(view, 'id');
  const doneId = text(view, 'done_bucket_id');
  const buckets = new Map(
    all
      .filter(isHere)
      .toSorted(byPlace)
      .map((one): [string, State] => {
        const [id, name] = [text(one, 'id'), text(one, 'title')];
        return [id, { name, kind: id === doneId ? 'done' : kindOfState(name) }];
      }),
  );
  const placed = new Map(
    list(project, 'task_buckets')
      .filter(isHere)
      .map((one) => [text(one, 'task_id'), text(one, 'bucket_id')]),
  );
  const places = new Map(
    list(project, 'positions')
      .filter(isHere)
      .map((one) => [text(one, 'task_id'), place(one)]),
  );
  return {
    states: [...buckets.values()],
    doneName: buckets.get(doneId)?.name ?? 'Done',
    tasks: list(project, 'tasks').toSorted(
      (one, other) => (places.get(text(one, 'id')) ?? 0) - (places.get(text(other, 'id')) ?? 0),
    ),
    stateOf: (task) => buckets.get(placed.get(text(task, 'id')) ?? text(task, 'bucket_id')) ?? null,
  };
}

/** What the others of a task to another are called; parents and what it waits for have a place here. */
const otherRelations = ['related', 'duplicateof', 'duplicates', 'precedes', 'follows', 'copiedfrom', 'copiedto'];
/** Three steps here, and seven there: those that fall together are told. */
const steps: Readonly<Record<number, string>> = { 1: 'low', 2: 'medium', 5: 'do now' };

function leftoversOfTask(task: object): Leftover[] {
  const files = list(task, 'attachments').map((one) => `- ${text(at(one, 'file'), 'name')}`);
  const repeats = number(task, 'repeat_after') ?? 0;
  const isMonthly = number(task, 'repeat_mode') === 1;
  const progress = number(task, 'percent_done') ?? 0;
  const reminders = list(task, 'reminders').map((one) => moment(one, 'reminder') ?? '');
  const related = otherRelations.flatMap((kind) =>
    list(object(task, 'related_tasks'), kind).map((one) => `${kind}: ${text(one, 'title') || text(one, 'id')}`),
  );
  const [due, end] = [moment(task, 'due_date'), moment(task, 'end_date')];
  const maker = object(task, 'created_by');
  return reportedLeftovers(
    ['Attachments', files.join('\n')],
    ...timeOf('Start', moment(task, 'start_date') ?? ''),
    ...timeOf('Due', due ?? end ?? ''),
    ['End', due === null ? '' : (end ?? '')],
    ['Priority', steps[number(task, 'priority') ?? 0] ?? ''],
    ['Repeats after', isMonthly ? 'a month' : repeats > 0 ? `${repeats / 3600} h` : ''],
    ['Progress', progress > 0 ? `${Math.round(progress * 100)} %` : ''],
    ['Reminders', reminders.filter(Boolean).join(', ')],
    ['Related', related.join('\n')],
    ['Color', text(task, 'hex_color')],
    ['Favorite', flag(task, 'is_favorite') ? 'yes' : ''],
    ['Created by', text(maker, 'name') || text(maker, 'username')],
    ...leftoversOf(task, keys.task),
    ...list(task, 'comments').flatMap((one) =>
      leftoversOf(one, keys.comment, `Comment of ${text(one, 'created').slice(0, 16)}`),
    ),
  );
}

/** `isAlone`: what it says of itself is what the new project says. */
function leftoversOfProject(project: object, isAlone: boolean): Leftover[] {
  const of = text(project, 'title') || 'Project';
  return reportedLeftovers(
    ['Project without tasks', list(project, 'tasks').length > 0 ? '' : of],
    [`${of}: Description`, isAlone ? '' : wordsOfHtml(text(project, 'description'))],
    ...leftoversOf(project, keys.project, of),
    ...list(project, 'buckets').flatMap((one) => leftoversOf(one, keys.bucket, `${of}, ${text(one, 'title')}`)),
  );
}

/** A moment that is not set is the first of the first year. */
function moment(of: object, name: string): string | null {
  const value = text(of, name);
  return value === '' || value.startsWith('0001-') ? null : value;
}
