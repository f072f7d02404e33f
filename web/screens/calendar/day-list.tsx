// All tasks of one day, in a small panel over it.

import type { TaskRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { useFirstOnes } from '../../ui/lists/show-all.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import { DayItem } from '../planning/day-item.tsx';
import { type PlanContext, sayWhole } from '../planning/plan-context.ts';
import styles from './task-calendar.module.css';

interface DayListProps {
  readonly day: string;
  readonly tasks: readonly TaskRow[];
  readonly planContext: PlanContext;
  readonly there: HTMLElement;
  readonly onClose: () => void;
}

export function DayList({ day, tasks, planContext, there, onClose }: DayListProps) {
  const { shown, list, more } = useFirstOnes(tasks, 50);
  return (
    <Popover trigger={{ there }} label={sayWhole(day)} open onOpenChange={(open) => !open && onClose()}>
      <div className={styles.dayList} data-day-list>
        <h3>{sayWhole(day)}</h3>
        <ul ref={list} tabIndex={-1} aria-label={t('calendar.tasksOf', { day: sayWhole(day) })}>
          {shown.map((task) => (
            <DayItem key={task.id} task={task} planContext={planContext} onOpen={onClose} />
          ))}
        </ul>
        {more}
      </div>
    </Popover>
  );
}
