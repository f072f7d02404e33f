// Deeds that have not arrived yet, kept on this device so that a reload or a closed window does not lose them.
// One record per deed, by person and by window: each window holds a lock while it lives, and what a window that is no more
// left behind is taken over by another one of the same person. Signing out wipes them.

import type { Deed, Keeper } from './journal.ts';
import { keptName, keptNames } from './kept.ts';
import { primaryKeys } from './rows.ts';
import type { Step } from './step.ts';

export interface Unsent extends Keeper {
  /** Hands over what windows that are no more could not send, oldest first. */
  recover(take: (deed: Deed) => void): void;
  /** Whether anything of this person waits, in whatever window. */
  readonly any: boolean;
  /** Whether all of this window's deeds could be kept: the device may refuse. */
  readonly safe: boolean;
  close(): void;
}

export interface UnsentPorts {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;
  /** Not there on plain http: then whoever comes takes over; what is sent twice arrives once all the same. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  readonly window: string;
}

/** Raised when steps change shape. */
const format = 'unsent-1';

interface Kept {
  readonly label: string;
  readonly steps: readonly Step[];
}

export function openUnsent(userId: string, ports: UnsentPorts): Unsent {
  const { storage, locks } = ports;
  const everyone = keptName(userId, format, '');
  const prefixOf = (window: string): string => `${everyone}${window}:`;
  const names = new Map<Deed, string[]>();
  let unkept = 0;
  let counter = 0;
  let leave = (): void => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });

  const namesBelow = (prefix: string): string[] =>
    keptNames(storage, prefix).sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));

  /** `order`: the moment and turn of a deed that was kept before. */
  const write = (deed: Deed, order: string): void => {
    const name = prefixOf(ports.window) + order;
    const kept: Kept = { label: deed.label, steps: deed.steps.map(lean) };
    try {
      storage.setItem(name, JSON.stringify(kept));
    } catch {
      unkept++;
      names.set(deed, [...(names.get(deed) ?? []), '']);
      return;
    }
    names.set(deed, [...(names.get(deed) ?? []), name]);
  };

  const adopt = (window: string, take: (deed: Deed) => void): void => {
    for (const name of namesBelow(prefixOf(window))) {
      const deed = parse(storage.getItem(name));
      storage.removeItem(name);
      if (deed === null) continue;
      write(deed, orderOf(name));
      take(deed);
    }
  };

  locks?.request(prefixOf(ports.window), () => left).catch(() => undefined);

  return {
    keep(deed) {
      counter++;
      write(deed, `${String(Date.now()).padStart(15, '0')}.${String(counter).padStart(6, '0')}`);
    },
    drop(deed) {
      const [name, ...rest] = names.get(deed) ?? [];
      if (rest.length > 0) names.set(deed, rest);
      else names.delete(deed);
      if (name === '') unkept--;
      else if (name !== undefined) storage.removeItem(name);
    },
    recover(take) {
      const windows = new Set(namesBelow(everyone).map((name) => name.slice(everyone.length).split(':')[0] ?? ''));
      windows.delete(ports.window);
      for (const window of windows) {
        if (locks === undefined) adopt(window, take);
        else locks.request(prefixOf(window), () => adopt(window, take)).catch(() => undefined);
      }
    },
    get any() {
      return namesBelow(everyone).length > 0;
    },
    get safe() {
      return unkept === 0;
    },
    close: () => leave(),
  };
}

function orderOf(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1);
}

/** What sending needs, no more: of a row that goes, its name; of a change, what is new. */
function lean(step: Step): Step {
  if (step.kind === 'insert') return step;
  if (step.kind === 'update') return { ...step, before: {} } as Step;
  const row: Record<string, unknown> = {};
  for (const column of primaryKeys[step.table] as readonly string[])
    row[column] = (step.row as unknown as Record<string, unknown>)[column];
  return { ...step, row } as unknown as Step;
}

function parse(record: string | null): Deed | null {
  try {
    const { label, steps } = JSON.parse(record ?? '') as Kept;
    return { label, steps, silent: true };
  } catch {
    return null;
  }
}
