// Times until which an entry can be snoozed, in words.

import { localized, t } from '../../strings/messages.ts';

interface SnoozeTime {
  readonly id: 'hours' | 'tomorrow' | 'monday';
  readonly label: string;
  readonly until: string;
}

const hour = localized((locale) => new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }));
const dayAndHour = localized(
  (locale) => new Intl.DateTimeFormat(locale, { weekday: 'short', hour: 'numeric', minute: '2-digit' }),
);

/** At nine in the morning, so many days from now. */
function morning(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 9);
}

export function snoozeTimes(now: Date): SnoozeTime[] {
  const hours = new Date(now.getTime() + 3 * 3_600_000);
  const tomorrow = morning(now, 1);
  const monday = morning(now, (8 - now.getDay()) % 7 || 7);
  return [
    { id: 'hours', label: t('inbox.snoozeUntil.hours', { when: hour().format(hours) }), until: hours.toISOString() },
    {
      id: 'tomorrow',
      label: t('inbox.snoozeUntil.tomorrow', { when: dayAndHour().format(tomorrow) }),
      until: tomorrow.toISOString(),
    },
    {
      id: 'monday',
      label: t('inbox.snoozeUntil.monday', { when: dayAndHour().format(monday) }),
      until: monday.toISOString(),
    },
  ];
}
