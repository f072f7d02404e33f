// Look of days and moments: as the reader's language writes them.

import { sayDay, sayMoment } from '../../queries/days/days.ts';
import { t } from '../../strings/messages.ts';
import { DayPicker } from '../day-picker.tsx';
import marksStyles from '../task-badges.module.css';
import type { Look, PickerProps, ValueProps } from './look.ts';
import { pickedWith } from './picked.tsx';

const Day = ({ value }: ValueProps<string>) => <span className="numbers">{sayDay(value)}</span>;
const Fact = ({ value }: ValueProps<string>) => <span className={`${marksStyles.fact} numbers`}>{sayDay(value)}</span>;

const Picker = ({ value, onChange, of: _, projectId: __, ...popover }: PickerProps<string>) => (
  <DayPicker {...popover} chosen={value} none={t('days.none')} onPick={onChange} />
);

export const day: Look<string> = { Card: Fact, Cell: Day, Editor: pickedWith(Day, Picker), Picker };

const Moment = ({ value }: ValueProps<string>) => <span className="numbers">{sayMoment(value)}</span>;

/** The database alone sets it. */
export const moment: Look<string> = { Card: Moment, Cell: Moment, Editor: pickedWith(Moment, () => null) };
