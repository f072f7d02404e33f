// Finds the place of a line dropped between two others of an outline: beside the one above it, or as its first subtask where the next line
// is one.

import type { OutlineLine } from '../../queries.ts';

/** `index`: its place among all the other lines. Null: into its own parts, where it cannot go. */
export function placeInOutline(
  lines: readonly OutlineLine[],
  outerId: string,
  id: string,
  index: number,
): { readonly parentId: string; readonly index: number } | null {
  const from = lines.findIndex((line) => line.task.id === id);
  const moved = lines[from];
  if (moved === undefined) return null;
  const after = lines.findIndex((line, at) => at > from && line.depth <= moved.depth);
  const end = after < 0 ? lines.length : after;
  const others = lines.filter((_, at) => at < from || at >= end);
  // Counted among all lines but this one; what is under it travels along.
  const place = index <= from ? index : index - (end - from - 1);
  if (place < from && index > from) return null;
  const above = others[place - 1];
  const below = others[place];
  if (above === undefined) return { parentId: outerId, index: 0 };
  if (below !== undefined && below.depth > above.depth) return { parentId: above.task.id, index: 0 };
  // As deep as it was, as far as the lines around it allow.
  const depth = Math.min(above.depth, Math.max(below?.depth ?? 0, moved.depth));
  const beside = others.slice(0, place).findLast((line) => line.depth === depth) ?? above;
  const siblings = others.filter((line) => line.task.parent_id === beside.task.parent_id);
  return { parentId: beside.task.parent_id ?? outerId, index: siblings.indexOf(beside) + 1 };
}
