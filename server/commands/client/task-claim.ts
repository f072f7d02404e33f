// `kanbase task next --claim`, `task keep` and `task release`.

import { CommandError, UsageError } from '../command.ts';
import { type Claim, dropClaim, heldClaims, readSeconds, rememberClaim } from './claims.ts';
import { type ClientCall, type ClientCommand, type ClientFlag, one } from './client-command.ts';
import type { Instance } from './instance.ts';
import { chosenProject, projectFlag } from './projects.ts';
import { findNamed, findTask, keyOf, type Named, plainTask, readTasks, type Task } from './tasks.ts';
import { cleanLine, sayJson } from './write-output.ts';

const secondsFlag: ClientFlag = { name: 'seconds', value: 'number', meaning: 'For how long; 900 when left out.' };
const heldWord = {
  name: 'TASK',
  meaning: 'WEB-12, or 12 in the usual project; left out: the only one you have claimed here.',
  isOptional: true,
};

export const claimFlags: readonly ClientFlag[] = [
  { name: 'claim', meaning: 'Claim a task that is open and free; nobody else is given it meanwhile.' },
  { name: 'view', value: 'view', meaning: 'With --claim: a task of this saved view, in its order.' },
  secondsFlag,
  { name: 'start', meaning: 'With --claim: move it to a column for work in progress that has room.' },
];

export const taskKeep: ClientCommand = {
  name: 'task keep',
  summary: 'Keep a claimed task for longer.',
  words: [heldWord],
  flags: [projectFlag, secondsFlag],
  examples: ['npx kanbase task keep WEB-12 --seconds 3600'],
  run: keep,
};

export const taskRelease: ClientCommand = {
  name: 'task release',
  summary: 'Hand a claimed task back, so that others can claim it.',
  words: [heldWord],
  flags: [projectFlag, { name: 'note', value: 'text', meaning: 'Why, for the history of the task.' }],
  examples: ['npx kanbase task release WEB-12 --note "Needs a decision"'],
  run: release,
};

export interface ClaimedTask extends Task {
  readonly claim: Claim;
}

/** The task that was claimed; null: nothing is left. */
export async function claimNext(call: ClientCall): Promise<ClaimedTask | null> {
  const instance = await call.instance();
  const named = one(call, 'view');
  const project = named !== null && one(call, 'project') === null ? null : await chosenProject(call);
  const [claim] = await instance.call<readonly Claim[]>('claim_next_task', {
    ...(project === null ? {} : { project: project.id }),
    ...(named === null ? {} : { view: await findView(instance, named) }),
    ...readSeconds(one(call, 'seconds')),
    ...(call.flags.has('start') ? { start: true } : {}),
  });
  if (claim === undefined) return null;
  await rememberClaim(call, instance, claim);
  const [task] = await readTasks(instance, [['id', `eq.${claim.task_id}`]]);
  if (task === undefined) throw new CommandError('the task is claimed, but you can no longer see it');
  return { ...task, claim };
}

async function findView(instance: Instance, named: string): Promise<string> {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(named)) return named;
  const views = await instance.read<readonly Named[]>('saved_views', [
    ['select', 'id,name'],
    ['order', 'name,id'],
  ]);
  return findNamed('view', views, named).id;
}

async function keep(call: ClientCall): Promise<void> {
  const { instance, task, claim } = await findHeld(call);
  const kept = await instance.call<Claim>('keep_claim', { claim: claim.id, ...readSeconds(one(call, 'seconds')) });
  await rememberClaim(call, instance, kept);
  if (call.flags.has('json')) return sayJson(call.screen, kept);
  call.screen.say(`${keyOf(task)} is claimed until ${sayTime(kept.expires_at)}`);
}

async function release(call: ClientCall): Promise<void> {
  const { instance, task, claim } = await findHeld(call);
  const note = one(call, 'note');
  // One that has ended is no longer this machine's either.
  await dropClaim(call, instance, task.id);
  const released = await instance.call<Claim>('release_claim', { claim: claim.id, ...(note === null ? {} : { note }) });
  if (call.flags.has('json')) return sayJson(call.screen, released);
  call.screen.say(`Released ${keyOf(task)} ${cleanLine(task.title)}`);
}

interface Held {
  readonly instance: Instance;
  readonly task: Task;
  readonly claim: Claim;
}

async function findHeld(call: ClientCall): Promise<Held> {
  const instance = await call.instance();
  const held = heldClaims(call, instance);
  const named = call.words[0];
  if (named !== undefined) {
    const task = await findTask(call, named);
    const claim = held.find(({ task_id: id }) => id === task.id);
    if (claim === undefined)
      throw new CommandError(`${keyOf(task)} isn't claimed here: npx kanbase task next --claim claims a task`);
    return { instance, task, claim };
  }
  const [claim, other] = held;
  if (claim === undefined) throw new CommandError('no task is claimed here: npx kanbase task next --claim claims one');
  const ids = held.map(({ task_id: id }) => id).join(',');
  const tasks = await readTasks(instance, [
    ['id', `in.(${ids})`],
    ['order', 'project_id,number'],
  ]);
  if (other !== undefined)
    throw new UsageError(`several tasks are claimed here; name one of ${tasks.map(keyOf).join(', ')}`);
  const [task] = tasks;
  if (task === undefined) {
    await dropClaim(call, instance, claim.task_id);
    throw new CommandError('the claimed task is gone, or you can no longer see it');
  }
  return { instance, task, claim };
}

export const plainClaim = (
  instance: Instance,
  { claim: { id, fence, expires_at }, ...task }: ClaimedTask,
): Readonly<Record<string, unknown>> => ({ ...plainTask(instance, task), claim: { id, fence, expires_at } });

export const sayTime = (moment: string): string =>
  `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
