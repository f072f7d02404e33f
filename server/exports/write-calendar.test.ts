import { expect, test } from 'vitest';
import { type CalendarTask, writeCalendar } from './write-calendar.ts';

const task = (due_date: string | null, title: string): CalendarTask => ({
  ...{ id: '1', number: 1, title, start_date: null, due_date, completed_at: null },
  ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
  project: { id: 'p', key: 'HAR', name: 'Harbour' },
});

test('a day that no calendar could show costs its own task alone', () => {
  const days = ['infinity', '-infinity', '0044-03-15 BC', '10000-01-01', null];
  const text = writeCalendar(
    'All',
    [...days.map((day) => task(day, 'Never')), task('2026-05-15', 'Paint')],
    'http://a.test',
  );
  expect(text.match(/^SUMMARY:.*/gm)).toEqual(['SUMMARY:HAR-1 Paint']);
});

test('lines are folded at 75 bytes and no sign is cut, whatever their length', () => {
  for (const sign of ['a', 'é', '漢', '🚢'])
    for (let length = 0; length < 320; length++) {
      const title = sign.repeat(length);
      const text = writeCalendar('All', [task('2026-05-15', title)], 'http://a.test');
      expect(Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
      expect(text).not.toContain('\r\n \r\n');
      expect(text.replaceAll('\r\n ', '')).toContain(`SUMMARY:HAR-1 ${title}\r\n`);
    }
});
