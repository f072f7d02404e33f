// Recognises our own writes among live changes. Each comes twice: as the server's response and as a change like everybody's. Changes come
// in the order of their commits, responses when they come. So older changes of a written row are skipped until ours has passed; and a
// response that comes after its own change is ignored, for someone may have gone on from there.

import type { AnyRow, TableName } from '../rows/rows.ts';
import { isVersioned, keyOf } from '../rows/rows.ts';
import type { RowChange } from '../rows/store.ts';

export interface Echoes {
  /** Whether a change is to be kept. */
  admit(change: RowChange): boolean;
  /** What a response says anew; from now on its own changes are waited for. */
  respond(rows: readonly RowChange[]): readonly RowChange[];
  /** Whether the change of this row, as a response told of it, has come before the response. */
  isPast(table: TableName, key: string, rows: readonly RowChange[]): boolean;
  /** Something may have been missed: nothing is waited for any more. */
  forget(): void;
  /** From time to time: what did not come is not waited for any longer. */
  sweep(): void;
}

/** Milliseconds after which a change of ours that was passed over, or did not come, is not waited for any longer. */
const patience = 10_000;
/** Milliseconds for which it is known which changes came. */
const memory = 30_000;

interface EchoPorts {
  readonly clock: () => number;
  /** Changes come at all. */
  readonly isFollowing: () => boolean;
  /** The row as the server last gave it. */
  readonly base: (table: TableName, key: string) => AnyRow | undefined;
  /** One that was waited for did not come: what is shown may be old. */
  readonly onLost: () => void;
}

interface Awaited {
  readonly version: string;
  readonly until: number;
  readonly versioned: boolean;
  passed: boolean;
}

export function openEchoes({ clock, isFollowing, base, onLost }: EchoPorts): Echoes {
  const awaited = new Map<string, Awaited>();
  /** By name, the versions that came and when. */
  const came = new Map<string, Map<string, number>>();

  function sweep(): void {
    const now = clock();
    let lost = false;
    for (const [name, one] of awaited) {
      if (one.until > now) continue;
      awaited.delete(name);
      lost ||= one.passed || !one.versioned;
    }
    for (const [name, versions] of came) {
      for (const [version, at] of versions) if (at + memory < now) versions.delete(version);
      if (versions.size === 0) came.delete(name);
    }
    if (lost) onLost();
  }

  return {
    sweep,
    admit(change) {
      const name = nameOf(change);
      const version = versionOf(change);
      // What only comes and goes is as it was last heard of.
      const versions = (isVersioned(change.table) && came.get(name)) || new Map<string, number>();
      // It is here again: its end, if that comes once more, is another one.
      if (version !== 'gone') versions.delete('gone');
      came.set(name, versions.set(version, clock()));
      const own = awaited.get(name);
      if (own === undefined) return true;
      if (own.version === version || own.until <= clock()) {
        awaited.delete(name);
        return true;
      }
      own.passed = true;
      return false;
    },
    respond(rows) {
      const fresh = rows.filter((change) => !came.get(nameOf(change))?.has(versionOf(change)));
      if (isFollowing())
        for (const change of fresh) {
          const held = base(change.table, keyOfChange(change));
          // It was so before: nothing was written, and no change will come.
          if (versionOf(change) === versionOfRow(held)) continue;
          awaited.set(nameOf(change), {
            version: versionOf(change),
            until: clock() + patience,
            versioned: isVersioned(change.table),
            passed: false,
          });
        }
      return fresh;
    },
    isPast: (table, key, rows) =>
      rows.some(
        (change) =>
          change.table === table && keyOfChange(change) === key && came.get(nameOf(change))?.has(versionOf(change)),
      ),
    forget() {
      awaited.clear();
      came.clear();
    },
  };
}

export function keyOfChange(change: RowChange): string {
  return 'gone' in change ? change.gone : keyOf(change.table, change.row as Partial<AnyRow>);
}

const nameOf = (change: RowChange): string => `${change.table} ${keyOfChange(change)}`;
const versionOf = (change: RowChange): string => ('gone' in change ? 'gone' : versionOfRow(change.row));

/** Rows without `updated_at` do not change: they are there or not. */
function versionOfRow(row: object | undefined): string {
  if (row === undefined) return 'gone';
  return 'updated_at' in row ? String(row.updated_at) : 'here';
}
