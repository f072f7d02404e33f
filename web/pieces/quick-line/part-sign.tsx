// Sign of a part of a quick line: a person's face, a label's dot, a priority's mark, a calendar.

import { CalendarDays } from 'lucide-react';
import type { LinePart, LineWords } from '../../queries/tasks/read-task-line.ts';
import type { Priority } from '../../queries.ts';
import { Avatar } from '../../ui/avatar.tsx';
import marksStyles from '../task-badges.module.css';
import { PriorityMark } from '../task-badges.tsx';
import styles from './quick-line.module.css';

export function PartSign({ part: { kind, is }, words }: { part: Pick<LinePart, 'kind' | 'is'>; words: LineWords }) {
  if (kind === 'priority') return <PriorityMark priority={is as Priority} />;
  if (kind === 'due') return <CalendarDays size={13} aria-hidden="true" />;
  if (kind === 'assignee') {
    const person = words.people.find((one) => one.userId === is);
    return <Avatar name={person?.name ?? ''} url={person?.avatarUrl ?? null} seed={is} size={20} />;
  }
  const label = words.labels.find((one) => one.id === is);
  return (
    <span className={`${marksStyles.labelDot} ${styles.dot}`} style={{ background: label?.color ?? 'var(--edge)' }} />
  );
}
