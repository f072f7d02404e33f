// Reads tasks from a table, one a row, by the field that each column is assigned to. For CSV of any origin, and for products that export one task a
// row: their readers assign the columns, and say how to take a cell apart.

import { figures } from '../../../contract/views.ts';
import { type FieldName, guessFields, longestCells } from '../fields.ts';
import {
  type Attachment,
  type Comment,
  figuresBy,
  none,
  type Person,
  type Problem,
  plainTask,
  type Read,
  type Task,
} from '../neutral.ts';
import { type Dates, type DayOrder, readDates } from '../read-dates.ts';
import { decimalMarkOf, readFigure } from '../read-figures.ts';
import type { Row, Table } from '../read-table.ts';
import { seriesOf } from '../series.ts';
import { shorten } from '../shorten.ts';
import { kindOfState, priorityOf } from '../state-kinds.ts';
import { perhapsPart } from './json.ts';

export interface TableFormat {
  readonly source: string;
  /** What the ids are unique in, told from a row where the file says it. */
  readonly scope: (table: Table, fileName: string) => string;
  /** Values, lower-cased, that say nothing: they are not kept. */
  readonly silent?: Readonly<Record<string, string>>;
  /** As many rows as the product gives at most. */
  readonly limit?: number;
  /** Columns by their lower-cased name; without it they are guessed. */
  readonly columns?: Readonly<Record<string, FieldName>>;
  readonly priority?: (value: string) => Task['priority'];
  readonly comments?: (value: string, dates: Dates) => readonly Comment[];
  /** The name of the file that a cell tells of. */
  readonly attachment?: (value: string) => string;
  /** How several values in one cell are told apart. */
  readonly separator?: RegExp;
  /** Where a row is not yet a task: what columns say together is put into one, rows that belong to another become cells of it. */
  readonly prepare?: (table: Table) => Table;
  /** What is a day of one task and not of another, and the like. */
  readonly finish?: (task: Task, cell: (name: string) => string) => Task;
}

export interface Choices {
  /** What each column holds, chosen by hand, by the column's place. */
  readonly mapping?: readonly FieldName[];
  readonly dayOrder?: DayOrder | null;
  readonly fileName?: string;
}

const dated: readonly FieldName[] = ['start', 'due', 'created', 'completed'];
/** Of a table, beside what was made of it: rows to show. */
export const rowsShown = 200;
const yes = /^(true|yes|y|x|1|done|completed?|closed|ja|erledigt|✓|✔)$/i;

export function fromTable(format: TableFormat, table: Table, choices: Choices = {}): Read {
  const mapping = choices.mapping ?? guessFields(table.header, format.columns);
  const limits = format.limit === undefined ? [] : [format.limit];
  const problems: Problem[] = [...table.problems, ...perhapsPart(table.rows.length, limits, 'rows')];
  const dates = datesOf(table, mapping, choices.dayOrder ?? null, problems);
  const people = new Map<string, Person>();
  const states = new Map<string, string>();
  const labels = new Map<string, string>();
  const reader = {
    format,
    table,
    mapping,
    dates,
    decimal: decimalMarkOf(valuesOf(table, mapping, figures)),
    problems,
    people,
    priorities: new Set<string>(),
    words: new Map(),
    places: placesOf(mapping),
  };
  function* made(): Generator<Task> {
    for (const row of table.rows) {
      const task = taskOf(row, reader);
      const { state } = task;
      if (state !== null && !states.has(state.toLowerCase())) states.set(state.toLowerCase(), state);
      for (const label of task.labels) if (!labels.has(label.toLowerCase())) labels.set(label.toLowerCase(), label);
      yield task;
    }
  }
  const tasks = seriesOf(made());
  return {
    project: {
      source: format.source,
      scope: format.scope(table, choices.fileName ?? ''),
      name: null,
      states: [...states.values()].map((name) => ({ name, kind: kindOfState(name) })),
      labels: [...labels.values()].map((name) => ({ name, color: null })),
      people: [...people.values()],
      tasks,
    },
    problems,
  };
}

function* valuesOf(table: Table, mapping: readonly FieldName[], fields: readonly FieldName[]): Generator<string> {
  for (const { cells } of table.rows)
    for (const [at, field] of mapping.entries()) if (fields.includes(field)) yield (cells[at] ?? '').trim();
}

