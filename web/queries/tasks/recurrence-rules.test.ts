// Recurrence rules in words, both ways and in every language: formatting a rule, and parsing a typed one.

import { afterEach, describe, expect, test } from 'vitest';
import { speak, speakEnglish } from '../../../test/helpers/english.ts';
import german from '../../strings/de/recur.json';
import english from '../../strings/en/recur.json';
import french from '../../strings/fr/recur.json';
import { readRepeat, sayRepeat, usualRepeats } from './recurrence-rules.ts';

type Texts = Readonly<Record<string, string>>;
const inEnglish = () => speak('en', english as unknown as Texts);
const inFrench = () => speak('fr', french as unknown as Texts);
const inGerman = () => speak('de', german as unknown as Texts);
/** A Tuesday, the fourth of its month and the last. */
const start = '2026-11-24';
const said = (text: string): string => {
  const meant = readRepeat(text);
  return meant === null ? 'no rule' : `${meant.rule} ${meant.mode}: ${sayRepeat(meant, start)}`;
};

afterEach(() => speakEnglish());

describe('typed rules', () => {
  test.each([
    ['every day', 'FREQ=DAILY calendar: Every day'],
    ['daily', 'FREQ=DAILY calendar: Every day'],
    ['every 3 days', 'FREQ=DAILY;INTERVAL=3 calendar: Every 3 days'],
    ['weekdays', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR calendar: Every weekday'],
    [
      'every 2 weeks on mon and thu',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH calendar: Every 2 weeks on Monday and Thursday',
    ],
    ['every second tuesday', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU calendar: Every 2 weeks on Tuesday'],
    ['every other week', 'FREQ=WEEKLY;INTERVAL=2 calendar: Every 2 weeks on Tuesday'],
    ['last friday of the month', 'FREQ=MONTHLY;BYDAY=-1FR calendar: Every month on the last Friday'],
    ['second tuesday of the month', 'FREQ=MONTHLY;BYDAY=2TU calendar: Every month on the second Tuesday'],
    ['monthly on the 15th', 'FREQ=MONTHLY;BYMONTHDAY=15 calendar: Every month on day 15'],
    ['last day of the month', 'FREQ=MONTHLY;BYMONTHDAY=-1 calendar: Every month on its last day'],
    ['every year', 'FREQ=YEARLY calendar: Every year on November 24'],
    ['3 days after it is done', 'FREQ=DAILY;INTERVAL=3 after_completion: 3 days after it is done'],
    ['a week after completion', 'FREQ=WEEKLY after_completion: 1 week after it is done'],
    ['FREQ=DAILY;COUNT=5', 'FREQ=DAILY;COUNT=5 calendar: Every day, 5 times'],
    ['gibberish', 'no rule'],
  ])('%s', (text, meant) => {
    inEnglish();
    expect(said(text)).toBe(meant);
  });
  test.each([
    ['jeden Tag', 'FREQ=DAILY calendar: Jeden Tag'],
    [
      'alle 2 Wochen am Mo und Do',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH calendar: Alle 2 Wochen am Montag und Donnerstag',
    ],
    ['jeden zweiten Dienstag', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU calendar: Alle 2 Wochen am Dienstag'],
    ['letzter Freitag im Monat', 'FREQ=MONTHLY;BYDAY=-1FR calendar: Jeden Monat am letzten Freitag'],
    ['werktags', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR calendar: Jeden Werktag von Montag bis Freitag'],
    ['3 Tage nach Erledigung', 'FREQ=DAILY;INTERVAL=3 after_completion: 3 Tage nach Erledigung'],
    ['jährlich', 'FREQ=YEARLY calendar: Jedes Jahr am 24. November'],
  ])('%s', (text, meant) => {
    inGerman();
    expect(said(text)).toBe(meant);
  });
  test.each([
    ['tous les jours', 'FREQ=DAILY calendar: Tous les jours'],
    [
      'toutes les 2 semaines le lundi et le jeudi',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH calendar: Toutes les 2 semaines le lundi et jeudi',
    ],
    ['un mardi sur deux', 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU calendar: Toutes les 2 semaines le mardi'],
    ['une semaine sur deux', 'FREQ=WEEKLY;INTERVAL=2 calendar: Toutes les 2 semaines le mardi'],
    ['le dernier vendredi du mois', 'FREQ=MONTHLY;BYDAY=-1FR calendar: Tous les mois le dernier vendredi'],
    ['le 1er de chaque mois', 'FREQ=MONTHLY;BYMONTHDAY=1 calendar: Tous les mois le 1'],
    ['jours ouvrés', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR calendar: Tous les jours ouvrés'],
    ['3 jours après la fin', 'FREQ=DAILY;INTERVAL=3 after_completion: 3 jours après la fin'],
    ['annuel', 'FREQ=YEARLY calendar: Tous les ans le 24 novembre'],
  ])('%s', (text, meant) => {
    inFrench();
    expect(said(text)).toBe(meant);
  });
});

test('the usual rules are listed in words', () => {
  inEnglish();
  expect(usualRepeats(start).map((one) => sayRepeat(one, start))).toEqual([
    'Every day',
    'Every weekday',
    'Every week on Tuesday',
    'Every 2 weeks on Tuesday',
    'Every month on day 24',
    'Every month on the last Tuesday',
    'Every year on November 24',
    '3 days after it is done',
  ]);
});

test('a rule that has no sentence is shown as it is', () => {
  inEnglish();
  const rule = 'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1';
  expect(sayRepeat({ rule, mode: 'calendar' }, start)).toBe(`By the rule ${rule}`);
});
