// Results of the palette: exact keys, tasks, projects and actions, in that order. Results of this device keep their places; those of the
// server come below, so that nothing moves under the eye.

import { useEffect, useMemo, useRef, useState } from 'react';
import { useAct } from '../../commands.ts';
import { sayWholeDay } from '../../pieces/calendar.tsx';
import { useToday } from '../../queries/days/today.ts';
import { useRecentTasks } from '../../queries/tasks/recent.ts';
import { allTitles, findByKey, findProjects, findTasks, useReader, useServerSearch, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { useIsOperator } from '../access/use-explains-access.ts';
import { findPaletteActions, readContext } from './palette-actions.ts';
import { createId, lineOfferId } from './palette-ids.ts';
import { findViews } from './palette-items.tsx';
import type { PaletteTask } from './use-palette-task.ts';

/** As many as are seen at once and a few more: who wants others types on. */
const shownTasks = 12;
const askedTasks = 20;
const shownProjects = 6;
const shownRecent = 5;
/** Long enough that a word typed at once is one question. */
const pause = 120;

interface Remote {
  readonly text: string;
  readonly phase: 'asking' | 'there' | 'failed';
  readonly ids: readonly string[];
}

/** What the server finds; its rows go into the store. */
function useRemote(text: string): Remote {
  const search = useServerSearch();
  const [remote, setRemote] = useState<Remote>({ text: '', phase: 'there', ids: [] });
  const asked = useRef('');
  useEffect(() => {
    asked.current = text;
    if (text.length < 2) {
      setRemote({ text, phase: 'there', ids: [] });
      return;
    }
    setRemote((old) => ({ text, phase: 'asking', ids: text.startsWith(old.text) && old.text !== '' ? old.ids : [] }));
    const timer = setTimeout(() => {
      search(text, askedTasks).then(
        (ids) => {
          if (asked.current === text) setRemote({ text, phase: 'there', ids });
        },
        () => {
          if (asked.current === text) setRemote({ text, phase: 'failed', ids: [] });
        },
      );
    }, pause);
    return () => clearTimeout(timer);
  }, [text, search]);
  return remote;
}

export type ResultGroup = 'exact' | 'here' | 'recent' | 'tasks' | 'projects' | 'offers' | 'line';

/** `task`: what could be created of what is typed; `lineOffers`: names for the sign at the caret. */
export function usePaletteResults(
  needle: string,
  task: PaletteTask | null,
  lineOffers: readonly { readonly id: string }[],
) {
  const store = useReader();
  const act = useAct();
  const userId = useUserId();
  const today = useToday();
  const operator = useIsOperator();
  // What is on offer here, before this dialog takes the focus.
  const [context] = useState(() => readContext(store, userId, operator, act));
  const remote = useRemote(needle);
  // Titles are gathered between two keys, also those of rows that an answer brought.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each answer
  useEffect(() => {
    const timer = setTimeout(() => allTitles(store));
    return () => clearTimeout(timer);
  }, [store, remote.ids]);
  const exact = useMemo(() => findByKey(store, needle), [store, needle]);
  const tasks = useMemo(
    () => findTasks(store, needle, shownTasks).filter((task) => task.id !== exact.task?.id),
    [store, needle, exact],
  );
  const recent = useRecentTasks(shownRecent);
  const elsewhere = useMemo(() => {
    const known = new Set([exact.task, ...tasks].map((task) => task?.id));
    return remote.ids
      .filter((id) => !known.has(id))
      .map((id) => store.get('tasks', id))
      .filter((task) => task !== undefined);
  }, [store, exact, tasks, remote.ids]);
  const projects = useMemo(
    () => findProjects(store, needle, shownProjects).filter((project) => project.id !== exact.project?.id),
    [store, needle, exact],
  );
  const { here, offers, first } = useMemo(
    () => findPaletteActions(context, needle, today, act, sayWholeDay),
    [context, needle, today, act],
  );
  const views = useMemo(() => findViews(store, needle), [store, needle]);
  const groups: Record<ResultGroup, readonly string[]> = {
    exact: [exact.task?.id, exact.project && `project ${exact.project.id}`].filter((one) => one !== undefined),
    here: here.map((offer) => `action ${offer.id}`),
    recent: needle === '' ? recent.map((task) => task.id) : [],
    tasks: needle === '' ? [] : [...tasks, ...elsewhere].map((task) => task.id),
    projects: [...projects.map((project) => `project ${project.id}`), ...views.map((view) => view.id)],
    offers: offers.map((offer) => `action ${offer.id}`),
    line: [],
  };
  const found = Object.values(groups).flat().length;
  // While nothing is found yet, Enter creates nothing that was looked for.
  const creates = task !== null && (task.meant || found > 0 || (needle.length > 1 && remote.phase !== 'asking'));
  const line = creates ? [createId, ...lineOffers.map(({ id }) => lineOfferId(id))] : [];
  const order: readonly ResultGroup[] =
    needle === ''
      ? ['here', 'recent', 'offers', 'projects']
      : creates && task.meant
        ? ['line', 'exact', 'tasks', 'projects', 'offers']
        : first
          ? ['exact', 'offers', 'tasks', 'projects', 'line']
          : ['exact', 'tasks', 'projects', 'offers', 'line'];
  const all = { ...groups, line };
  const values = order.flatMap((name) => all[name]);
  const n = context.taskIds.length;
  const about = n > 1 ? t('common.selected', { n }) : t('search.here');
  const results = { exact, here, recent, tasks, elsewhere, projects, views, offers };
  return { ...results, about, groups: all, order, values, found, phase: remote.phase };
}
