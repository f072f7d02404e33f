// Each thing a person can do, defined once: label, keys, icon, effect. The palette, menus and keys all read it here.
// Screens register their actions while they are shown; the newest wins a key.

import type { ReactNode } from 'react';
import { useEffect, useSyncExternalStore } from 'react';
import { useLatest } from '../ui/use-latest.ts';

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
  /** Only listed, not run: the focused element handles these keys itself. */
  readonly listedOnly?: boolean;
  /** Not this person's to do here: the key says so, and the list of keys leaves it out. */
  readonly refused?: boolean;
  /** Works while typing in a field, too. */
  readonly whileTyping?: boolean;
  /** False: its keys are for the next action that has them. */
  readonly meant?: () => boolean;
  readonly effect: () => void;
}

/** Keys that a focused element, such as a card, handles itself: only for the list of keys. */
export function listedKeys(
  what: string,
  group: ActionGroup,
  keys: readonly (readonly [keys: string, label: string])[],
): Action[] {
  return keys.map(([chords, label]) => ({
    id: `${what} ${chords}`,
    label,
    group,
    keys: chords,
    listedOnly: true,
    hidden: true,
    effect: () => undefined,
  }));
}

type Offered = readonly Action[];

interface Offer {
  readonly actions: { readonly current: Offered };
  readonly below: boolean;
}

let offers: readonly Offer[] = [];
let version = 0;
const listeners = new Set<() => void>();

function changed(): void {
  version++;
  for (const listener of listeners) listener();
}

/** Offers actions while the component is there. The list may be new on every render. `below`: keys of all others go first. */
export function useActions(actions: readonly Action[], { below = false } = {}): void {
  const held = useLatest<Offered>(actions);
  const named = actions.map((action) => action.id).join(' ');
  useEffect(() => {
    const offer = { actions: held, below };
    offers = below ? [offer, ...offers] : [...offers, offer];
    changed();
    return () => {
      offers = offers.filter((one) => one !== offer);
      changed();
    };
  }, [held, below]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: tells listeners when the set of actions is another one
  useEffect(changed, [named]);
}

/** All actions on offer, newest offer first, each id once, with those of their keys that no other has taken before. */
export function offeredActions(): Action[] {
  const seen = new Set<string>();
  const taken = new Set<string>();
  const offered: Action[] = [];
  for (const offer of [...offers].reverse())
    for (const action of offer.actions.current) {
      if (seen.has(action.id)) continue;
      seen.add(action.id);
      offered.push(action.listedOnly ? action : withFreeKeys(action, taken));
    }
  return offered;
}

function withFreeKeys(action: Action, taken: Set<string>): Action {
  const { keys, ...rest } = action;
  if (keys === undefined) return action;
  const free = action.meant?.() === false ? [] : keys.split('|').filter((way) => !taken.has(way));
  for (const way of free) taken.add(way);
  const left = free.join('|');
  return left === keys ? action : left === '' ? rest : { ...rest, keys: left };
}

/** The key that does it here; undefined: none, or it means something else. */
export const keysOf = (id: string): string | undefined =>
  offeredActions()
    .find((action) => action.id === id)
    ?.keys?.split('|')[0];

/** Does what the action of that name does, if it is on offer here. */
export function perform(id: string): void {
  offeredActions()
    .find((action) => action.id === id)
    ?.effect();
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
