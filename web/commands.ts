// Every write by name. A command makes a mutation of its arguments: what it does to the rows here, with an exact reverse, and how it is sent.
// `useAct` runs one: shown at once, sent in order, taken back with a reason if refused, undone by ⌘Z.
// What only the server can decide (making a project, inviting, leaving) is a request: it waits for the response and has no undo.

import { useCallback, useSyncExternalStore } from 'react';
import type { Mutation } from './sync/journal/entries.ts';
import type { Journal } from './sync/journal/journal.ts';
import type { Unsendable } from './sync/journal/saved-entries.ts';
import { useSync } from './sync/react.tsx';
import type { Reader } from './sync/rows/store.ts';
import type { Sync } from './sync/sync.ts';

export * from './commands/account-commands.ts';
export * from './commands/account-requests.ts';
export * from './commands/attachment-commands.ts';
export * from './commands/cell-commands.ts';
export * from './commands/checkbox-commands.ts';
export * from './commands/comment-commands.ts';
export * from './commands/export-requests.ts';
export * from './commands/feed-requests.ts';
export * from './commands/field-commands.ts';
export * from './commands/group-commands.ts';
export * from './commands/group-requests.ts';
export * from './commands/inbox-commands.ts';
export * from './commands/invite-requests.ts';
export * from './commands/join-link-requests.ts';
export * from './commands/key-requests.ts';
export * from './commands/move-commands.ts';
export { moveTasksToProject } from './commands/move-to-project-commands.ts';
export * from './commands/plan-commands.ts';
export * from './commands/program-requests.ts';
export * from './commands/project-commands.ts';
export * from './commands/recurrence-commands.ts';
export * from './commands/refusals.ts';
export * from './commands/regroup-commands.ts';
export * from './commands/requests.ts';
export * from './commands/restrict-commands.ts';
export { revert } from './commands/revert.ts';
export * from './commands/share-commands.ts';
export * from './commands/share-link-requests.ts';
export * from './commands/subtask-commands.ts';
export * from './commands/task-commands.ts';
export * from './commands/task-parts.ts';
export * from './commands/template-commands.ts';
export * from './commands/template-requests.ts';
export * from './commands/text-limits.ts';
export * from './commands/view-commands.ts';
export { Refusal } from './sync/door.ts';
export type { Mutation } from './sync/journal/entries.ts';
export type { Journal } from './sync/journal/journal.ts';
export type { Unsendable } from './sync/journal/saved-entries.ts';
export { newId } from './sync/rows/ids.ts';

/** By which what an earlier page kept is sent. */
export const loadRestore = async () => (await import('./commands/command-registry.ts')).restore;

export type Command<A extends readonly unknown[]> = (store: Reader, ...args: A) => Mutation;

export type Run = <A extends readonly unknown[]>(command: Command<A>, ...args: A) => Promise<void>;
export type Act = <A extends readonly unknown[]>(command: Command<A>, ...args: A) => Promise<boolean>;
export type Ask = <A extends readonly unknown[], R>(
  request: (sync: Sync, ...args: A) => Promise<R>,
  ...args: A
) => Promise<R>;

/** Runs a command; rejects with the reason when the server refused. */
export function useRun(): Run {
  const { journal, store } = useSync();
  return useCallback<Run>((command, ...args) => journal.run(command(store, ...args)), [journal, store]);
}

/** Runs a command; resolves to whether the server agreed. The shell shows why when it did not. */
export function useAct(): Act {
  const run = useRun();
  return useCallback<Act>(
    (command, ...args) =>
      run(command, ...args).then(
        () => true,
        () => false,
      ),
    [run],
  );
}

/** Sends a request: waits for the server, and rejects with the reason when it refused. */
export function useAsk(): Ask {
  const sync = useSync();
  return useCallback<Ask>((request, ...args) => request(sync, ...args), [sync]);
}

/** What was saved on this device and can't be sent: by another version, or since it would overwrite others. `override` does it all the same. */
export function useUnsendable() {
  const { saved, journal } = useSync();
  const unsendable = useSyncExternalStore(saved.subscribe, () => saved.unsendable);
  return {
    unsendable,
    discard: saved.discard,
    override: (one: Unsendable): void =>
      void saved
        .override(one, (mutation, { diff }) => void journal.run(mutation, diff).catch(() => undefined))
        .catch(() => undefined),
  };
}

/** What was done here and whether the server accepted it: for undo and for messages. */
export function useJournal(): Journal {
  return useSync().journal;
}
