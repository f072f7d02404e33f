// Edits the tree of a filter: adds, removes and joins conditions. Groups have at least two parts, except the root.

import { type Condition, type Group, groupLike, isGroup, type Part, partsOf } from '../../../../contract/views.ts';

/** Which part of which group, from the whole inwards; empty: the whole. */
export type Path = readonly number[];

export function partAt(filter: Group, path: Path): Part | undefined {
  return path.reduce<Part | undefined>((part, at) => (part && isGroup(part) ? partsOf(part)[at] : undefined), filter);
}

/** With another part there, or without one. */
export function putPart(filter: Group, path: Path, part: Part | null): Group {
  const put = within(filter, path, part);
  return put === null ? { all: [] } : isGroup(put) ? put : { all: [put] };
}

function within(group: Part, path: Path, part: Part | null): Part | null {
  const [at, ...deeper] = path;
  if (at === undefined || !isGroup(group)) return part;
  const parts = partsOf(group).flatMap((one, place) => (place === at ? (within(one, deeper, part) ?? []) : one));
  return parts.length > 1 ? groupLike(group, parts) : (parts[0] ?? null);
}

/** At the end of a group; a single part, which is no group yet, becomes one of `join`. */
export function addPart(filter: Group, path: Path, part: Part, join: 'all' | 'any' = 'all'): Group {
  const there = partAt(filter, path);
  if (there === undefined) return filter;
  if (isGroup(there)) return putPart(filter, path, groupLike(there, [...partsOf(there), part]));
  return putPart(filter, path, join === 'all' ? { all: [there, part] } : { any: [there, part] });
}

/** What is added narrows all that is there, also where that is "or". */
export function narrowed(filter: Group, parts: readonly Part[]): Group {
  return { all: 'any' in filter && filter.any.length > 1 ? [filter, ...parts] : [...partsOf(filter), ...parts] };
}

/** "And" becomes "or", and the other way round. */
export function turnJoin(filter: Group, path: Path): Group {
  const there = partAt(filter, path);
  if (there === undefined || !isGroup(there)) return filter;
  return putPart(filter, path, 'all' in there ? { any: there.all } : { all: there.any });
}

// ── the words that are typed beside the chips ────────────────────────────────

const isTyped = (part: Part): part is Condition => !isGroup(part) && part.property === 'text';

/** Where in the whole the typed words are; -1: nowhere. */
export function typedAt(filter: Group): number {
  return 'all' in filter ? filter.all.findIndex(isTyped) : -1;
}

export function typedIn(filter: Group): string {
  const part = partsOf(filter)[typedAt(filter)];
  return part && isTyped(part) ? String(part.value) : '';
}

export function putTyped(filter: Group, words: string): Group {
  const at = typedAt(filter);
  const typed: Condition | null = words.trim() === '' ? null : { property: 'text', is: 'contains', value: words };
  if (at >= 0) return putPart(filter, [at], typed);
  if (typed === null) return filter;
  return 'all' in filter ? { all: [typed, ...filter.all] } : { all: [typed, filter] };
}
