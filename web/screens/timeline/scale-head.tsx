// Head of the chart: months over days or weeks, quarters over months. Only the visible part is drawn.

import { memo } from 'react';
import { dayOf } from '../../queries/days/days.ts';
import { weekStart } from '../../queries/days/read-day.ts';
import { dayNamed, weekdayOf } from '../../queries/views/spans.ts';
import { localized, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { type Geometry, leftOf } from './geometry.ts';
import { type Tick, ticksBetween, type Zoom } from './scale.ts';
import styles from './timeline.module.css';

const wholeMonth = localized((locale) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }));
const shortMonth = localized((locale) => new Intl.DateTimeFormat(locale, { month: 'short' }));
const weekday = localized((locale) => new Intl.DateTimeFormat(locale, { weekday: 'narrow' }));
const dayOnly = localized((locale) => new Intl.NumberFormat(locale, { useGrouping: false }));

function sayMajor(zoom: Zoom, { day }: Tick): string {
  const date = dayOf(dayNamed(day));
  if (zoom !== 'quarter') return wholeMonth().format(date);
  return t('timeline.quarter', { n: Math.floor(date.getMonth() / 3) + 1, year: String(date.getFullYear()) });
}

function sayMinor(zoom: Zoom, { day }: Tick): string {
  if (zoom === 'quarter') return shortMonth().format(dayOf(dayNamed(day)));
  return dayOnly().format(dayOf(dayNamed(day)).getDate());
}

interface ScaleProps {
  readonly geo: Geometry;
  readonly fromDay: number;
  readonly toDay: number;
  readonly today: number;
}

/** For eyes alone: each bar says its days. */
export const ScaleHead = memo(function ScaleHead({ geo, fromDay, toDay, today }: ScaleProps) {
  const { major, minor } = ticksBetween(geo.zoom, { first: fromDay, last: toDay }, weekStart());
  const place = ({ day, days }: Tick) => {
    const left = leftOf(geo, day);
    return { left, width: leftOf(geo, day + days) - left };
  };
  return (
    <>
      {major.map((tick) => (
        <div key={`major ${tick.day}`} className={`${shapes.softXs} ${styles.major}`} style={place(tick)}>
          <span>{sayMajor(geo.zoom, tick)}</span>
        </div>
      ))}
      {minor.map((tick) => (
        <div
          key={`minor ${tick.day}`}
          className={`${shapes.softXs} ${shapes.flex} ${styles.minor} numbers`}
          style={place(tick)}
          data-today={(tick.day <= today && today < tick.day + tick.days) || undefined}
        >
          {geo.zoom === 'day' && (
            <span className={styles.weekday} data-weekend={weekdayOf(tick.day) % 6 === 0 || undefined}>
              {weekday().format(dayOf(dayNamed(tick.day)))}
            </span>
          )}
          <span>{sayMinor(geo.zoom, tick)}</span>
        </div>
      ))}
    </>
  );
});

/** Where months begin, or quarters. */
export const Rules = memo(function Rules({ geo, fromDay, toDay }: Omit<ScaleProps, 'today'>) {
  const { major, minor } = ticksBetween(geo.zoom, { first: fromDay, last: toDay }, weekStart());
  return (
    <>
      {(geo.zoom === 'quarter' ? minor : major).map(({ day }) => (
        <div key={day} className={`${shapes.over} ${styles.rule}`} style={{ left: leftOf(geo, day) }} />
      ))}
    </>
  );
});
