// Choosing a day: typed as one says it, one of those picked most, or from the calendar. Used wherever a day is entered.

import { Command } from 'cmdk';
import { useId, useState } from 'react';
import { daysAfter } from '../queries/days/days.ts';
import { readDays } from '../queries/days/read-day.ts';
import { useToday } from '../queries/days/today.ts';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import pickerStyles from '../ui/fields/picker.module.css';
import menuStyles from '../ui/overlays/menu.module.css';
import { Popover, type Trigger } from '../ui/overlays/popover.tsx';
import { Calendar, sayWholeDay } from './calendar.tsx';
import styles from './day-picker.module.css';

export interface DayPickerProps {
  readonly trigger: Trigger;
  readonly label: string;
  readonly chosen: string | null;
  /** What having no day is called; without it there must be one. */
  readonly none?: string;
  /** Answers what is wrong with the day; then it stays open. */
  readonly onPick: (day: string | null) => string | null;
  readonly startOpen?: boolean;
  readonly onClosed?: () => void;
}

export function DayPicker({ trigger, label, startOpen = false, onClosed, ...choosing }: DayPickerProps) {
  const [open, setOpen] = useState(startOpen);
  const show = (is: boolean): void => {
    setOpen(is);
    if (!is) onClosed?.();
  };
  return (
    <Popover trigger={trigger} label={label} open={open} onOpenChange={show}>
      <DayChoice {...choosing} label={label} onDone={() => show(false)} />
    </Popover>
  );
}

interface Offer {
  readonly id: string;
  readonly day: string | null;
  readonly name: string;
  readonly note?: string;
}

function usualDays(today: string, none: string | undefined): Offer[] {
  const day = (id: string, name: string, ahead: number): Offer => {
    const date = daysAfter(today, ahead);
    return { id, name, day: date, note: sayWholeDay(date) };
  };
  return [
    day('today', t('myTasks.groups.today'), 0),
    day('tomorrow', t('days.tomorrow'), 1),
    day('in a week', t('days.inAWeek'), 7),
    ...(none === undefined ? [] : [{ id: 'none', name: none, day: null }]),
  ];
}

type ChoiceProps = Pick<DayPickerProps, 'label' | 'chosen' | 'none' | 'onPick'> & { readonly onDone: () => void };

function DayChoice({ label, chosen, none, onPick, onDone }: ChoiceProps) {
  const today = useToday();
  const id = useId();
  const [text, setText] = useState('');
  const [picked, setPicked] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const isTyped = text.trim() !== '';
  const offers = isTyped
    ? readDays(text, today).map((day): Offer => ({ id: day, day, name: sayWholeDay(day) }))
    : usualDays(today, none);
  const current = offers.find((offer) => offer.id === picked) ?? offers[0];
  function pick(day: string | null): void {
    const wrong = onPick(day);
    setFault(wrong);
    if (wrong === null) onDone();
  }
  return (
    <div className={`${shapes.column} ${shapes.within} ${styles.picker}`}>
      <Command shouldFilter={false} label={label} loop value={current?.id ?? ''} onValueChange={setPicked}>
        <Command.Input
          className={pickerStyles.pickerInput}
          value={text}
          onValueChange={(next) => {
            setText(next);
            setPicked('');
            setFault(null);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && isTyped && offers.length === 0)
              setFault(t('days.unread', { text: text.trim() }));
          }}
          placeholder={t('days.type')}
          maxLength={60}
          aria-invalid={fault !== null || undefined}
          aria-describedby={fault === null ? undefined : id}
        />
        {fault !== null && (
          <p id={id} className={`${shapes.wrong} ${styles.fault}`} role="alert">
            {fault}
          </p>
        )}
        <Command.List className={styles.offers} label={t('common.suggestions')}>
          {offers.map((offer) => (
            <Command.Item
              key={offer.id}
              value={offer.id}
              className={`${menuStyles.menuItem} ${styles.offer}`}
              onSelect={() => pick(offer.day)}
            >
              <span className={`${shapes.words} ${shapes.fill}`}>{offer.name}</span>
              {offer.note !== undefined && <span className={pickerStyles.pickerNote}>{offer.note}</span>}
            </Command.Item>
          ))}
        </Command.List>
      </Command>
      <Calendar chosen={chosen} meant={isTyped || picked !== '' ? (current?.day ?? null) : null} onPick={pick} />
    </div>
  );
}
