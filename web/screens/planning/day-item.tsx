// A task in a list of a day, of the agenda or of the unscheduled.

import type { CSSProperties, KeyboardEvent, PointerEvent } from 'react';
import { RecurrenceMark } from '../../pieces/recurrence-mark.tsx';
import { PriorityMark } from '../../pieces/task-badges.tsx';
import { recurrenceOf } from '../../queries/tasks/recurrences.ts';
import { assigneesOf, type TaskRow, useQuery } from '../../queries.ts';
import shapes from '../../styles/shapes.module.css';
import avatarStyles from '../../ui/avatar.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { latinKey } from '../../ui/latin-key.ts';
import { RowLink } from '../../ui/lists/row-link.tsx';
import styles from './day-item.module.css';
import { type PlanContext, saySpan } from './plan-context.ts';
import { stateOf } from './task-appearance.ts';

/** From task to task of the same list, over the heads between. */
export function goByArrows(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[latinKey(event)];
  if (step === undefined || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return;
  const room = event.currentTarget.closest('[data-day-list]');
  const links = [...(room?.querySelectorAll<HTMLElement>('[data-task-id]') ?? [])];
  const next = links[links.indexOf(event.currentTarget) + step];
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}

interface DayItemProps {
  readonly task: TaskRow;
  readonly planContext: PlanContext;
  /** Which days it lies on is not to be seen where it stands. */
  readonly withDays?: boolean;
  readonly onOpen?: () => void;
  readonly onPointerDown?: (event: PointerEvent) => void;
}

export function DayItem({ task, planContext, withDays = false, onOpen, onPointerDown }: DayItemProps) {
  const people = useQuery(assigneesOf, task.id);
  const again = useQuery(recurrenceOf, task.id) !== null;
  return (
    <li>
      <RowLink
        className={`${shapes.rowS3} ${shapes.press} ${shapes.ringedInside} ${shapes.linkInk} ${shapes.still} ${styles.item}`}
        href={planContext.hrefOf(task)}
        data-task-id={task.id}
        data-state={stateOf(planContext, task)}
        style={{ '--hue': planContext.colourOf(task) } as CSSProperties}
        draggable={false}
        onKeyDown={goByArrows}
        onClickCapture={onOpen}
        onPointerDown={onPointerDown}
      >
        <span className={`${shapes.rowS3} ${shapes.fill} numbers`} aria-hidden="true">
          <span className={`${shapes.quietXs} ${shapes.rigid}`}>{planContext.keyOf(task)}</span>
          <span className={`${shapes.words} ${shapes.fill} ${styles.itemTitle}`}>{task.title}</span>
          {withDays && <span className={`${shapes.softXs} ${shapes.rigid}`}>{saySpan(task)}</span>}
        </span>
        <span className="only-spoken">{planContext.nameOf(task)}</span>
        {again && <RecurrenceMark />}
        {task.priority !== 'p2' && <PriorityMark priority={task.priority} />}
        {people.length > 0 && (
          <span className={avatarStyles.avatars}>
            {people.slice(0, 3).map(({ userId, name, avatarUrl }) => (
              <Avatar key={userId} name={name} url={avatarUrl} seed={userId} size={20} />
            ))}
          </span>
        )}
      </RowLink>
    </li>
  );
}
