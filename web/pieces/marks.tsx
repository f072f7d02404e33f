// Small signs for tasks that several screens share: priority, column kind, label, due day.

import { CalendarDays, ChevronUp } from 'lucide-react';
import { dueState, sayDay } from '../queries/days.ts';
import { useToday } from '../queries/today.ts';
import { words } from '../strings/words.ts';
import type { ColumnKind, Priority } from '../sync/rows.ts';
import './marks.css';

export function PriorityMark({ priority, named = false }: { priority: Priority; named?: boolean }) {
  const name = words.common.priorities[priority];
  return (
    <span className={`priority priority-${priority}`} title={named ? undefined : name}>
      {priority === 'p0' ? (
        <span className="priority-sign" aria-hidden="true">
          !
        </span>
      ) : priority === 'p1' ? (
        <ChevronUp size={14} strokeWidth={2.5} className="priority-sign" aria-hidden="true" />
      ) : (
        <span className="priority-sign" aria-hidden="true" />
      )}
      <span className={named ? '' : 'only-spoken'}>{name}</span>
    </span>
  );
}

/** How far a column is along: an empty, half or full ring. */
export function KindMark({ kind, color }: { kind: ColumnKind; color?: string | null }) {
  return (
    <svg
      className={`kind kind-${kind}`}
      viewBox="0 0 16 16"
      width="14"
      height="14"
      aria-hidden="true"
      {...(color ? { style: { color } } : {})}
    >
      <circle
        cx="8"
        cy="8"
        r="6.25"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        {...(kind === 'backlog' ? { strokeDasharray: '2.4 2.5' } : {})}
      />
      {kind === 'in_progress' && <path d="M8 4.5a3.5 3.5 0 0 1 0 7z" fill="currentColor" />}
      {kind === 'custom' && <circle cx="8" cy="8" r="2.25" fill="currentColor" />}
      {kind === 'done' && (
        <>
          <circle cx="8" cy="8" r="6.5" fill="currentColor" />
          <path
            d="m5.2 8.2 2 2 3.7-4"
            fill="none"
            stroke="var(--surface)"
            strokeWidth="1.75"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </>
      )}
    </svg>
  );
}

export function LabelChip({ name, color }: { name: string; color: string | null }) {
  return (
    <span className="label-chip">
      <span className="label-dot" style={{ background: color ?? 'var(--edge)' }} />
      <span className="label-words">{name}</span>
    </span>
  );
}

export function DueMark({ due, completed }: { due: string; completed: string | null }) {
  const state = dueState(due, completed, useToday());
  const day = sayDay(due);
  const spoken =
    state === 'overdue' ? words.board.overdue(day) : state === 'today' ? words.board.dueToday : words.board.due(day);
  return (
    <span className={`due due-${state}`} title={spoken}>
      <CalendarDays size={13} aria-hidden="true" />
      <span aria-hidden="true">{day}</span>
      <span className="only-spoken">{spoken}</span>
    </span>
  );
}
