// Fits imported data to the limits of this product before anything is written: titles too long, parents missing from the file, circles. Each is
// reported with its line; text that doesn't fit goes into the description, then into comments.

import type { Comment, Problem, Project, Read, Task } from './neutral.ts';
import { type Series, seriesOf } from './series.ts';
import { shorten, shortened } from './shorten.ts';

const longestTitle = 500;
const longestDescription = 100_000;
const longestComment = 45_000;
const deepest = 8;

export function fitToLimits({ project, problems: found }: Read): Read {
  const about = project.description ? [['Description', project.description] as const] : [];
  const ofProject = [...about, ...(project.leftovers ?? [])].map(
    ([name, value]): Problem => ({ kind: 'of_the_project', line: null, about: `${name}: ${value}` }),
  );
  const { tasks, told } = alone(project) ?? linked(project);
  const problems = shortened([...found, ...told.before, ...ofProject, ...told.after]);
  return { project: { ...project, scope: shorten(project.scope, 200), tasks }, problems };
}

interface Settled {
  readonly tasks: Series<Task>;
  readonly told: { readonly before: readonly Problem[]; readonly after: readonly Problem[] };
}

/** In one pass; null where tasks hang together. Those that need no change are the same objects before and after. */
function alone(project: Project): Settled | null {
  const before: Problem[] = [];
  const after: Problem[] = [];
  const unique = uniqueOrigins(before);
  let areLinked = false;
  const tasks = project.tasks.map((task) => {
    areLinked ||= isLinked(task);
    return areLinked ? task : withinLimits(unique(task), project, after);
  });
  return areLinked ? null : { tasks, told: { before, after } };
}

/** What hangs together is looked at as a whole. */
function linked(project: Project): Settled {
  const before: Problem[] = [];
  const after: Problem[] = [];
  const tasks = seriesOf(linkAll([...project.tasks].map(uniqueOrigins(before)), before));
  return { tasks: tasks.map((task) => withinLimits(task, project, after)), told: { before, after } };
}

function uniqueOrigins(problems: Problem[]): (task: Task) => Task {
  const seen = new Map<string, number>();
  return (task) => {
    const origin = shorten(task.origin, 250);
    const times = (seen.get(origin) ?? 0) + 1;
    seen.set(origin, times);
    if (times === 1) return origin === task.origin ? task : { ...task, origin };
    problems.push({ kind: 'twice', line: task.line, about: origin });
    return { ...task, origin: `${origin}#${times}` };
  };
}

const isLinked = ({ parent, waitsFor }: Task): boolean => parent !== null || waitsFor.length > 0;

function linkAll(tasks: readonly Task[], problems: Problem[]): Task[] {
  const names = new Map<string, string>();
  for (const task of tasks) for (const alias of task.aliases) names.set(alias, task.origin);
  // Products name a parent by its title where they have nothing better, so titles are looked at last.
  const titles = new Map(tasks.map((task) => [task.title, task.origin]));
  for (const task of tasks) names.set(task.origin, task.origin);
  const find = (name: string): string | null => names.get(name) ?? titles.get(name) ?? null;
  return inOrder(
    tasks.map((task) => (isLinked(task) ? link(task, find, problems) : task)),
    problems,
  );
}

function link(task: Task, find: (name: string) => string | null, problems: Problem[]): Task {
  const leftovers = [...task.leftovers];
  let parent = task.parent === null ? null : find(task.parent);
  if (parent === task.origin) parent = null;
  if (task.parent !== null && parent === null) {
    problems.push({ kind: 'unknown_parent', line: task.line, about: task.parent });
    leftovers.push(['Parent', task.parent]);
  }
  const waitsFor: string[] = [];
  for (const name of task.waitsFor) {
    const other = find(name);
    if (other !== null && other !== task.origin) waitsFor.push(other);
    else {
      problems.push({ kind: 'unknown_predecessor', line: task.line, about: name });
      leftovers.push(['Waits for', name]);
    }
  }
  return { ...task, parent, waitsFor: [...new Set(waitsFor)], leftovers };
}

/** Parents before their subtasks, no circles, no deeper than this product goes; and dependencies that close no circle. */
function inOrder(tasks: readonly Task[], problems: Problem[]): Task[] {
  const byOrigin = new Map(tasks.map((task) => [task.origin, task]));
  const levels = new Map<string, number>();
  const levelOf = (task: Task): number => {
    const path = new Set<Task>();
    for (let one: Task | undefined = task; one !== undefined && !levels.has(one.origin); ) {
      if (path.has(one)) {
        problems.push({ kind: 'circle', line: one.line, about: one.parent ?? '' });
        byOrigin.set(one.origin, without(one, 'Parent'));
        levels.set(one.origin, 1);
        break;
      }
      path.add(one);
      one = one.parent === null ? undefined : byOrigin.get(one.parent);
    }
    for (const one of [...path].reverse()) {
      if (levels.has(one.origin)) continue;
      const level = one.parent === null ? 1 : (levels.get(one.parent) ?? 0) + 1;
      if (level > deepest) {
        problems.push({ kind: 'too_deep', line: one.line, about: one.parent ?? '' });
        byOrigin.set(one.origin, without(one, 'Parent'));
      }
      levels.set(one.origin, level > deepest ? 1 : level);
    }
    return levels.get(task.origin) ?? 1;
  };
  for (const task of tasks) levelOf(task);
  return withoutCircles(
    tasks.map((task) => byOrigin.get(task.origin) ?? task),
    problems,
  ).toSorted((one, other) => (levels.get(one.origin) ?? 1) - (levels.get(other.origin) ?? 1));
}

