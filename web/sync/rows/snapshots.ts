// Snapshots of scopes on this device, so that a screen can show rows before the network answers. One record per person and scope; signing
// out deletes them all.

import { clear, createStore, get, set, type UseStore } from 'idb-keyval';
import type { Source } from './refetch.ts';
import type { ResultMemory } from './results.ts';
import type { AnyRow, Rows, TableName } from './rows.ts';
import { questionsOf, type Scope, scopeName } from './scopes.ts';
import type { Store } from './store.ts';

interface Snapshot {
  /** Raised when rows or results change shape; records of another are ignored. */
  readonly format: number;
  readonly tables: Partial<Record<TableName, AnyRow[]>>;
}

interface SavedResult {
  readonly format: number;
  readonly data: unknown;
}

const format = 2;

let records: UseStore | null = null;

function open(): UseStore {
  records ??= createStore('kanbase', 'snapshots');
  return records;
}

/** Private windows and full disks refuse storage; the app then simply starts from the network. */
async function quietly<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work();
  } catch {
    return otherwise;
  }
}

/** Everyone's: whoever signs out here may share the device. */
export async function forgetSnapshots(): Promise<void> {
  await quietly(() => clear(open()), undefined);
}

/** What this device remembers of one scope. */
export function snapshotOf(store: Store, userId: string, scope: Scope): Pick<Source, 'load' | 'save'> {
  const questions = questionsOf(scope).filter(({ isSaved }) => isSaved);
  const name = `${userId} ${scopeName(scope)}`;
  /** The versions of the tables when it was written. */
  let written = '';
  return {
    load: (wanted) =>
      quietly(async () => {
        const record = await get<Snapshot>(name, open());
        // Never over what the server has given meanwhile.
        if (record?.format !== format || !wanted()) return false;
        store.batch(() => {
          for (const { table } of questions)
            store.restore(table, (record.tables[table] ?? []) as Partial<Rows[typeof table]>[]);
        });
        return true;
      }, false),
    save: () =>
      quietly(async () => {
        const versions = questions.map(({ table }) => store.baseVersion(table)).join();
        // Thousands of rows are not copied again to say the same.
        if (written === versions) return;
        const tables: Partial<Record<TableName, AnyRow[]>> = {};
        for (const { table, isSaved } of questions)
          tables[table] = store.baseRows(table).filter((row) => isSaved?.(row, store));
        await set(name, { format, tables } satisfies Snapshot, open());
        written = versions;
      }, undefined),
  };
}

/** Beside them: results that are not rows. */
export function resultMemory(userId: string): ResultMemory {
  return {
    save: (name, data) =>
      quietly(() => set(`${userId} answer ${name}`, { format, data } satisfies SavedResult, open()), undefined),
    load: (name) =>
      quietly<unknown>(async () => {
        const saved = await get<SavedResult>(`${userId} answer ${name}`, open());
        return saved?.format === format ? (saved.data ?? null) : null;
      }, null),
  };
}
