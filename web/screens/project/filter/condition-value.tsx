// Value of a filter condition: some of a list, a day (relative or absolute), a number of days, a number, words.

import { Command } from 'cmdk';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Condition, Value } from '../../../../contract/views.ts';
import { Calendar, sayWholeDay } from '../../../pieces/calendar.tsx';
import { readDays } from '../../../queries/days/read-day.ts';
import { useToday } from '../../../queries/days/today.ts';
import { t } from '../../../strings/messages.ts';
import { readNumber, writeNumber } from '../../../strings/numbers.ts';
import shapes from '../../../styles/shapes.module.css';
import { TextField } from '../../../ui/fields/field.tsx';
import pickerStyles from '../../../ui/fields/picker.module.css';
import menuStyles from '../../../ui/overlays/menu.module.css';
import styles from './filter-chips.module.css';
import type { FilterNames } from './names.tsx';
import { dayMeant, formOf, sayFilterDay } from './say-condition.ts';

/** One types at once: the choice above it is the rarer one. */
function useFocused(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.select();
  }, []);
  return field;
}

interface ConditionValueProps {
  readonly condition: Condition;
  readonly names: FilterNames;
  readonly onChange: (value: Value) => void;
  readonly onDone: () => void;
}

export function ConditionValue({ condition, names, onChange, onDone }: ConditionValueProps) {
  const { value, property } = condition;
  const label = names.nameOf(property);
  switch (formOf(condition)) {
    case 'list':
      return <Choices condition={condition} names={names} onChange={onChange} label={label} />;
    case 'one':
      return <Choices single condition={condition} names={names} onChange={onChange} label={label} onDone={onDone} />;
    case 'day':
      return <Day value={String(value)} onChange={onChange} onDone={onDone} label={label} />;
    case 'days':
    case 'number':
      return (
        <Typed
          label={formOf(condition) === 'days' ? t('views.days') : label}
          kind="number"
          start={typeof value === 'number' ? writeNumber(value) : ''}
          onChange={(text) => onChange(readNumber(text) ?? Number.NaN)}
          onDone={onDone}
        />
      );
    case 'words':
      return <Typed label={label} kind="text" start={String(value)} onChange={onChange} onDone={onDone} />;
    default:
      return null;
  }
}

function Choices({
  condition: { property, value },
  names,
  onChange,
  label,
  single = false,
  onDone,
}: Pick<ConditionValueProps, 'condition' | 'names' | 'onChange'> & {
  label: string;
  single?: boolean;
  onDone?: () => void;
}) {
  const field = useFocused();
  const [text, setText] = useState('');
  const chosen = typeof value === 'object' ? value : single ? [String(value)] : [];
  // What was chosen when it was opened stands first, and stays where it is.
  const [first] = useState(chosen);
  const wanted = text.trim().toLocaleLowerCase();
  const all = names.choices(property);
  const found = all
    .filter((item) => item.label.toLocaleLowerCase().includes(wanted))
    .sort((one, other) => Number(first.includes(other.id)) - Number(first.includes(one.id)));
  return (
    <Command shouldFilter={false} label={label} loop>
      <Command.Input
        ref={field}
        className={pickerStyles.pickerInput}
        value={text}
        onValueChange={setText}
        placeholder={t('common.search')}
      />
      <Command.List className={pickerStyles.pickerList} label={label}>
        {found.slice(0, 60).map((item) => {
          const is = chosen.includes(item.id);
          return (
            <Command.Item
              key={item.id}
              value={item.id}
              className={menuStyles.menuItem}
              onSelect={() => {
                if (!single) return onChange(is ? chosen.filter((id) => id !== item.id) : [...chosen, item.id]);
                onChange(item.id);
                onDone?.();
              }}
            >
              <span
                className={`${shapes.ownColours} ${shapes.rigid} ${shapes.grid} ${pickerStyles.pickerBox} ${is ? pickerStyles.pickerChosen : ''}`}
                aria-hidden="true"
              />
              {item.icon && <span className={`${shapes.middle} ${shapes.rigid}`}>{item.icon}</span>}
              <span className={`${shapes.words} ${shapes.fill}`}>{item.label}</span>
              {is && <span className="only-spoken">{t('common.chosen')}</span>}
              {item.note && <span className={pickerStyles.pickerNote}>{item.note}</span>}
            </Command.Item>
          );
        })}
        {found.length === 0 && <p className={pickerStyles.pickerEmpty}>{t('common.nothingFound')}</p>}
      </Command.List>
    </Command>
  );
}

const usual = ['today', '+7', '-7'];

/** A number alone is so many days from today, and stays so. */
function daysIn(text: string, today: string): readonly string[] {
  const [, sign, digits] = /^([+-]?)(\d{1,3})$/.exec(text.trim()) ?? [];
  if (digits === undefined) return readDays(text, today);
  const ways = sign ? [sign] : ['+', '-'];
  return Number(digits) === 0 ? ['today'] : ways.map((way) => `${way}${Number(digits)}`);
}

function Day({
  value,
  onChange,
  onDone,
  label,
}: {
  value: string;
  onChange: (value: string) => void;
  onDone: () => void;
  label: string;
}) {
  const today = useToday();
  const field = useFocused();
  const [text, setText] = useState('');
  const offers = text.trim() === '' ? usual : daysIn(text, today);
  function pick(day: string): void {
    onChange(day);
    onDone();
  }
  return (
    <>
      <Command shouldFilter={false} label={label} loop>
        <Command.Input
          ref={field}
          className={pickerStyles.pickerInput}
          value={text}
          onValueChange={setText}
          placeholder={t('views.dayPlaceholder')}
          maxLength={60}
        />
        <Command.List className={styles.offers} label={t('common.suggestions')}>
          {offers.map((day) => (
            <Command.Item key={day} value={day} className={menuStyles.menuItem} onSelect={() => pick(day)}>
              <span className={`${shapes.words} ${shapes.fill}`}>{sayFilterDay(day)}</span>
              <span className={pickerStyles.pickerNote}>{sayWholeDay(dayMeant(day, today))}</span>
            </Command.Item>
          ))}
          {offers.length === 0 && (
            <p className={pickerStyles.pickerEmpty} role="alert">
              {t('days.unread', { text: text.trim() })}
            </p>
          )}
        </Command.List>
      </Command>
      <Calendar chosen={dayMeant(value, today)} meant={null} onPick={pick} />
    </>
  );
}

/** Followed while one types, once the fingers rest. */
function Typed({
  label,
  kind,
  start,
  onChange,
  onDone,
}: {
  label: string;
  kind: 'text' | 'number';
  start: string;
  onChange: (text: string) => void;
  onDone: () => void;
}) {
  const [text, setText] = useState(start);
  const sent = useRef(start);
  const field = useFocused();
  const send = (): void => {
    if (sent.current === text) return;
    sent.current = text;
    onChange(text);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the timer is for the text alone
  useEffect(() => {
    const timer = setTimeout(send, 140);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextField
      ref={field}
      bare
      label={label}
      placeholder={label}
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      maxLength={500}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={send}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
        // The key would press what has the focus once this field is gone.
        event.preventDefault();
        send();
        onDone();
      }}
    />
  );
}
