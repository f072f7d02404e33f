// Head of the timeline: zoom, the way to today, and the unscheduled tasks.

import { CalendarCheck, CalendarClock, Route, Spline, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useActions } from '../../actions/registry.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import { UnscheduledButton } from '../planning/unscheduled-button.tsx';
import { InBar } from '../project/bar-room.tsx';
import { zooms } from './scale.ts';
import type { TimelineAddress } from './timeline-address.ts';
import styles from './timeline-head.module.css';

interface TimelineHeadProps {
  readonly withCritical: boolean;
  readonly place: TimelineAddress;
  readonly undated: number;
  readonly canWrite: boolean;
  /** How many tasks begin too early; the way to the next one. */
  readonly early: number;
  readonly onEarly: () => void;
  readonly unscheduled: boolean;
  readonly onUnscheduled: () => void;
  readonly onToday: () => void;
}

/** `withCritical`: all tasks of a project are here, so that what decides its end can be said. */
export function TimelineHead({
  withCritical,
  place,
  undated,
  canWrite,
  early,
  onEarly,
  unscheduled,
  onUnscheduled,
  onToday,
}: TimelineHeadProps) {
  useActions([
    {
      id: 'timeline-today',
      label: t('timeline.toToday'),
      group: 'project',
      keys: 't',
      icon: <CalendarCheck size={16} />,
      effect: onToday,
    },
    ...(withCritical
      ? ([
          {
            id: 'timeline-critical',
            label: t('timeline.critical'),
            group: 'project',
            icon: <Route size={16} />,
            effect: () => place.set({ critical: !place.critical }),
          },
        ] as const)
      : []),
    {
      id: 'timeline-unscheduled',
      label: t('planning.unscheduledTasks'),
      group: 'project',
      icon: <CalendarClock size={16} />,
      effect: onUnscheduled,
    },
  ]);
  return (
    <InBar>
      <div className={`${shapes.row} ${shapes.onScreen} ${shapes.rigid} ${styles.head}`}>
        <Segments
          label={t('timeline.zoom')}
          choices={zooms}
          value={place.zoom}
          say={(one) => t(`timeline.zooms.${one}`)}
          onPick={(zoom) => place.set({ zoom })}
        />
        <Button onClick={onToday}>{t('myTasks.groups.today')}</Button>
        {withCritical && (
          <Switch
            label={t('timeline.critical')}
            icon={<Route size={15} />}
            on={place.critical}
            onTurn={() => place.set({ critical: !place.critical })}
          />
        )}
        {canWrite && (
          <Switch
            label={t('timeline.along')}
            icon={<Spline size={15} />}
            on={place.along}
            onTurn={() => place.set({ along: !place.along })}
          />
        )}
        {early > 0 && (
          <Button
            look="quiet"
            className={styles.early}
            icon={<TriangleAlert size={15} />}
            title={t('timeline.earlyCount', { n: early })}
            onClick={onEarly}
          >
            {t('timeline.earlyCount', { n: early })}
          </Button>
        )}
        <UnscheduledButton undated={undated} open={unscheduled} onTurn={onUnscheduled} />
      </div>
    </InBar>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly on: boolean;
  readonly onTurn: () => void;
}

/** A picture alone: there is no room for words. */
function Switch({ label, icon, on, onTurn }: SwitchProps) {
  return (
    <IconButton label={label} aria-pressed={on} onClick={onTurn}>
      {icon}
    </IconButton>
  );
}
