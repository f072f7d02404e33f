// All tasks of one day, in a small panel over it.

import { useRef, useState } from 'react';
import type { TaskRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { ShowAll } from '../../ui/lists/show-all.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import { DayItem } from '../planning/day-item.tsx';
import { type PlanContext, sayWhole } from '../planning/plan-context.ts';
import styles from './task-calendar.module.css';

/** More are shown when asked for. */
const firstOnes = 50;

interface DayListProps {
  readonly day: string;
  readonly tasks: readonly TaskRow[];
  readonly planContext: PlanContext;
  readonly there: HTMLElement;
  readonly onClose: () => void;
}

export function DayList({ day, tasks, planContext, there, onClose }: DayListProps) {
  const [whole, setWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  return (
    <Popover trigger={{ there }} label={sayWhole(day)} open onOpenChange={(open) => !open && onClose()}>
      <div className={styles.dayList} data-day-list>
        <h3>{sayWhole(day)}</h3>
        <ul ref={list} tabIndex={-1} aria-label={t('calendar.tasksOf', { day: sayWhole(day) })}>
          {tasks.slice(0, whole ? tasks.length : firstOnes).map((task) => (
            <DayItem key={task.id} task={task} planContext={planContext} onOpen={onClose} />
          ))}
        </ul>
        {!whole && tasks.length > firstOnes && (
          <ShowAll list={list} onShow={() => setWhole(true)}>
            {t('common.showAll', { n: tasks.length })}
          </ShowAll>
        )}
      </div>
    </Popover>
  );
}
