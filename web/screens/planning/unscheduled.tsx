// Open tasks without a day: dragged from here onto one, or given one by the key for due dates; dragged back here they have none again.

import { useVirtualizer } from '@tanstack/react-virtual';
import { X } from 'lucide-react';
import { type RefObject, useRef } from 'react';
import type { TaskRow } from '../../queries.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../../ui/button.tsx';
import { useRem } from '../../ui/use-rem.ts';
import { DayItem } from './day-item.tsx';
import type { PlanContext } from './plan-context.ts';
import styles from './unscheduled.module.css';
import type { ScheduleDrag } from './use-schedule-drag.ts';

interface UnscheduledProps {
  readonly room: RefObject<HTMLElement | null>;
  readonly tasks: readonly TaskRow[];
  readonly planContext: PlanContext;
  readonly drag: ScheduleDrag;
  readonly onClose: () => void;
}

export function Unscheduled({ room, tasks, planContext, drag, onClose }: UnscheduledProps) {
  const list = useRef<HTMLUListElement>(null);
  const rem = useRem();
  const virtualizer = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => list.current,
    estimateSize: () => 2.25 * rem,
    getItemKey: (at) => tasks[at]?.id ?? at,
    overscan: 6,
  });
  return (
    <section
      className={`${shapes.column} ${shapes.onScreen} ${shapes.paper} ${styles.unscheduled}`}
      ref={room}
      aria-label={t('planning.unscheduledTasks')}
      data-unscheduled
      data-over={(drag.held !== null && drag.held.span === null && drag.held.dates !== null) || undefined}
    >
      <div className={`${shapes.rowS3} ${styles.unscheduledHead}`}>
        <h2>{t('planning.unscheduledTasks')}</h2>
        <span className="numbers">{sayNumber(tasks.length)}</span>
        <IconButton label={t('planning.hideUnscheduled')} onClick={onClose}>
          <X size={16} />
        </IconButton>
      </div>
      <p className={`${shapes.quietXs} ${styles.unscheduledWords}`}>
        {tasks.length === 0
          ? t('planning.nothingUnscheduled')
          : planContext.canWrite
            ? t('planning.unscheduledHint')
            : null}
      </p>
      <ul ref={list} className={`${shapes.fillDown} ${styles.unscheduledList}`} data-day-list>
        <li aria-hidden="true" style={{ height: virtualizer.getVirtualItems()[0]?.start ?? 0 }} />
        {virtualizer.getVirtualItems().map(({ index, key }) => {
          const task = tasks[index];
          return (
            task && <DayItem key={key} task={task} planContext={planContext} onPointerDown={drag.take(task, 'whole')} />
          );
        })}
        <li
          aria-hidden="true"
          style={{ height: virtualizer.getTotalSize() - (virtualizer.getVirtualItems().at(-1)?.end ?? 0) }}
        />
      </ul>
    </section>
  );
}
