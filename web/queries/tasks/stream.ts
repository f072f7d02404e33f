// Stream of a task: its threads and the history between them, oldest first. Changes that one person makes within minutes are one run.

import type { ActivityRow } from '../../sync/rows/rows.ts';
import { programOf } from '../people/name-through.ts';
import type { Thread } from './comments.ts';
import { joinedChange, pause } from './description-versions.ts';

export const streamFilters = ['all', 'comments', 'history'] as const;
export type StreamFilter = (typeof streamFilters)[number];

/** A run has at least one line. */
export type StreamItem =
  | { readonly kind: 'thread'; readonly at: string; readonly thread: Thread }
  | { readonly kind: 'run'; readonly at: string; readonly lines: readonly ActivityRow[] };

/** Said by the comments themselves, where these are shown. */
const ofComments: readonly string[] = ['commented', 'comment_edited'];

/** `lines` newest first. */
export function streamOf(
  threads: readonly Thread[],
  lines: readonly ActivityRow[],
  filter: StreamFilter,
): readonly StreamItem[] {
  const items: StreamItem[] = [];
  if (filter !== 'history')
    for (const thread of threads) items.push({ kind: 'thread', at: thread.first.created_at, thread });
  if (filter !== 'comments')
    for (const line of [...lines].reverse())
      if (filter === 'history' || !ofComments.includes(line.kind))
        items.push({ kind: 'run', at: line.created_at, lines: [line] });
  items.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const stream: StreamItem[] = [];
  for (const item of items) {
    const before = stream.at(-1);
    const run = item.kind === 'run' && before?.kind === 'run' ? joined(before.lines, item.lines) : null;
    if (run === null) stream.push(item);
    else stream.splice(-1, 1, { kind: 'run', at: item.at, lines: run });
  }
  return stream;
}

/** Null: they are two runs. */
function joined(run: readonly ActivityRow[], next: readonly ActivityRow[]): readonly ActivityRow[] | null {
  const [last, first] = [run.at(-1), next[0]];
  if (last === undefined || first === undefined || last.actor_id !== first.actor_id) return null;
  if (programOf(last.program)?.sub !== programOf(first.program)?.sub) return null;
  if (Date.parse(first.created_at) - Date.parse(last.created_at) > pause) return null;
  // A text that is saved again and again is one change.
  const description = ofOneColumn(last) && ofOneColumn(first) ? joinedChange(last, first) : null;
  if (description === null) return [...run, ...next];
  return [...run.slice(0, -1), { ...first, change: { description: { ...description } } }, ...next.slice(1)];
}

const ofOneColumn = ({ change }: ActivityRow): boolean => Object.keys(change ?? {}).length === 1;

/** With the newest runs alone, where there are more; comments are never left out. */
export function newestOf(stream: readonly StreamItem[], most: number): readonly StreamItem[] {
  let left = stream.filter(({ kind }) => kind === 'run').length - most;
  return stream.filter(({ kind }) => kind === 'thread' || left-- <= 0);
}
