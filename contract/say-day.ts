// Writes a day of the calendar as a language does, in a sentence of an email or a push message.

/** `day` as the database has it, 2026-05-15; anything else is left as it is. */
export function sayDay(day: string, language: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return day;
  const tag = language === 'en' ? 'en-GB' : language;
  const format = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(tag, format).format(new Date(day));
}
