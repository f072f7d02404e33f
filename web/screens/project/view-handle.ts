// Current view: a saved one or none, and its changes in the address, so that they can be shared.

import { useMemo, useState } from 'react';
import { useLocation, useSearch, useSearchParams } from 'wouter';
import { fieldsIn, settleFilter, WrongView } from '../../../contract/read-view.ts';
import { parseLooks, parseView, plainView, viewParams, writeView } from '../../../contract/view-address.ts';
import { conditionsIn, type Group, type Layout, noFilter, partsOf, type View } from '../../../contract/views.ts';
import { useToday } from '../../queries/days/today.ts';
import { viewIn } from '../../queries/views/view-in.ts';
import {
  reuse,
  type SavedViewRow,
  savedViewOf,
  useFieldColumns,
  useQuery,
  useScope,
  useUserId,
} from '../../queries.ts';
import { projectIn } from '../../routes.ts';

export interface ViewHandle {
  readonly view: View;
  /** The view's filter as it is meant today, for this reader; the same one until it means something else. */
  readonly filter: Group;
  /** Something is filtered. */
  readonly active: boolean;
  /** Why the filter of the address cannot be read; there is none then. */
  readonly fault: string | null;
  /** The saved view that is looked at; null: none. `waiting`: it is not known yet. `missing`: it is not there for this reader. */
  readonly saved: SavedViewRow | null;
  readonly state: 'known' | 'waiting' | 'missing';
  /** Otherwise than it was saved, or than it is where nothing was chosen. */
  readonly changed: boolean;
  set(patch: Partial<View>): void;
  /** No filter any more. */
  clear(): void;
  /** Back to how it was saved. */
  drop(): void;
  /** Looks at this saved view as it is. */
  open(id: string): void;
}

/** Across projects the layout is no part of the path. */
export const layoutParam = 'layout';

interface Read {
  readonly view: View;
  readonly fault: string | null;
}

/** Of a saved view an address says nothing, or all that is to be seen. */
function readParams(params: URLSearchParams, plain: View, saved: View | null): Read {
  if (saved && !viewParams.some((name) => params.has(name)))
    return { view: { ...saved, layout: plain.layout }, fault: null };
  try {
    return { view: parseView(params, plain), fault: null };
  } catch (thrown) {
    if (!(thrown instanceof WrongView)) throw thrown;
    return { view: parseLooks(params, plain), fault: thrown.message };
  }
}

function isSame(one: View, other: View): boolean {
  const textOf = ({ layout, filter, grouping, lanes, sort, shown }: View): string =>
    JSON.stringify([layout, filter, grouping, lanes, sort, shown]);
  return textOf(one) === textOf(other);
}

/** What tasks hold in the fields a view looks at is fetched with it, and who watches them. True: it is here. */
function useValues(view: View): boolean {
  const [path] = useLocation();
  const projectId = projectIn(path)?.projectId;
  const watched = conditionsIn(view.filter).some(({ property }) => property === 'watcher');
  const watchers = useScope(watched && projectId !== undefined ? { kind: 'watchers', projectId } : null);
  const { known } = useFieldColumns(projectId ?? '', projectId === undefined ? [] : fieldsIn(view));
  return known && !(watched && projectId !== undefined && watchers.phase === 'empty');
}

/** `givenId`: the saved view where the address names it otherwise. */
export function useView(layout: Layout, givenId?: string): ViewHandle {
  const [params, setParams] = useSearchParams();
  const today = useToday();
  const userId = useUserId();
  const id = givenId ?? params.get('view');
  const scope = useScope(id === null ? null : { kind: 'views', userId });
  const row = useQuery(savedViewOf, id ?? '');
  const asked = viewParams.map((name) => params.get(name) ?? '\0').join('\n');
  const saved = useMemo(() => (row ? viewIn(row) : null), [row]);
  const [last] = useState<{ read: Read | null }>({ read: null });
  // What is said as before is the same thing as before: another filter draws no head of a column again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` stands for the parameters
  const read = useMemo(() => {
    last.read = reuse(last.read, readParams(params, plainView(layout), saved));
    return last.read;
  }, [asked, layout, saved, last]);
  const filter = useMemo(() => settleFilter(read.view.filter, today, userId), [read, today, userId]);
  const values = useValues(read.view);
  const waits = !values || (id !== null && !row && scope.phase === 'empty');
  const state = waits ? 'waiting' : id === null || row ? 'known' : 'missing';
  const does = useMemo(() => {
    const plain = plainView(layout);
    const write = (change: (now: View) => View | null): void =>
      setParams(
        (old) => {
          const remaining = [...old].filter(([name]) => !viewParams.includes(name));
          const next = change(readParams(old, plain, saved).view);
          // As it was saved, in its own layout, too.
          if (next === null || (saved && isSame(next, saved)))
            return new URLSearchParams(remaining.filter(([name]) => name !== layoutParam));
          const parts = writeView(next, plain);
          // With nothing said it would be the saved view again.
          const empty = saved !== null && parts.length === 0 ? [['filter', '']] : [];
          return new URLSearchParams(
            [...remaining, ...parts, ...empty].map(([name = '', value = '']) => [name, value]),
          );
        },
        { replace: true },
      );
    return {
      set: (patch: Partial<View>) => write((now) => ({ ...now, ...patch })),
      clear: () => write((now) => ({ ...now, filter: noFilter })),
      drop: () => write(() => null),
      open: (opened: string) => setParams({ view: opened }, { replace: true }),
    };
  }, [layout, setParams, saved]);
  return useMemo(
    () => ({
      view: read.view,
      filter,
      active: partsOf(filter).length > 0,
      fault: read.fault,
      saved: row ?? null,
      state,
      changed: !isSame(read.view, saved ?? plainView(layout)),
      ...does,
    }),
    [read, filter, layout, row, saved, state, does],
  );
}

/** What follows the ? of the address, kept where a task is opened beside a project; across projects it means another page. */
export function useOwnSearch(): string {
  const [path] = useLocation();
  const search = useSearch();
  return projectIn(path) ? search : '';
}