function without(task: Task, name: string): Task {
  return { ...task, parent: null, leftovers: [...task.leftovers, [name, task.parent ?? '']] };
}

/** Follows what waits for what, and leaves out what would lead back. */
function withoutCircles(tasks: readonly Task[], problems: Problem[]): Task[] {
  const byOrigin = new Map(tasks.map((task) => [task.origin, task]));
  const kept = new Map(tasks.map((task): [string, string[]] => [task.origin, []]));
  const state = new Map<string, 'open' | 'left'>();
  for (const first of tasks) {
    const stack: { task: Task; next: number }[] = state.has(first.origin) ? [] : [{ task: first, next: 0 }];
    if (stack.length > 0) state.set(first.origin, 'open');
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const { task } = top;
      const name = task.waitsFor[top.next++];
      if (name === undefined) {
        state.set(task.origin, 'left');
        stack.pop();
      } else if (state.get(name) === 'open') {
        problems.push({ kind: 'circle', line: task.line, about: name });
      } else {
        kept.get(task.origin)?.push(name);
        const other = byOrigin.get(name);
        if (other !== undefined && !state.has(name)) {
          state.set(name, 'open');
          stack.push({ task: other, next: 0 });
        }
      }
    }
  }
  return tasks.map((task) => {
    if (task.waitsFor.length === 0) return task;
    const waitsFor = kept.get(task.origin) ?? [];
    const remaining = new Set(waitsFor);
    const lost = task.waitsFor.filter((name) => !remaining.has(name));
    return { ...task, waitsFor, leftovers: [...task.leftovers, ...lost.map((name) => ['Waits for', name] as const)] };
  });
}

function withinLimits(task: Task, project: Project, problems: Problem[]): Task {
  const leftovers = [...task.leftovers];
  const report = (kind: Problem['kind'], about: string) => problems.push({ kind, line: task.line, about });
  const oneLine = task.title.toWellFormed().replaceAll(/\s+/g, ' ').trim();
  let title = oneLine;
  if (title === '') {
    report('no_title', task.description);
    title =
      shorten(task.description.trim().split('\n', 1)[0] ?? '', 100).trim() ||
      (task.origin.trim() === '' ? 'Untitled' : `${project.source} ${task.origin.trim()}`);
  }
  if (title.length > longestTitle) {
    report('long_title', title);
    title = `${shorten(title, longestTitle - 1)}…`;
    leftovers.unshift(['Title', oneLine]);
  }
  let { start } = task;
  if (start !== null && task.due !== null && start > task.due) {
    report('start_after_due', `${start} > ${task.due}`);
    leftovers.push(['Start', start]);
    start = null;
  }
  const checklist = changed(task.checklist, (item) => {
    const words = item.title.replaceAll(/\s+/g, ' ').trim();
    if (words.length > longestTitle) leftovers.push(['Checklist', words]);
    return words === item.title && words.length <= longestTitle && words !== ''
      ? item
      : words === ''
        ? []
        : { ...item, title: shorten(words, longestTitle) };
  });
  const description = withLeftovers(task.description, leftovers).toWellFormed();
  const comments = changed(task.comments, (comment) => (isFine(comment) ? comment : cut(comment)));
  if (description.length <= longestDescription) {
    const isSame =
      title === task.title &&
      start === task.start &&
      checklist === task.checklist &&
      comments === task.comments &&
      description === task.description;
    return isSame ? task : { ...task, title, start, checklist, comments, description };
  }
  report('long_description', title);
  const rest = description.slice(shorten(description, longestDescription).length);
  const more: Comment = { origin: 'description', author: null, at: task.created, body: rest };
  return {
    ...task,
    title,
    start,
    checklist,
    comments: [...cut(more), ...comments],
    description: shorten(description, longestDescription),
  };
}

/** The list itself where each of it stays as it is. */
function changed<Item>(list: readonly Item[], change: (item: Item) => Item | readonly Item[]): readonly Item[] {
  const all = list.flatMap(change);
  return all.length === list.length && all.every((item, at) => item === list[at]) ? list : all;
}

const isFine = ({ body }: Comment): boolean =>
  body.length <= longestComment && body.isWellFormed() && body.trim() !== '';

/** A comment that is too long becomes several. */
function cut(comment: Comment): Comment[] {
  const parts: Comment[] = [];
  for (let rest = comment.body; rest !== ''; ) {
    const body = shorten(rest, longestComment);
    rest = rest.slice(body.length);
    const origin = comment.origin === null || parts.length === 0 ? comment.origin : `${comment.origin}+${parts.length}`;
    if (body.trim() !== '') parts.push({ ...comment, origin, body });
  }
  return parts;
}

export function withLeftovers(description: string, leftovers: Task['leftovers']): string {
  if (leftovers.length === 0) return description;
  const lines = leftovers.map(([name, value]) =>
    value.includes('\n') ? `**${name}:**\n\n${value}\n` : `**${name}:** ${value}  `,
  );
  return `${description.trimEnd()}${description.trim() === '' ? '' : '\n\n---\n\n'}${lines.join('\n').trimEnd()}`;
}
