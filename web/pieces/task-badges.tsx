// Badges of tasks: priority, column kind, label, due day.

import { CalendarDays, ChevronUp } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { dueState, sayDay } from '../queries/days/days.ts';
import { useToday } from '../queries/days/today.ts';
import type { ColumnKind, Priority } from '../queries.ts';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { capital } from '../ui/capital.ts';
import styles from './task-badges.module.css';

export function PriorityMark({ priority, named = false }: { priority: Priority; named?: boolean }) {
  const name = t(`common.priorities.${priority}`);
  return (
    <span
      className={`${shapes.inlineS3} ${shapes.rigid} ${styles[`priority${capital(priority)}`]}`}
      title={named ? undefined : name}
    >
      {priority === 'p0' ? (
        <span className={styles.prioritySign} aria-hidden="true">
          !
        </span>
      ) : priority === 'p1' ? (
        <ChevronUp size={14} strokeWidth={2.5} className={styles.prioritySign} aria-hidden="true" />
      ) : (
        <span className={styles.prioritySign} aria-hidden="true" />
      )}
      <span className={named ? '' : 'only-spoken'}>{name}</span>
    </span>
  );
}

/** How far a column is along: an empty, half or full ring. */
export function KindMark({ kind, color }: { kind: ColumnKind; color?: string | null }) {
  return (
    <svg
      className={`${shapes.quiet} ${kind === 'in_progress' || kind === 'done' || kind === 'custom' ? styles[`kind${capital(kind)}`] : ''}`}
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

/** A project by its colour alone, beside its name. */
export function ProjectDot({ color }: { color: string | null }) {
  return <span className={styles.dot} style={{ '--hue': color ?? 'var(--accent)' } as CSSProperties} />;
}

/** A project on its own colour: its key, or its name where there is room. */
export function ProjectBadge({
  color,
  title,
  className = '',
  children,
}: {
  color: string | null;
  title?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <span
      className={`${styles.projectBadge} ${className}`}
      style={{ '--hue': color ?? 'var(--accent)' } as CSSProperties}
      title={title}
    >
      {children}
    </span>
  );
}

export function LabelChip({ name, color, className = '' }: { name: string; color: string | null; className?: string }) {
  return (
    <span
      className={`${shapes.inlineS2} ${shapes.softXs} ${shapes.chip} ${shapes.bordered} ${shapes.slim} ${shapes.within} ${styles.labelChip} ${className}`}
    >
      <span className={styles.labelDot} style={{ background: color ?? 'var(--edge)' }} />
      <span className={shapes.words}>{name}</span>
    </span>
  );
}

export function DueMark({
  due,
  completed,
  className = '',
}: {
  due: string;
  completed: string | null;
  className?: string;
}) {
  const state = dueState(due, completed, useToday());
  const day = sayDay(due);
  const spoken =
    state === 'overdue'
      ? t('board.overdue', { date: day })
      : state === 'today'
        ? t('board.dueToday')
        : t('board.due', { date: day });
  return (
    <span
      className={`${shapes.inlineS2} ${shapes.quietXs} ${styles.due} ${state === 'later' || state === 'done' ? '' : styles[`due${capital(state)}`]} ${className}`}
      title={spoken}
    >
      <CalendarDays size={13} aria-hidden="true" />
      <span aria-hidden="true">{day}</span>
      <span className="only-spoken">{spoken}</span>
    </span>
  );
}