function datesOf(table: Table, mapping: readonly FieldName[], order: DayOrder | null, problems: Problem[]): Dates {
  const dates = readDates(valuesOf(table, mapping, dated), order);
  if (dates.unclear) problems.push({ kind: 'unclear_dates', line: null, about: dates.order });
  if (dates.mixed !== null) problems.push({ kind: 'mixed_dates', line: null, about: dates.mixed });
  return dates;
}

interface Reader {
  readonly format: TableFormat;
  readonly table: Table;
  readonly mapping: readonly FieldName[];
  readonly dates: Dates;
  /** Of figures. */
  readonly decimal: ',' | '.';
  readonly problems: Problem[];
  readonly people: Map<string, Person>;
  /** Those that were told. */
  readonly priorities: Set<string>;
  /** Names of states and labels, and what assignees are called. */
  readonly words: Map<string, string>;
  /** Columns of each field. */
  readonly places: ReadonlyMap<FieldName, readonly number[]>;
}

function placesOf(mapping: readonly FieldName[]): Map<FieldName, number[]> {
  const places = new Map<FieldName, number[]>();
  for (const [at, field] of mapping.entries()) places.set(field, [...(places.get(field) ?? []), at]);
  return places;
}

const orNone = <Item>(list: readonly Item[]): readonly Item[] => (list.length === 0 ? none : list);

/** One text for all that are alike. */
function sameText(words: Map<string, string>, text: string): string {
  const known = words.get(text);
  if (known === undefined) words.set(text, text);
  return known ?? text;
}

function taskOf(row: Row, reader: Reader): Task {
  const { format, table, mapping, dates, problems, people, places } = reader;
  const cells = cutCells(row, reader);
  const all = (field: FieldName): readonly string[] =>
    orNone((places.get(field) ?? none).map((at) => cells[at] ?? '').filter((cell) => cell !== ''));
  const one = (field: FieldName): string => all(field)[0] ?? '';
  const several = (field: FieldName): readonly string[] =>
    orNone(
      unique(
        all(field).flatMap((cell) =>
          cell
            .split(format.separator ?? /[,;|\n]/)
            .map((part) => sameText(reader.words, part.trim()))
            .filter(Boolean),
        ),
      ),
    );
  const leftovers: (readonly [string, string])[] = mapping.flatMap((field, at) => {
    const value = cells[at] ?? '';
    const name = table.header[at] || `Column ${at + 1}`;
    const isSaid = value !== '' && format.silent?.[name.toLowerCase()] !== value.toLowerCase();
    // What of these is in the zip is taken out of the words again.
    return (field === 'keep' || field === 'attachments') && isSaid ? [[name, value] as const] : [];
  });
  const beyond = row.cells.slice(table.header.length).filter((cell) => cell.trim() !== '');
  if (beyond.length > 0) leftovers.push(['Further cells', beyond.join('\n')]);
  const dateOf = (field: FieldName, read: (value: string) => string | null): string | null => {
    const value = one(field);
    if (value === '') return null;
    const found = read(value);
    if (found !== null) {
      // Of a day that has a time, the time has no place here.
      if (read === dates.day && dates.hasTime(value))
        leftovers.push([table.header[mapping.indexOf(field)] ?? field, value]);
      return found;
    }
    problems.push({ kind: 'not_a_date', line: row.line, about: value });
    leftovers.push([table.header[mapping.indexOf(field)] ?? field, value]);
    return null;
  };
  const numbers = figuresBy((name) => {
    const typed = one(name);
    const figure = readFigure(typed, reader.decimal);
    if (figure !== null && figure < 1_000_000) return figure;
    if (typed !== '') {
      problems.push({ kind: 'not_an_estimate', line: row.line, about: typed });
      leftovers.push([table.header[mapping.indexOf(name)] ?? name, typed]);
    }
    return null;
  });
  const assignees = several('assignees');
  for (const key of assignees) if (!people.has(key)) people.set(key, personOf(key));
  const priority = one('priority');
  const read = (format.priority ?? priorityOf)(priority);
  if (priority !== '' && !/^(p[0-2]|urgent|critical|high|normal|medium|no priority|none)$/i.test(priority))
    leftovers.push([table.header[mapping.indexOf('priority')] ?? 'Priority', priority]);
  // Three steps here: what is another there is told once.
  if (priority !== '' && read === 'p2' && !isNormal(priority) && !reader.priorities.has(priority.toLowerCase())) {
    reader.priorities.add(priority.toLowerCase());
    problems.push({ kind: 'other_priority', line: row.line, about: priority });
  }
  const completed = dateOf('completed', dates.moment);
  const comments = all('comment').flatMap((body) => (format.comments ?? plainComment)(body, dates));
  for (const { author } of comments) if (author !== null && !people.has(author)) people.set(author, personOf(author));
  const state = sameText(reader.words, one('state')) || null;
  const task: Task = {
    // Without an id the title stands for it: the same row of the same file is the same task.
    ...plainTask(one('id') || `${one('title')}\n${one('created')}`, one('title')),
    aliases: all('alias'),
    line: row.line,
    description: all('description').join('\n\n'),
    state,
    done: completed !== null || yes.test(one('done')) || (state !== null && kindOfState(state) === 'done'),
    priority: read,
    labels: several('labels'),
    assignees,
    parent: one('parent') || null,
    waitsFor: several('waits_for'),
    start: dateOf('start', dates.day),
    due: dateOf('due', dates.day),
    ...numbers,
    created: dateOf('created', dates.moment),
    completed,
    comments: orNone(comments),
    checklist: orNone(
      all('checklist').flatMap((cell) =>
        cell
          .split('\n')
          .map(itemOf)
          .filter((item) => item.title !== ''),
      ),
    ),
    attachments: orNone(
      (places.get('attachments') ?? none).flatMap((at) =>
        attachmentsOf(cells[at] ?? '', table.header[at] || `Column ${at + 1}`, format),
      ),
    ),
    leftovers: orNone(leftovers),
  };
  const cell = (name: string): string => cells[table.header.findIndex((known) => known.toLowerCase() === name)] ?? '';
  return format.finish?.(task, cell) ?? task;
}

