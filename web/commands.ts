// Every write by name. A command turns the store and its arguments into a deed: a sentence and steps, each with its exact reverse.
// `useAct` runs one: shown at once, sent in order, taken back with a reason if refused, undone by ⌘Z.
// What only the server can decide (making a project, inviting, leaving) is an errand: it waits for the answer and has no undo.

import { useCallback } from 'react';
import type { Deed } from './sync/journal.ts';
import { useSync } from './sync/react.tsx';
import type { Store } from './sync/store.ts';
import type { Sync } from './sync/sync.ts';

export * from './commands/account-commands.ts';
export * from './commands/errands.ts';
export * from './commands/limits.ts';
export * from './commands/project-commands.ts';
export * from './commands/refusals.ts';
export * from './commands/task-commands.ts';
export * from './commands/task-parts.ts';
export { newId } from './sync/ids.ts';

export type Command<A extends readonly unknown[]> = (store: Store, ...args: A) => Deed;

export type Act = <A extends readonly unknown[]>(command: Command<A>, ...args: A) => Promise<boolean>;

/** Runs a command; resolves to whether the server agreed. The shell tells why when it did not. */
export function actIn(sync: Sync): Act {
  return (command, ...args) =>
    sync.journal.run(command(sync.store, ...args)).then(
      () => true,
      () => false,
    );
}

export function useAct(): Act {
  const sync = useSync();
  return useCallback<Act>((command, ...args) => actIn(sync)(command, ...args), [sync]);
}
