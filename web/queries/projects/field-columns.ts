// Values of all tasks of a project in some of its fields: fetched when a table shows, sorts by or groups by them, in one answer for all
// fields wanted at a moment, stored on this device, and followed as long as someone looks.

import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useSync } from '../../sync/react.tsx';
import { type FieldColumn, putColumns } from '../../sync/rows/field-columns.ts';
import { focusPause, type Source } from '../../sync/rows/refetch.ts';
import type { Sync } from '../../sync/sync.ts';

const nothing: FieldColumn = { numbers: [], values: [] };

/** One request for all that is wanted in the same moment. */
function openTogether<K, R>(work: (wanted: readonly K[]) => Promise<R>): (one: K) => Promise<R> {
  let open: { readonly wanted: K[]; readonly result: Promise<R> } | null = null;
  return (one) => {
    if (open === null) {
      const wanted: K[] = [];
      const result = Promise.resolve().then(() => {
        open = null;
        return work(wanted);
      });
      open = { wanted, result };
    }
    open.wanted.push(one);
    return open.result;
  };
}

interface ColumnLoader {
  /** Has the server's columns put into the store, all of one moment at once: whoever shows twenty is drawn again once. */
  readonly fetch: (fieldId: string) => Promise<ReadonlyMap<string, FieldColumn>>;
  /** The same of what this device remembers. Those that were of use. */
  readonly load: (one: { readonly fieldId: string; readonly wanted: () => boolean }) => Promise<ReadonlySet<string>>;
}

const loaders = new WeakMap<Sync, Map<string, ColumnLoader>>();

function loaderOf(sync: Sync, projectId: string): ColumnLoader {
  const byProject = loaders.get(sync) ?? new Map<string, ColumnLoader>();
  loaders.set(sync, byProject);
  const known = byProject.get(projectId);
  if (known) return known;
  const { store, memory } = sync;
  const loader: ColumnLoader = {
    fetch: openTogether(async (fieldIds) => {
      const since = store.now();
      const field_ids = [...new Set(fieldIds)];
      const answer = await sync.call('field_columns', { project_id: projectId, field_ids });
      const columns = new Map(field_ids.map((fieldId) => [fieldId, answer[fieldId] ?? nothing]));
      putColumns(store, projectId, columns, since);
      return columns;
    }),
    load: openTogether(async (some) => {
      const stored = await Promise.all(some.map(({ fieldId }) => memory.load(nameOf(fieldId))));
      const columns = new Map<string, FieldColumn>();
      some.forEach(({ fieldId, wanted }, at) => {
        const column = stored[at] as FieldColumn | null;
        if (column !== null && wanted() && !store.fieldColumns.has(fieldId)) columns.set(fieldId, column);
      });
      putColumns(store, projectId, columns, 0);
      return new Set(columns.keys());
    }),
  };
  byProject.set(projectId, loader);
  return loader;
}

const nameOf = (fieldId: string): string => `field ${fieldId}`;

function sourceOf(sync: Sync, projectId: string, fieldId: string): Source {
  const loader = loaderOf(sync, projectId);
  const name = nameOf(fieldId);
  let latest: FieldColumn | null = null;
  return {
    name,
    staysFresh: focusPause,
    about: { kind: 'fields', projectId },
    async fetch() {
      latest = (await loader.fetch(fieldId)).get(fieldId) ?? nothing;
    },
    load: async (wanted) => (await loader.load({ fieldId, wanted })).has(fieldId),
    async save() {
      if (latest !== null) await sync.memory.save(name, latest);
    },
    evict() {
      sync.store.fieldColumns.drop(fieldId);
      loaders.get(sync)?.delete(projectId);
    },
  };
}

/** Has them here while the component is there. `known`: all of them are, from the server or from this device. */
export function useFieldColumns(projectId: string, fieldIds: readonly string[]): { readonly known: boolean } {
  const sync = useSync();
  const { refetch } = sync;
  const named = fieldIds.join();
  const sources = useMemo(
    () => (named === '' ? [] : named.split(',')).map((fieldId) => sourceOf(sync, projectId, fieldId)),
    [sync, projectId, named],
  );
  useEffect(() => {
    const closes = sources.map((source) => refetch.open(source));
    return () => {
      for (const close of closes) close();
    };
  }, [refetch, sources]);
  const known = useSyncExternalStore(refetch.subscribe, () =>
    sources.every(({ name }) => refetch.state(name).phase !== 'empty'),
  );
  return { known };
}
