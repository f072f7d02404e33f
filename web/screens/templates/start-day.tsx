// The day from which the days of a template or a copy are counted, chosen as days are everywhere.

import { CalendarDays } from 'lucide-react';
import { useId } from 'react';
import { DayPicker } from '../../pieces/day-picker.tsx';
import { sayDay } from '../../queries/days/days.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import fieldStyles from '../../ui/fields/field.module.css';

interface StartDayProps {
  readonly label: string;
  readonly hint: string;
  readonly day: string | null;
  /** What having no day is called; without it there must be one. */
  readonly none?: string;
  readonly onPick: (day: string | null) => void;
}

export function StartDay({ label, hint, day, none, onPick }: StartDayProps) {
  const id = useId();
  const shown = day === null ? (none ?? '') : sayDay(day);
  return (
    <div className={`${shapes.stackS2} ${shapes.slim}`}>
      <span className={`${shapes.softS} ${fieldStyles.fieldLabel}`} aria-hidden="true">
        {label}
      </span>
      <div>
        <DayPicker
          label={label}
          chosen={day}
          {...(none === undefined ? {} : { none })}
          onPick={(picked) => {
            onPick(picked);
            return null;
          }}
          trigger={
            <Button
              icon={<CalendarDays size={16} />}
              aria-label={t('common.pair', { name: label, value: shown })}
              aria-describedby={id}
            >
              {shown}
            </Button>
          }
        />
      </div>
      <p id={id} className={`${shapes.quietS} ${shapes.breaks}`}>
        {hint}
      </p>
    </div>
  );
}
