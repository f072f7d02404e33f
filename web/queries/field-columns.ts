// What all tasks of a project hold in some of its fields: asked for when a table shows, sorts by or groups by them, in one answer for all
// that are wanted in a moment, kept on this device, and followed as long as someone looks.

import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { FieldColumn } from '../sync/field-columns.ts';
import { useSync } from '../sync/react.tsx';
import { focusPause, type Source } from '../sync/refetch.ts';
import type { Sync } from '../sync/sync.ts';

const nothing: FieldColumn = { numbers: [], values: [] };

type Columns = Readonly<Record<string, FieldColumn>>;

/** What is asked for in the same moment, by project. */
const asked = new WeakMap<Sync, Map<string, { readonly fieldIds: Set<string>; readonly columns: Promise<Columns> }>>();

function askTogether(sync: Sync, projectId: string, fieldId: string): Promise<Columns> {
  const byProject = asked.get(sync) ?? new Map();
  asked.set(sync, byProject);
  const open = byProject.get(projectId);
  if (open) {
    open.fieldIds.add(fieldId);
    return open.columns;
  }
  const fieldIds = new Set([fieldId]);
  const columns = Promise.resolve().then(() => {
    byProject.delete(projectId);
    return sync.call('field_columns', { project_id: projectId, field_ids: [...fieldIds] });
  });
  byProject.set(projectId, { fieldIds, columns });
  return columns;
}

function sourceOf(sync: Sync, projectId: string, fieldId: string): Source {
  const { store, memory } = sync;
  const name = `field ${fieldId}`;
  let latest: FieldColumn | null = null;
  return {
    name,
    staysFresh: focusPause,
    about: { kind: 'fields', projectId },
    async fetch() {
      const since = store.now();
      const column = (await askTogether(sync, projectId, fieldId))[fieldId] ?? nothing;
      latest = column;
      store.putColumn(projectId, fieldId, column, since);
    },
    async load(wanted) {
      const column = (await memory.load(name)) as FieldColumn | null;
      if (column === null || !wanted() || store.hasColumn(fieldId)) return false;
      store.putColumn(projectId, fieldId, column, 0);
      return true;
    },
    async save() {
      if (latest !== null) await memory.save(name, latest);
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
