// Head of the calendar: month or week, paging, display, and the unscheduled tasks.

import { CalendarCheck, CalendarClock, ChevronLeft, ChevronRight } from 'lucide-react';
import { useActions } from '../../actions/registry.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import { UnscheduledButton } from '../planning/unscheduled-button.tsx';
import { InBar } from '../project/bar-room.tsx';
import { type CalendarAddress, shows, turned } from './calendar-address.ts';
import styles from './task-calendar.module.css';

interface CalendarHeadProps {
  readonly title: string;
  readonly place: CalendarAddress;
  readonly today: string;
  readonly undated: number;
  readonly unscheduled: boolean;
  readonly onUnscheduled: () => void;
}

export function CalendarHead({ title, place, today, undated, unscheduled, onUnscheduled }: CalendarHeadProps) {
  const { show, day } = place;
  const week = show === 'week';
  const toToday = (): void => place.set({ day: today });
  useActions([
    {
      id: 'calendar-today',
      label: t('calendar.toToday'),
      group: 'project',
      keys: 't',
      icon: <CalendarCheck size={16} />,
      effect: toToday,
    },
    {
      id: 'calendar-unscheduled',
      label: t('planning.unscheduledTasks'),
      group: 'project',
      icon: <CalendarClock size={16} />,
      effect: onUnscheduled,
    },
  ]);
  return (
    <InBar>
      <div className={`${shapes.row} ${shapes.rigid} ${styles.head}`}>
        <h2 aria-live="polite">{title}</h2>
        <div className={shapes.rowS2}>
          <IconButton
            label={t(week ? 'calendar.previousWeek' : 'days.previousMonth')}
            data-turn="-1"
            onClick={() => place.set({ day: turned(show, day, -1) })}
          >
            <ChevronLeft size={16} />
          </IconButton>
          <Button onClick={toToday}>{t('myTasks.groups.today')}</Button>
          <IconButton
            label={t(week ? 'calendar.nextWeek' : 'days.nextMonth')}
            data-turn="1"
            onClick={() => place.set({ day: turned(show, day, 1) })}
          >
            <ChevronRight size={16} />
          </IconButton>
        </div>
        <Segments
          label={t('calendar.shows.label')}
          choices={shows}
          value={show}
          say={(one) => t(`calendar.shows.${one}`)}
          onPick={(one) => place.set({ show: one })}
        />
        <UnscheduledButton undated={undated} open={unscheduled} onTurn={onUnscheduled} />
      </div>
    </InBar>
  );
}
