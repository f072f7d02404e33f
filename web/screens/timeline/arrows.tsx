// Arrows of dependencies, from the end of a bar to the start of another: red where the second begins too early. Only visible ones are
// drawn; pressing one shows its details.

import { type MouseEvent, memo, useMemo } from 'react';
import { daysTooEarly } from '../../queries/views/schedule.ts';
import type { Span } from '../../queries/views/spans.ts';
import type { DependencyRow } from '../../queries.ts';
import type { Held } from '../planning/use-schedule-drag.ts';
import styles from './arrows.module.css';
import { boxOf, type Geometry, type Shown } from './geometry.ts';
import type { Line, TaskLine } from './lines.ts';

/** How far an arrow goes on before it turns, and how large its head is. */
const gap = 9;
const tip = 5;

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface ArrowsProps {
  readonly lines: readonly Line[];
  readonly links: readonly DependencyRow[];
  readonly critical: ReadonlySet<string>;
  readonly geo: Geometry;
  readonly shown: Shown;
  readonly held: Held | null;
  /** The successor of the one that is pressed. */
  readonly onOpen: (taskId: string, event: MouseEvent) => void;
}

interface Place {
  readonly line: TaskLine;
  readonly at: number;
}

/** Where a task stands; one in several groups is linked where it stands first. */
export function placesOf(lines: readonly Line[]): Map<string, Place> {
  const places = new Map<string, Place>();
  lines.forEach((line, at) => {
    if (line.kind === 'task' && !places.has(line.task.id)) places.set(line.task.id, { line, at });
  });
  return places;
}

interface Drawn {
  readonly path: string;
  readonly head: string;
}

/** Right, down or up, and right again; from above or below where there is hardly any room, around both where there is none. */
function draw(from: Point, to: Point, { line, bar }: Geometry): Drawn {
  const head = `M${to.x} ${to.y}l${-tip - 1} ${-tip}v${2 * tip}z`;
  const room = to.x - from.x;
  if (room >= 2 * gap) return { path: `M${from.x} ${from.y}h${gap}V${to.y}H${to.x}`, head };
  if (room >= 0) {
    const down = to.y > from.y ? 1 : -1;
    const end = { x: to.x + tip + 1, y: to.y - (down * bar) / 2 };
    return {
      path: `M${from.x} ${from.y}H${end.x}V${end.y}`,
      head: `M${end.x} ${end.y}l${-tip} ${-down * (tip + 1)}h${2 * tip}z`,
    };
  }
  const between = from.y + (to.y > from.y ? line / 2 : -line / 2);
  return { path: `M${from.x} ${from.y}h${gap}V${between}H${to.x - gap}V${to.y}H${to.x}`, head };
}

export const Arrows = memo(function Arrows({ lines, links, critical, geo, shown, held, onOpen }: ArrowsProps) {
  const places = useMemo(() => placesOf(lines), [lines]);
  const spanAt = ({ line }: Place): Span => (held?.task.id === line.task.id && held.span) || line.span;
  const middle = (at: number): number => at * geo.line + geo.barTop + geo.bar / 2;
  const drawn = links.flatMap((link) => {
    const before = places.get(link.predecessor_id);
    const after = places.get(link.successor_id);
    if (before === undefined || after === undefined) return [];
    if (Math.min(before.at, after.at) > shown.toLine || Math.max(before.at, after.at) < shown.fromLine) return [];
    const [first, second] = [spanAt(before), spanAt(after)];
    if (Math.min(first.to, second.from) > shown.toDay || Math.max(first.to, second.from) < shown.fromDay) return [];
    const [one, other] = [boxOf(geo, first), boxOf(geo, second)];
    const to = { x: other.left, y: middle(after.at) };
    const open = before.line.task.completed_at === null && after.line.task.completed_at === null;
    return [
      {
        link,
        ...draw({ x: one.left + one.width, y: middle(before.at) }, to, geo),
        early: open && daysTooEarly(first, second, link.lag_days) > 0,
        critical: critical.has(link.predecessor_id) && critical.has(link.successor_id),
      },
    ];
  });
  return (
    <svg className={styles.arrows} aria-hidden="true" width="1" height="1">
      {drawn.map(({ link, path, head, early, critical: onPath }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer alone; the key of a bar opens the same
        <g
          key={link.id}
          className={styles.arrow}
          data-arrow={link.id}
          data-early={early || undefined}
          data-critical={onPath || undefined}
          onClick={(event) => onOpen(link.successor_id, event)}
        >
          <path className={styles.wide} d={path} />
          <path className={styles.stroke} d={path} />
          <path className={styles.head} d={head} />
        </g>
      ))}
    </svg>
  );
});
