// Days are read as people type them, in the words and the order of the language; what is no day is none.

import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { speak, speakEnglish } from '../../../test/helpers/english.ts';
import german from '../../strings/de/app.json';
import french from '../../strings/fr/app.json';
import { dayOf, daysAfter } from './days.ts';
import { readDays } from './read-day.ts';

/** A Wednesday. */
const today = '2026-11-25';
const first = (text: string, least?: number) => readDays(text, today, least)[0];

afterEach(() => speakEnglish());

describe('in English', () => {
  test.each([
    ['today', '2026-11-25'],
    ['Tomorrow', '2026-11-26'],
    ['tmr', '2026-11-26'],
    ['yesterday', '2026-11-24'],
    ['fri', '2026-11-27'],
    ['Friday', '2026-11-27'],
    ['on friday', '2026-11-27'],
    // Today's own weekday is the one in a week.
    ['wed', '2026-12-02'],
    ['this sat', '2026-11-28'],
    ['next tue', '2026-12-01'],
    ['next fri', '2026-12-04'],
    ['next week', '2026-11-30'],
    ['next month', '2026-12-01'],
    ['next year', '2027-01-01'],
    ['weekend', '2026-11-28'],
    ['end of month', '2026-11-30'],
    ['day after tomorrow', '2026-11-27'],
    ['in 2 weeks', '2026-12-09'],
    ['in two weeks', '2026-12-09'],
    ['in a week', '2026-12-02'],
    ['2w', '2026-12-09'],
    ['3 days', '2026-11-28'],
    ['+10', '2026-12-05'],
    ['in 3 months', '2027-02-25'],
    ['15 may', '2027-05-15'],
    ['May 15', '2027-05-15'],
    ['15th may 2028', '2028-05-15'],
    ['may 15, 2028', '2028-05-15'],
    ['1 dec', '2026-12-01'],
    ['30', '2026-11-30'],
    ['24th', '2026-12-24'],
    ['31', '2026-12-31'],
    ['2026-12-24', '2026-12-24'],
    ['29 feb', '2028-02-29'],
    ['2020-02-29', '2020-02-29'],
  ])('“%s”', (text, day) => {
    speakEnglish('en-GB');
    expect(first(text)).toBe(day);
  });

  test('day and month stand in the order of the region, the other way round where only that is a day', () => {
    speakEnglish('en-GB');
    expect([first('5/12'), first('24.12.'), first('12/24'), first('5.1.27')]).toEqual([
      '2026-12-05',
      '2026-12-24',
      '2026-12-24',
      '2027-01-05',
    ]);
    speakEnglish('en-US');
    expect([first('12/5'), first('24/12')]).toEqual(['2026-12-05', '2026-12-24']);
  });

  test('a week begins where the region begins it', () => {
    const sunday = '2026-11-22';
    speakEnglish('en-GB');
    expect(readDays('next tue', sunday)[0]).toBe('2026-11-24');
    speakEnglish('en-US');
    expect(readDays('next tue', sunday)[0]).toBe('2026-12-01');
    expect(readDays('next week', sunday)[0]).toBe('2026-11-30');
  });

  test('a few letters are completed, the likeliest first', () => {
    expect(readDays('to', today)).toEqual(['2026-11-25', '2026-11-26']);
    expect(readDays('t', today)).toEqual(['2026-11-25', '2026-11-26', '2026-12-01', '2026-11-27']);
    expect(readDays('in 2', today)).toEqual(['2026-11-27', '2026-12-09', '2027-01-25']);
    expect(readDays('next t', today)).toEqual(['2026-12-01', '2026-12-03']);
  });

  test('a sentence is taken for a day only by whole words or enough of them', () => {
    for (const text of ['to', 't', 'in 2', 'f', 'next', 'ne', 'th'])
      expect([text, first(text, 3)]).toEqual([text, undefined]);
    expect([first('tom', 3), first('fri', 3), first('2w', 3), first('next tues', 3)]).toEqual([
      '2026-11-26',
      '2026-11-27',
      '2026-12-09',
      '2026-12-01',
    ]);
  });

  test.each([
    '',
    '  ',
    'soon',
    '31 feb',
    '450 x',
    '0',
    '2026-13-01',
    '13/13',
    'in',
    'in weeks',
    'fri sat',
    '15 may 3',
    '2026-02-30',
  ])('“%s” is no day', (text) => expect(readDays(text, today)).toEqual([]));
});

describe('in German, by its words in the catalog', () => {
  test.each([
    ['heute', '2026-11-25'],
    ['morgen', '2026-11-26'],
    ['übermorgen', '2026-11-27'],
    ['ubermorgen', '2026-11-27'],
    ['Fr', '2026-11-27'],
    ['am Freitag', '2026-11-27'],
    ['bis Fr', '2026-11-27'],
    ['nächsten Di', '2026-12-01'],
    ['kommenden Freitag', '2026-12-04'],
    ['dieses Wochenende', '2026-11-28'],
    ['Ende Monat', '2026-11-30'],
    ['3 W', '2026-12-16'],
    ['nächsten Dienstag', '2026-12-01'],
    ['nächste Woche', '2026-11-30'],
    ['in 2 Wochen', '2026-12-09'],
    ['in einer Woche', '2026-12-02'],
    ['in fünf Tagen', '2026-11-30'],
    ['15. Mai', '2027-05-15'],
    ['3. März 2027', '2027-03-03'],
    ['24.12.', '2026-12-24'],
    ['5.1.27', '2027-01-05'],
    ['Monatsende', '2026-11-30'],
    ['zum Wochenende', '2026-11-28'],
  ])('“%s”', (text, day) => {
    speak('de-DE', german as unknown as Record<string, string>);
    expect(first(text)).toBe(day);
  });
});

describe('in French, with words after the day as well', () => {
  test.each([
    ['aujourd’hui', '2026-11-25'],
    ["aujourd'hui", '2026-11-25'],
    ['après-demain', '2026-11-27'],
    ['ven', '2026-11-27'],
    ['pour vendredi', '2026-11-27'],
    ['mardi prochain', '2026-12-01'],
    ['vendredi prochain', '2026-12-04'],
    ['ce vendredi', '2026-11-27'],
    ['la semaine prochaine', '2026-11-30'],
    ['mois prochain', '2026-12-01'],
    ['année prochaine', '2027-01-01'],
    ['dans 2 semaines', '2026-12-09'],
    ['dans une semaine', '2026-12-02'],
    ['d’ici cinq jours', '2026-11-30'],
    ['10 j', '2026-12-05'],
    ['fin du mois', '2026-11-30'],
    ['ce week-end', '2026-11-28'],
    ['15 mai', '2027-05-15'],
    ['le 1er mars 2027', '2027-03-01'],
    ['14 juil.', '2027-07-14'],
    ['24/12', '2026-12-24'],
  ])('“%s”', (text, day) => {
    speak('fr-FR', french as unknown as Record<string, string>);
    expect(first(text)).toBe(day);
  });
});

test('every weekday, every day of the year and every distance is found again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 364 }), (start, ahead) => {
      const now = daysAfter('2024-01-01', start);
      const day = daysAfter(now, ahead);
      const said = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long' }).format(dayOf(day));
      expect(readDays(said, now)[0]).toBe(day);
      expect(readDays(`in ${ahead + 1} days`, now)[0]).toBe(daysAfter(now, ahead + 1));
      const weekday = new Intl.DateTimeFormat('en', { weekday: 'short' }).format(dayOf(day));
      expect(dayOf(readDays(weekday, now)[0] ?? '').getDay()).toBe(dayOf(day).getDay());
    }),
  );
});
