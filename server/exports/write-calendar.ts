// A calendar as RFC 5545 writes it: tasks as all-day events, since that is what calendar programs show of a subscription. Lines are
// escaped, folded at 75 bytes and ended by CR LF. Feeds write one as a whole, exports task by task.

export interface CalendarTask {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly start_date: string | null;
  readonly due_date: string | null;
  readonly completed_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly project: { readonly id: string; readonly key: string; readonly name: string };
}

export function writeCalendar(name: string, tasks: readonly CalendarTask[], siteUrl: string): string {
  return [calendarHead(name), ...tasks.map((task) => calendarEvent(task, siteUrl)), calendarEnd].join('');
}

export function calendarHead(name: string): string {
  return lines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Kanbase//Calendar feed//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
  ]);
}

export const calendarEnd = 'END:VCALENDAR\r\n';

/** Empty where a day is none that a calendar could show: one task ends nobody's calendar. */
export function calendarEvent(task: CalendarTask, siteUrl: string): string {
  const days = [task.start_date, task.due_date].filter((day) => day !== null);
  if (days.length === 0 || !days.every((day) => /^\d{4}-\d\d-\d\d$/.test(day))) return '';
  return lines(event(task, siteUrl, new URL(siteUrl).hostname));
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${folded(line)}\r\n`).join('');
}

function event(task: CalendarTask, siteUrl: string, host: string): string[] {
  const { project } = task;
  const last = task.due_date ?? task.start_date ?? '';
  const first = task.start_date ?? last;
  const key = `${project.key}-${task.number}`;
  const address = `${siteUrl}/app/projects/${project.id}/board/${task.number}`;
  return [
    'BEGIN:VEVENT',
    `UID:${task.id}@${host}`,
    `DTSTAMP:${moment(task.updated_at)}`,
    `CREATED:${moment(task.created_at)}`,
    `LAST-MODIFIED:${moment(task.updated_at)}`,
    `DTSTART;VALUE=DATE:${first.replaceAll('-', '')}`,
    // The day after the last one.
    `DTEND;VALUE=DATE:${new Date(Date.parse(`${last}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}`,
    `SUMMARY:${escaped(`${task.completed_at === null ? '' : '✓ '}${key} ${task.title}`)}`,
    `DESCRIPTION:${escaped(`${project.name}\n${address}`)}`,
    `URL:${address}`,
    // Nobody is busy because of it.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

function moment(timestamp: string): string {
  return `${new Date(timestamp).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** RFC 5545, 3.3.11; other signs of control have no place in a text. */
function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll(/[;,]/g, '\\$&')
    .replaceAll(/\r\n?|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, '');
}

/** RFC 5545, 3.1: 75 bytes a line, and no sign of several bytes is cut. */
function folded(line: string): string {
  const bytes = Buffer.byteLength(line);
  if (bytes <= 75) return line;
  if (bytes === line.length) return line.replace(/(?:^.{75}|.{74})(?=.)/g, '$&\r\n ');
  const parts: string[] = [];
  let part = '';
  let room = 75;
  for (const sign of line) {
    const size = Buffer.byteLength(sign);
    if (size > room) {
      parts.push(part);
      part = '';
      // The blank that begins the next line counts.
      room = 74;
    }
    part += sign;
    room -= size;
  }
  return [...parts, part].join('\r\n ');
}
