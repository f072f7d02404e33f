// Each thing a person can do, defined once: label, keys, icon, effect. The palette, menus and keys all read it here.
// Screens register their actions while they are shown; the newest wins a key.

import type { ReactNode } from 'react';
import { useEffect, useRef, useSyncExternalStore } from 'react';

export type ActionGroup = 'general' | 'project' | 'task' | 'card';

export interface Action {
  readonly id: string;
  readonly label: string;
  readonly group: ActionGroup;
  /** "mod+k", "c", or two keys one after the other: "g p". Several ways are separated by "|". */
  readonly keys?: string;
  readonly icon?: ReactNode;
  /** Not offered in the palette (only a key, such as moving the focus). */
  readonly hidden?: boolean;
  /** Only to be listed: what has the focus hears the keys itself. */
  readonly heard?: boolean;
  /** Works while typing in a field, too. */
  readonly whileTyping?: boolean;
  readonly effect: () => void;
}

/** What the thing with the focus does with keys by itself, such as a card: here only to be listed. */
export function heardKeys(
  what: string,
  group: ActionGroup,
  keys: readonly (readonly [keys: string, label: string])[],
): Action[] {
  return keys.map(([chords, label]) => ({
    id: `${what} ${chords}`,
    label,
    group,
    keys: chords,
    heard: true,
    hidden: true,
    effect: () => undefined,
  }));
}

type Shelf = readonly Action[];

let shelves: readonly { readonly actions: { current: Shelf } }[] = [];
let version = 0;
const listeners = new Set<() => void>();

function changed(): void {
  version++;
  for (const listener of listeners) listener();
}

/** Offers actions while the component is there. The list may be new on every render. */
export function useActions(actions: readonly Action[]): void {
  const held = useRef<Shelf>(actions);
  held.current = actions;
  const named = actions.map((action) => action.id).join(' ');
  useEffect(() => {
    const shelf = { actions: held };
    shelves = [...shelves, shelf];
    changed();
    return () => {
      shelves = shelves.filter((one) => one !== shelf);
      changed();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tells listeners when the set of actions is another one
  useEffect(changed, [named]);
}

/** All actions on offer, newest shelf first, each id once. */
export function offeredActions(): Action[] {
  const seen = new Set<string>();
  const offered: Action[] = [];
  for (const shelf of [...shelves].reverse())
    for (const action of shelf.actions.current) {
      if (seen.has(action.id)) continue;
      seen.add(action.id);
      offered.push(action);
    }
  return offered;
}

export function useOfferedActions(): Action[] {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => version,
  );
  return offeredActions();
}