/** As long as its column may be, before anything looks at it. */
function cutCells(row: Row, { table, mapping, problems }: Reader): string[] {
  return mapping.map((field, at) => {
    const cell = (row.cells[at] ?? '').trim();
    const longest = longestCells[field];
    if (cell.length <= longest) return cell;
    const about = `${table.header[at] || `Column ${at + 1}`}: ${cell.length} > ${longest}`;
    problems.push({ kind: 'cut_cell', line: row.line, about });
    return shorten(cell, longest).trim();
  });
}

function itemOf(text: string): { origin: null; title: string; done: boolean } {
  const words = text.trim().replace(/^[-*]/, '').trimStart();
  const mark = /^\[[ xX]?\]/.exec(words)?.[0] ?? '';
  return { origin: null, title: words.slice(mark.length).trim(), done: /x/i.test(mark) };
}

/** A name or a path a line; where one alone is in the cell, all of it. */
function attachmentsOf(cell: string, under: string, { attachment }: TableFormat): Attachment[] {
  const values = cell.split('\n').flatMap((line) => line.trim() || []);
  return values.map((words) => {
    const path = attachment?.(words) ?? words;
    const name = path.replace(/^.*[\\/]/, '') || path;
    return { origin: shorten(words, 100), name, type: null, at: null, places: [path, name], under, words };
  });
}

function personOf(key: string): Person {
  const [address = null, ...others] = key.split(/[\s<>()]+/).filter(isAddress);
  if (address === null) return { key, name: key, address };
  const at = key.indexOf(address);
  const [before, after] = [key.slice(0, at).replace(/[<(]$/, ''), key.slice(at + address.length).replace(/^[>)]/, '')];
  const name = `${before.trimEnd()}${after}`.trim();
  return { key, name: name || key, address: [address, ...others].find(isOfDomain) ?? null };
}

const isAddress = (word: string): boolean => word.indexOf('@') > 0 && !word.endsWith('@');
const isOfDomain = (word: string): boolean =>
  /^[^@]+@[^@]+$/.test(word) && /[^.@]\.[^.]/.test(word.slice(word.indexOf('@')));

const isNormal = (priority: string): boolean => /^(p2|normal|medium|mittel|no priority|none|keine)$/i.test(priority);

const plainComment = (body: string): Comment[] => [{ origin: null, author: null, at: null, body }];

/** Names with the addresses that stand in another column. */
export function joinedPeople(table: Table, name: string, address: string): Table {
  const header = table.header.map((one) => one.toLowerCase());
  const [from, to] = [header.indexOf(address), header.indexOf(name)];
  if (from < 0 || to < 0) return table;
  const rows = table.rows.map((row) => {
    const [who = '', mail = ''] = [row.cells[to], row.cells[from]];
    if (mail.trim() === '') return row;
    const joined = who.trim() === '' || who.trim() === mail.trim() ? mail : `${who.trim()} <${mail.trim()}>`;
    return { ...row, cells: row.cells.with(to, joined).with(from, '') };
  });
  return { ...table, rows };
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
