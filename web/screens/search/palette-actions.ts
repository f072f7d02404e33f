// Offers of the palette: every available action, and most of their answers: "Assign to Bob", "Move to In progress", "Due Friday", "Theme:
// dark".

import { createElement } from 'react';
import { type Action, keysOf, offeredActions, perform } from '../../actions/registry.tsx';
import { target, withTarget } from '../../actions/target.ts';
import { type Act, addLabel, assign, editTasks, moveTasks, removeLabel, unassign } from '../../commands.ts';
import { readDays } from '../../queries/days/read-day.ts';
import {
  columnsOf,
  commonAssignees,
  commonLabels,
  labelsOf,
  matchWords,
  membersOf,
  type Priority,
  plain,
  type Reader,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { chooseTheme, savedTheme, type Theme } from '../../theme.ts';
import { meantTasks, offersOf } from '../task/task-actions.ts';

export interface PaletteAction {
  readonly id: string;
  readonly label: string;
  /** What it is found by. */
  readonly found: string;
  readonly icon?: Action['icon'];
  readonly keys?: string | undefined;
  readonly effect: () => void;
  /** Only for who types for it. */
  readonly typedOnly?: boolean;
}

const priorities: readonly Priority[] = ['p0', 'p1', 'p2'];
const themes: readonly Theme[] = ['light', 'dark', 'system'];
/** More than so many at once are no help. */
const shownTyped = 10;

export interface Context {
  readonly offers: readonly PaletteAction[];
  /** The tasks that are meant here, where one may change them. */
  readonly taskIds: readonly string[];
}

/** As it is when the palette opens: what it does later is done with the tasks that were meant then. */
export function readContext(store: Reader, userId: string, operator: boolean, act: Act): Context {
  const meant = target();
  const of = meant && meantTasks(store, userId, meant.taskIds, meant.back !== undefined, operator);
  const offered = offeredActions();
  const here = of && offered.some(({ id }) => id === 'task-menu') ? offersOf(of) : [];
  const taskIds = of?.writes ? of.taskIds : [];
  return {
    taskIds,
    offers: [
      ...here.map(
        ({ id, label, icon }): PaletteAction => ({
          ...{ id, label, found: plain(label), keys: keysOf(id) },
          icon: createElement(icon, { size: 16 }),
          effect: () => withTarget(meant, () => perform(id)),
        }),
      ),
      ...offered
        .filter((action) => !action.hidden)
        .map((action): PaletteAction => ({ ...action, found: plain(action.label) })),
      ...(of === undefined || taskIds.length === 0 ? [] : answers(store, of.task.project_id, taskIds, act)),
      ...themeOffers(),
    ],
  };
}

const isOfTask = ({ id }: PaletteAction): boolean => id.startsWith('task-');

function themeOffers(): PaletteAction[] {
  const now = savedTheme();
  return themes
    .filter((theme) => theme !== now)
    .map((theme) => answer(`theme ${theme}`, t(`search.themes.${theme}`), () => chooseTheme(theme)));
}

function answer(id: string, label: string, effect: () => void): PaletteAction {
  return { id, label, found: plain(label), effect, typedOnly: true };
}

function answers(store: Reader, projectId: string, taskIds: readonly string[], act: Act): PaletteAction[] {
  const assigned = commonAssignees.read(store, taskIds.join());
  const labelled = commonLabels.read(store, taskIds.join());
  return [
    ...membersOf
      .read(store, projectId)
      .map(({ userId, name }) =>
        assigned.includes(userId)
          ? answer(`unassign ${userId}`, t('search.do.unassign', { name }), () => void act(unassign, taskIds, userId))
          : answer(`assign ${userId}`, t('search.do.assign', { name }), () => void act(assign, taskIds, userId)),
      ),
    ...columnsOf
      .read(store, projectId)
      .filter(({ id }) => taskIds.some((taskId) => store.get('tasks', taskId)?.column_id !== id))
      .map(({ id, name }) =>
        answer(`move ${id}`, t('search.do.move', { name }), () => void act(moveTasks, taskIds, id)),
      ),
    ...priorities.map((priority) =>
      answer(
        `priority ${priority}`,
        t('search.do.priority', { name: t(`common.priorities.${priority}`) }),
        () => void act(editTasks, taskIds, { priority }),
      ),
    ),
    ...labelsOf
      .read(store, projectId)
      .map(({ id, name }) =>
        labelled.includes(id)
          ? answer(`unlabel ${id}`, t('search.do.unlabel', { name }), () => void act(removeLabel, taskIds, id))
          : answer(`label ${id}`, t('search.do.label', { name }), () => void act(addLabel, taskIds, id)),
      ),
    answer('no due', t('search.do.noDue'), () => void act(editTasks, taskIds, { due_date: null })),
  ];
}

/** "due fri", or a day alone. */
function dueOffers(
  { taskIds }: Context,
  typed: string,
  today: string,
  act: Act,
  say: (day: string) => string,
): PaletteAction[] {
  if (taskIds.length === 0) return [];
  const [first = '', ...rest] = plain(typed).split(/\s+/);
  const asks = rest.length > 0 && t('board.line.due').split('|').map(plain).includes(first.replace(/:$/, ''));
  const days = asks ? readDays(rest.join(' '), today) : readDays(typed, today, 3).slice(0, 1);
  return days.map((due_date) =>
    answer(
      `due ${due_date}`,
      t('search.do.due', { day: say(due_date) }),
      () => void act(editTasks, taskIds, { due_date }),
    ),
  );
}

export interface FoundActions {
  /** With nothing typed: what is about the task in hand. */
  readonly here: readonly PaletteAction[];
  readonly offers: readonly PaletteAction[];
  /** What is typed begins the first one's words: it is what is meant, not a task that holds them somewhere. */
  readonly first: boolean;
}

/** What fits what is typed, best first; with nothing typed, what can be done here. */
export function findPaletteActions(
  context: Context,
  typed: string,
  today: string,
  act: Act,
  say: (day: string) => string,
): FoundActions {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    const usual = context.offers.filter((offer) => !offer.typedOnly);
    return { here: usual.filter(isOfTask), offers: usual.filter((offer) => !isOfTask(offer)), first: false };
  }
  const fitting = context.offers
    .map((offer) => ({ offer, points: matchWords(offer.found, words) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .map(({ offer }) => offer)
    .slice(0, shownTyped);
  const due = dueOffers(context, typed, today, act, say);
  const begun = fitting[0]?.found.startsWith(words[0] ?? '') === true && (words[0]?.length ?? 0) > 2;
  return { here: [], offers: [...due, ...fitting], first: due.length > 0 || begun };
}
