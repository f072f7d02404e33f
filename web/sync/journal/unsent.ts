// Mutations that have not arrived yet, kept by name and arguments on this device, so that a reload or a closed window does not lose
// them. One record per mutation, by person and by window: each window holds a lock while it lives, and what a window that is no more
// left behind is taken over by another one of the same person. What this version does not know, and what would write over what others
// have written since, is left where it is and shown to its owner. Signing out wipes them.

import { keptName, keptNames } from '../kept.ts';
import type { Diff } from '../rows/diff.ts';
import type { Keeper } from './journal.ts';
import type { Commands, Mutation } from './mutation.ts';

/** What is kept here and cannot be sent. */
export interface Stranded {
  /** This version does not know it, or someone else has changed since what it changes. */
  readonly why: 'unknown' | 'conflict';
  /** Where it is kept. */
  readonly name: string;
  /** What the person did, as far as it can be read. */
  readonly label: string;
  /** All that was kept of it. */
  readonly record: string;
  /** The words that it was to write, where it is known. */
  readonly words: string;
}

export interface Unsent extends Keeper {
  /** Hands over what windows that are no more could not send, oldest first. To be called again: for windows that came later. */
  recover(take: (mutation: Mutation, over: Diff) => void): void;
  /** What nobody here can send. The same list until it changes. */
  readonly stranded: readonly Stranded[];
  discard(stranded: Stranded): void;
  /** Tells when something is stranded, or is no more. */
  subscribe(listener: () => void): () => void;
  /** Whether anything of this person waits, in whatever window. */
  readonly any: boolean;
  /** Whether all of this window's mutations could be kept: the device may refuse. */
  readonly safe: boolean;
  close(): void;
}

export interface UnsentPorts {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;
  /** Not there on plain http: then whoever comes takes over; what is sent twice arrives once all the same. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  readonly window: string;
  readonly loadRevive: Commands['loadRevive'];
}

/** Raised when records change shape. */
const format = 'unsent-2';
/** Of versions before: what of these was not sent is shown, like all that is not known. */
const formerFormat = 'unsent-1';

interface Kept {
  readonly name: string;
  readonly args: unknown;
  readonly label: string;
  readonly over?: Diff;
}

export function openUnsent(userId: string, ports: UnsentPorts): Unsent {
  const { storage, locks } = ports;
  const everyone = keptName(userId, format, '');
  const former = keptName(userId, formerFormat, '');
  const prefixOf = (window: string): string => `${everyone}${window}:`;
  const names = new Map<Mutation, string>();
  const listeners = new Set<() => void>();
  let stranded: readonly Stranded[] = [];
  let unkept = 0;
  const nextOrder = openOrder();
  const whenFree = openWaiting(locks);
  let recovered = false;
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });

  const namesBelow = (prefix: string): string[] =>
    keptNames(storage, prefix).sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));

  /** `order`: the moment and turn of a mutation that was kept before. */
  const write = (mutation: Mutation, over: Diff, order: string): void => {
    const name = prefixOf(ports.window) + order;
    const { args, label } = mutation;
    const kept: Kept = { name: mutation.name, args, label, ...(over.length > 0 ? { over } : {}) };
    try {
      storage.setItem(name, JSON.stringify(kept));
      names.set(mutation, name);
    } catch {
      unkept++;
      names.set(mutation, '');
    }
  };

  const setStranded = (next: readonly Stranded[]): void => {
    stranded = next;
    for (const listener of listeners) listener();
  };

  const strand = (name: string, why: Stranded['why']): void => {
    const record = storage.getItem(name);
    if (record === null || stranded.some((one) => one.name === name)) return;
    const kept = read(record);
    const label = typeof kept?.label === 'string' ? kept.label : '';
    setStranded([...stranded, { why, name, record, label, words: wordsOf(overOf(kept)) }]);
  };

  /** Where the commands cannot be fetched all of it stays, for the next page. */
  const adopt = async (window: string, take: (mutation: Mutation, over: Diff) => void): Promise<void> => {
    if (namesBelow(prefixOf(window)).length === 0) return;
    const revive = await ports.loadRevive();
    for (const name of namesBelow(prefixOf(window))) {
      const kept = read(storage.getItem(name));
      const mutation = kept && revive(String(kept.name), kept.args, String(kept.label ?? ''));
      if (mutation === null) {
        strand(name, 'unknown');
        continue;
      }
      storage.removeItem(name);
      write(mutation, overOf(kept), orderOf(name));
      take(mutation, overOf(kept));
    }
  };

  locks?.request(prefixOf(ports.window), () => left).catch(() => undefined);

  /** Where its record is; empty: this device refused to keep it. */
  const takeName = (mutation: Mutation): string | undefined => {
    const name = names.get(mutation);
    names.delete(mutation);
    if (name === '') unkept--;
    return name;
  };

  return {
    keep(mutation, over) {
      write(mutation, over, nextOrder());
    },
    drop(mutation) {
      const name = takeName(mutation);
      if (name) storage.removeItem(name);
    },
    strand(mutation) {
      const name = takeName(mutation);
      if (name) strand(name, 'conflict');
    },
    recover(take) {
      // Without locks nobody knows which windows live: then only one that opens takes over.
      if (recovered && locks === undefined) return;
      recovered = true;
      for (const name of namesBelow(former)) strand(name, 'unknown');
      const windows = new Set(namesBelow(everyone).map((name) => name.slice(everyone.length).split(':')[0] ?? ''));
      windows.delete(ports.window);
      for (const window of windows) whenFree(prefixOf(window), () => adopt(window, take));
    },
    get stranded() {
      return stranded;
    },
    discard({ name }) {
      storage.removeItem(name);
      setStranded(stranded.filter((one) => one.name !== name));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get any() {
      return namesBelow(everyone).length > 0 || namesBelow(former).length > 0;
    },
    get safe() {
      return unkept === 0;
    },
    close: () => leave(),
  };
}

/** The moment and turn of each; a clock that is set back does not bring a later one before an earlier. */
function openOrder(): () => string {
  let counter = 0;
  let latest = 0;
  return () => {
    counter++;
    latest = Math.max(latest, Date.now());
    return `${String(latest).padStart(15, '0')}.${String(counter).padStart(6, '0')}`;
  };
}

/** Does its work once a lock is to be had; asked again meanwhile, it waits but once. */
function openWaiting(locks: UnsentPorts['locks']): (lock: string, work: () => Promise<void>) => void {
  const awaited = new Set<string>();
  return (lock, work) => {
    if (awaited.has(lock)) return;
    awaited.add(lock);
    (locks === undefined ? work() : locks.request(lock, work))
      .catch(() => undefined)
      .finally(() => awaited.delete(lock));
  };
}

function orderOf(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

const overOf = (kept: Partial<Kept> | null): Diff => (Array.isArray(kept?.over) ? kept.over : []);

/** As they were typed; what was picked says as much as its name in the database. */
function wordsOf(over: Diff): string {
  const values = over.flatMap((one): unknown[] =>
    one.kind === 'update'
      ? Object.values(one.after)
      : one.kind === 'insert' && 'value' in one.row
        ? [one.row.value]
        : [],
  );
  return [...new Set(values.filter((one) => typeof one === 'string' || typeof one === 'number'))].join('\n');
}

function read(record: string | null): Partial<Kept> | null {
  try {
    const kept: unknown = JSON.parse(record ?? '');
    return typeof kept === 'object' && kept !== null ? kept : null;
  } catch {
    return null;
  }
}
