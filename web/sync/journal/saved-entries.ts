// Open entries as this device holds them, by name and arguments, so that a reload or a closed window loses none. One record per entry, by
// person and by window: each window holds a lock while it lives, and another one of the same person takes over what a closed one left.
// What this version doesn't know, and what would overwrite others, stays and is shown to its owner. Signing out wipes all of it.

import { storedName, storedNames } from '../device-storage.ts';
import type { Diff } from '../rows/diff.ts';
import { primaryKeys } from '../rows/rows.ts';
import { type TableName, tables } from '../tables.ts';
import { type Commands, type Entry, type Mutation, wordsOf } from './entries.ts';

/** What is saved here and can't be sent. */
export interface Unsendable {
  /** This version does not know it, or someone else has changed since what it changes. */
  readonly why: 'unsupported' | 'conflict';
  /** Of its record. */
  readonly name: string;
  /** What the person did, as far as it can be read. */
  readonly label: string;
  /** All that was saved of it. */
  readonly record: string;
  /** The words that it was to write, where it is in conflict. */
  readonly words: string;
}

/** Takes over a mutation, with the id of its entry and what it does to the rows. */
export type TakeOver = (mutation: Mutation, saved: Pick<Entry, 'id' | 'diff'>) => void;

export interface SavedEntriesPorts {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;
  /** Not there on plain http: then whoever comes takes over; what is sent twice arrives once all the same. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  readonly window: string;
  readonly loadRestore: Commands['loadRestore'];
}

/** Raised when records change shape; those of another format are shown, like all that isn't known. */
const format = 'unsent-2';

interface SavedEntry extends Pick<Entry, 'name' | 'args' | 'label'> {
  /** Its diff; of an earlier version only what it wrote over. */
  readonly over: Diff;
}

export type SavedEntries = ReturnType<typeof openSavedEntries>;

export function openSavedEntries(userId: string, ports: SavedEntriesPorts) {
  const { storage, locks } = ports;
  const formats = storedName(userId, 'unsent-');
  const everyone = storedName(userId, format, '');
  const prefixOf = (window: string): string => `${everyone}${window}:`;
  const nameOf = ({ id }: Pick<Entry, 'id'>): string => prefixOf(ports.window) + id;
  const unsaved = new Set<Entry>();
  const listeners = new Set<() => void>();
  let unsendable: readonly Unsendable[] = [];
  const whenFree = openWaiting(locks);
  let recovered = false;
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });

  const namesBelow = (prefix: string): string[] =>
    storedNames(storage, prefix).sort((one, other) => (idIn(one) < idIn(other) ? -1 : 1));

  const setUnsendable = (next: readonly Unsendable[]): void => {
    unsendable = next;
    for (const listener of listeners) listener();
  };

  const show = (name: string, why: Unsendable['why'], words = ''): void => {
    const record = storage.getItem(name);
    if (record === null || unsendable.some((one) => one.name === name)) return;
    setUnsendable([...unsendable, { why, name, record, label: read(record).label, words }]);
  };

  const discard = ({ name }: Unsendable): void => {
    storage.removeItem(name);
    setUnsendable(unsendable.filter((one) => one.name !== name));
  };

  /** Where the commands cannot be fetched all of it stays, for the next page. */
  const takeOver = async (window: string, take: TakeOver): Promise<void> => {
    if (namesBelow(prefixOf(window)).length === 0) return;
    const restore = await ports.loadRestore();
    for (const name of namesBelow(prefixOf(window))) {
      const saved = read(storage.getItem(name));
      const mutation = restore(saved.name, saved.args, saved.label);
      if (mutation === null) {
        show(name, 'unsupported');
        continue;
      }
      storage.removeItem(name);
      take(mutation, { id: idIn(name), diff: saved.over });
    }
  };

  locks?.request(prefixOf(ports.window), () => left).catch(() => undefined);

  return {
    save(entry: Entry): void {
      const { name, args, label } = entry;
      try {
        storage.setItem(
          nameOf(entry),
          JSON.stringify({ name, args, label, over: slim(entry.diff) } satisfies SavedEntry),
        );
      } catch {
        unsaved.add(entry);
      }
    },
    remove(entry: Entry): void {
      unsaved.delete(entry);
      storage.removeItem(nameOf(entry));
    },
    /** It isn't sent, since it would overwrite others: it stays, for its owner to look at. */
    setAside(entry: Entry): void {
      unsaved.delete(entry);
      // What was picked says as much as its name in the database.
      show(
        nameOf(entry),
        'conflict',
        wordsOf(entry.baseline, (column) => !column.endsWith('id')),
      );
    },
    /** Hands over what closed windows could not send, oldest first. To be called again: for windows that came later. */
    recover(take: TakeOver): void {
      // Without locks nobody knows which windows live: then only one that opens takes over.
      if (recovered && locks === undefined) return;
      recovered = true;
      for (const name of namesBelow(formats)) if (!name.startsWith(everyone)) show(name, 'unsupported');
      const windows = new Set(namesBelow(everyone).map((name) => name.slice(everyone.length).split(':')[0] ?? ''));
      windows.delete(ports.window);
      for (const window of windows) whenFree(prefixOf(window), () => takeOver(window, take));
    },
    /** The same list until it changes. */
    get unsendable(): readonly Unsendable[] {
      return unsendable;
    },
    discard,
    /** Hands it over to be done anew, over what others wrote. */
    async override(one: Unsendable, take: TakeOver): Promise<void> {
      const restore = await ports.loadRestore();
      const saved = read(storage.getItem(one.name));
      const mutation = restore(saved.name, saved.args, saved.label);
      if (mutation === null || !unsendable.includes(one)) return;
      discard(one);
      take(mutation, { id: idIn(one.name), diff: saved.over });
    },
    /** Tells when that list changes. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Whether anything of this person waits, in whatever window. */
    get any(): boolean {
      return namesBelow(formats).length > 0;
    },
    /** Whether all of this window's entries could be saved: the device may refuse. */
    get safe(): boolean {
      return unsaved.size === 0;
    },
    close: (): void => leave(),
  };
}

/** Does its work once a lock is to be had; asked again meanwhile, it waits but once. */
function openWaiting(locks: SavedEntriesPorts['locks']): (lock: string, work: () => Promise<void>) => void {
  const awaited = new Set<string>();
  return (lock, work) => {
    if (awaited.has(lock)) return;
    awaited.add(lock);
    (locks === undefined ? work() : locks.request(lock, work))
      .catch(() => undefined)
      .finally(() => awaited.delete(lock));
  };
}

/** Of deleted rows the keys are enough: this window alone undoes it. */
const slim = (diff: Diff): Diff =>
  diff.map((one) =>
    one.kind === 'delete'
      ? { ...one, row: Object.fromEntries(Object.entries(one.row).filter(([column]) => isKey(one.table, column))) }
      : one,
  ) as Diff;

const isKey = (table: TableName, column: string): boolean =>
  column === 'version' || primaryKeys[table].some((one) => one === column);

const idIn = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

function read(record: string | null): SavedEntry {
  let saved: Partial<SavedEntry> | null = null;
  try {
    saved = JSON.parse(record ?? '');
  } catch {
    // Nobody can read it: it is shown as it is.
  }
  const { name, args, label, over } = saved ?? {};
  return {
    name: String(name),
    args,
    label: typeof label === 'string' ? label : '',
    over: Array.isArray(over) ? over.filter(({ table }) => table in tables) : [],
  };
}
