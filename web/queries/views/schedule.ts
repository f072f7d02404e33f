// Schedule of dependent tasks: those that begin too early, those that move along with another, and the critical path. A task begins at the
// earliest on the day after its predecessor's end, and as many days later as its lag says.

import type { DependencyRow } from '../../sync/rows/rows.ts';
import type { Span } from './spans.ts';

export type Link = Pick<DependencyRow, 'id' | 'predecessor_id' | 'successor_id' | 'lag_days'>;

/** Days a task begins too early for what it waits for; 0: it does not. */
export function daysTooEarly(before: Span, after: Span, lag: number): number {
  return Math.max(0, before.to + 1 + lag - after.from);
}

/** All that wait for a task, and what waits for them, each once and the task itself not. */
export function waitingFor(links: readonly Link[], taskId: string): string[] {
  const next = new Map<string, string[]>();
  for (const { predecessor_id, successor_id } of links)
    next.set(predecessor_id, [...(next.get(predecessor_id) ?? []), successor_id]);
  const seen = new Set([taskId]);
  const waiting = [taskId];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop())
    for (const after of next.get(id) ?? [])
      if (!seen.has(after)) {
        seen.add(after);
        waiting.push(after);
      }
  seen.delete(taskId);
  return [...seen];
}

/**
 * The tasks of which a day lost is a day lost for the whole: forward for the earliest days everything can have, none before the days it is
 * planned on, then back from the last day of all for the latest. What lies in a circle, which the database refuses, is passed over.
 */
export function criticalPath(spans: ReadonlyMap<string, Span>, links: readonly Link[]): Set<string> {
  const known = links.filter(
    ({ predecessor_id, successor_id }) => spans.has(predecessor_id) && spans.has(successor_id),
  );
  const after = new Map<string, Link[]>();
  const open = new Map<string, number>([...spans.keys()].map((id) => [id, 0]));
  for (const link of known) {
    const some = after.get(link.predecessor_id);
    if (some) some.push(link);
    else after.set(link.predecessor_id, [link]);
    open.set(link.successor_id, (open.get(link.successor_id) ?? 0) + 1);
  }
  /** Each after all it waits for. */
  const order = [...open].filter(([, count]) => count === 0).map(([id]) => id);
  const ends = new Map<string, number>();
  const begins = new Map<string, number>();
  for (const id of order) {
    const span = spans.get(id);
    if (span === undefined) continue;
    const end = Math.max(span.from, begins.get(id) ?? span.from) + span.to - span.from;
    ends.set(id, end);
    for (const { successor_id, lag_days } of after.get(id) ?? []) {
      begins.set(successor_id, Math.max(begins.get(successor_id) ?? Number.NEGATIVE_INFINITY, end + 1 + lag_days));
      const left = (open.get(successor_id) ?? 0) - 1;
      open.set(successor_id, left);
      if (left === 0) order.push(successor_id);
    }
  }
  const last = Math.max(...ends.values());
  const critical = new Set<string>();
  const latest = new Map<string, number>();
  for (const id of order.toReversed()) {
    let end = last;
    for (const { successor_id, lag_days } of after.get(id) ?? []) {
      const span = spans.get(successor_id);
      const theirs = latest.get(successor_id);
      if (span === undefined || theirs === undefined) continue;
      end = Math.min(end, theirs - (span.to - span.from) - 1 - lag_days);
    }
    latest.set(id, end);
    if ((ends.get(id) ?? Number.NEGATIVE_INFINITY) >= end) critical.add(id);
  }
  return critical;
}
