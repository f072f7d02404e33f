// Reads tasks of TickTick (Settings → Account → Generate backup): one table of all lists, below some lines about the file itself. Each list becomes
// a list here; of a single list, its columns do.

import type { Row, Table } from '../read-table.ts';
import type { TableFormat } from './table.ts';

const priorities: Readonly<Record<string, string>> = { '5': 'high', '3': 'medium', '1': 'low', '0': '' };
/** Completed, and archived or not to be done. */
const statuses: Readonly<Record<string, string>> = { '0': '', '1': 'done', '2': 'done', '-1': 'done' };

export const ticktick: TableFormat = {
  source: 'ticktick',
  scope: () => 'ticktick:',
  columns: {
    taskid: 'id',
    title: 'title',
    content: 'description',
    list: 'state',
    tags: 'labels',
    done: 'done',
    checklist: 'checklist',
    'start date': 'start',
    'due date': 'due',
    priority: 'priority',
    'created time': 'created',
    'completed time': 'completed',
    parentid: 'parent',
    'column order': 'leave_out',
    order: 'leave_out',
    'view mode': 'leave_out',
    'is all day': 'leave_out',
    'is floating': 'leave_out',
    'is check list': 'leave_out',
    status: 'leave_out',
    timezone: 'leave_out',
  },
  silent: { kind: 'text' },
  separator: /,/,
  prepare,
};

function prepare(table: Table): Table {
  const places = new Map(table.header.map((name, at) => [name.toLowerCase(), at]));
  const placeOf = (name: string): number => places.get(name) ?? -1;
  const lists = new Set([...table.rows].map(({ cells }) => cells[placeOf('list name')] ?? ''));
  // The one that says less is kept in words.
  const ofColumns = lists.size === 1 && table.rows.some(({ cells }) => (cells[placeOf('column name')] ?? '') !== '');
  const states = placeOf(ofColumns ? 'column name' : 'list name');
  const rows = table.rows.map((row): Row => {
    const cell = (name: string): string => (row.cells[placeOf(name)] ?? '').trim();
    const isList = /^y/i.test(cell('is check list'));
    const changed = new Map([
      [placeOf('priority'), priorities[cell('priority')] ?? cell('priority')],
      [placeOf('start date'), localDay(cell('start date'), cell('timezone'), cell('is all day'))],
      [placeOf('due date'), localDay(cell('due date'), cell('timezone'), cell('is all day'))],
      [placeOf('content'), isList ? '' : cell('content')],
      [states, ''],
    ]);
    const cells = table.header.map((_, at) => changed.get(at) ?? row.cells[at] ?? '');
    const more = [row.cells[states] ?? '', statuses[cell('status')] ?? '', isList ? itemsOf(cell('content')) : ''];
    return { ...row, cells: [...cells, ...more, ...row.cells.slice(table.header.length)] };
  });
  return { ...table, header: [...table.header, 'List', 'Done', 'Checklist'], rows };
}

/** `▫Flour▪Salt`, or a line each. */
const itemsOf = (content: string): string => content.replaceAll(/\s?▫/g, '\n[ ] ').replaceAll(/\s?▪/g, '\n[x] ').trim();

/** Moments are in UTC, also midnight of where one lives: a whole day is that of its time zone. */
function localDay(moment: string, zone: string, isAllDay: string): string {
  const at = new Date(moment.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  const format = formatOf(zone);
  if (Number.isNaN(at.getTime()) || format === null) return moment;
  const [date = '', time = ''] = format.format(at).split(', ');
  return /^(true|y|1)/i.test(isAllDay) ? date : `${date} ${time}`;
}

const formats = new Map<string, Intl.DateTimeFormat | null>();

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  let format: Intl.DateTimeFormat | null = null;
  try {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
    format = new Intl.DateTimeFormat('en-CA', { ...parts, hourCycle: 'h23', timeZone });
  } catch {
    // No zone that is known: the moment stays as it is.
  }
  if (formats.size < 1000) formats.set(timeZone, format);
  return format;
}
