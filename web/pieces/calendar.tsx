// A month of days to pick from. Arrows go by day and week, Home and End to the ends of a week, Page Up and Page Down by month, with
// Shift by year. Which day begins a week, and what days and months are called, the language says.

import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { dayOf, daysAfter, monthsAfter } from '../queries/days/days.ts';
import { weekStart } from '../queries/days/read-day.ts';
import { useToday } from '../queries/days/today.ts';
import { localized, t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { IconButton } from '../ui/button.tsx';
import styles from './calendar.module.css';

const monthName = localized((locale) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }));
const wholeDay = localized((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'full' }));
const shortWeekday = localized((locale) => new Intl.DateTimeFormat(locale, { weekday: 'short' }));
const longWeekday = localized((locale) => new Intl.DateTimeFormat(locale, { weekday: 'long' }));
const dayNumber = localized((locale) => new Intl.NumberFormat(locale, { useGrouping: false }));

/** Always as many, so that nothing below moves from month to month. */
const weeks = 6;

function firstShown(day: string): string {
  const first = `${day.slice(0, 8)}01`;
  return daysAfter(first, -((dayOf(first).getDay() - weekStart() + 7) % 7));
}

/** Where a key leads from a day. */
function dayByKey(event: KeyboardEvent, day: string): string | null {
  const inWeek = (dayOf(day).getDay() - weekStart() + 7) % 7;
  if (event.key === 'ArrowLeft') return daysAfter(day, -1);
  if (event.key === 'ArrowRight') return daysAfter(day, 1);
  if (event.key === 'ArrowUp') return daysAfter(day, -7);
  if (event.key === 'ArrowDown') return daysAfter(day, 7);
  if (event.key === 'Home') return daysAfter(day, -inWeek);
  if (event.key === 'End') return daysAfter(day, 6 - inWeek);
  if (event.key === 'PageUp') return monthsAfter(day, event.shiftKey ? -12 : -1);
  if (event.key === 'PageDown') return monthsAfter(day, event.shiftKey ? 12 : 1);
  return null;
}

interface CalendarProps {
  readonly chosen: string | null;
  /** A day that would be picked: its month is shown, and it is marked. */
  readonly meant: string | null;
  readonly onPick: (day: string) => void;
}

export function Calendar({ chosen, meant, onPick }: CalendarProps) {
  const today = useToday();
  const [at, setAt] = useState(meant ?? chosen ?? today);
  const [seen, setSeen] = useState(meant);
  const grid = useRef<HTMLTableElement>(null);
  const byKey = useRef(false);
  // What is meant elsewhere is gone to; afterwards one may go on from there.
  if (meant !== seen) {
    setSeen(meant);
    setAt(meant ?? chosen ?? today);
  }
  useEffect(() => {
    if (byKey.current) grid.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus();
    byKey.current = false;
  }, [at]);

  function onKeyDown(event: KeyboardEvent): void {
    const to = dayByKey(event, at);
    if (to === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    byKey.current = true;
    setAt(to);
  }

  const start = firstShown(at);
  const name = monthName().format(dayOf(at));
  const days = Array.from({ length: 7 * weeks }, (_, ahead) => daysAfter(start, ahead));
  return (
    <div className={styles.calendar}>
      <div className={`${shapes.row} ${shapes.spread}`}>
        <IconButton label={t('days.previousMonth')} onClick={() => setAt(monthsAfter(at, -1))}>
          <ChevronLeft size={16} />
        </IconButton>
        <span className={shapes.strong} role="status">
          {name}
        </span>
        <IconButton label={t('days.nextMonth')} onClick={() => setAt(monthsAfter(at, 1))}>
          <ChevronRight size={16} />
        </IconButton>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table of days that one goes through by arrows is a grid */}
      <table role="grid" aria-label={name} ref={grid} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {days.slice(0, 7).map((day) => (
              <th key={day} scope="col" abbr={longWeekday().format(dayOf(day))}>
                {shortWeekday().format(dayOf(day))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: weeks }, (_, week) => days.slice(7 * week, 7 * week + 7)).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a cell of a grid is one that can be selected
                <td key={day} aria-selected={day === chosen}>
                  <button
                    type="button"
                    className={`${shapes.full} ${shapes.roundM} ${styles.day}`}
                    data-day={day}
                    data-beside={day.slice(0, 7) === at.slice(0, 7) ? undefined : ''}
                    data-meant={day === meant ? '' : undefined}
                    aria-label={wholeDay().format(dayOf(day))}
                    aria-current={day === today ? 'date' : undefined}
                    tabIndex={day === at ? 0 : -1}
                    onClick={() => onPick(day)}
                  >
                    {dayNumber().format(dayOf(day).getDate())}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A day in full: "Friday, 27 November 2026". */
export function sayWholeDay(day: string): string {
  return wholeDay().format(dayOf(day));
}
