// Reads work items of Plane (workspace settings → Exports → CSV, a file of a zip). A field with several values is JSON in a cell.

import { withLeftovers } from '../fit-to-limits.ts';
import type { Comment } from '../neutral.ts';
import type { Dates } from '../read-dates.ts';
import { firstCell, type Table } from '../read-table.ts';
import { objects, text } from './json.ts';
import { type Known, known, leftoversOf } from './leftovers.ts';
import type { TableFormat } from './table.ts';

export const plane: TableFormat = {
  source: 'plane',
  scope: (table) => `plane:${firstCell(table, 'Project Identifier')}`,
  columns: {
    identifier: 'id',
    name: 'title',
    description: 'description',
    'description stripped': 'description',
    'state name': 'state',
    priority: 'priority',
    assignees: 'assignees',
    labels: 'labels',
    parent: 'parent',
    relations: 'waits_for',
    'start date': 'start',
    'target date': 'due',
    'completed at': 'completed',
    'created at': 'created',
    estimate: 'estimate',
    comments: 'comment',
  },
  separator: /\n/,
  silent: { 'sub issues count': '0', 'link count': '0', 'attachment count': '0', 'is draft': 'false' },
  comments,
  prepare,
  finish: (task, cell) => ({ ...task, archived: cell('archived at') !== '' }),
};

function prepare(table: Table): Table {
  const { header } = table;
  const names = header.map((name) => name.toLowerCase());
  const relations = names.indexOf('relations');
  const rows = table.rows.map((row) => {
    const cells = row.cells.map((cell, place) =>
      names[place] === 'comments' ? cell : plainCell(names[place] ?? '', cell.trim()),
    );
    const padded = [...cells, ...Array<string>(Math.max(0, header.length - cells.length)).fill('')];
    return { ...row, cells: padded.toSpliced(header.length, 0, otherRelations(row.cells[relations] ?? '')) };
  });
  return { ...table, header: [...header, 'Other relations'], rows };
}

const isBefore = (relation: object): boolean => text(relation, 'type') === 'blocked_by';

/** Those that have no place here. */
function otherRelations(cell: string): string {
  return objects(listOf(cell.trim()))
    .map((one) => wordsOf(one, isBefore(one) ? known('type issue direction') : {}))
    .filter(Boolean)
    .join('\n');
}

const wordsOf = (record: object, keys: Known): string =>
  leftoversOf(record, keys)
    .map(([name, words]) => `${name}: ${words}`)
    .join('; ');

/** Words a line each; of relations those that must be done before. */
function plainCell(name: string, cell: string): string {
  const value = cell.startsWith('[') ? listOf(cell) : null;
  if (value === null) return cell;
  if (name === 'relations')
    return objects(value)
      .filter(isBefore)
      .map((one) => text(one, 'issue'))
      .join('\n');
  return value
    .map((one) =>
      typeof one === 'string'
        ? one
        : [text(one, 'title'), text(one, 'url'), wordsOf(Object(one), known('title url id'))].filter(Boolean).join(' '),
    )
    .join('\n');
}

function comments(cell: string, dates: Dates): Comment[] {
  const value = listOf(cell);
  if (value === null) return [{ origin: null, author: null, at: null, body: cell }];
  return objects(value).map((one) => ({
    origin: null,
    author: text(one, 'created_by') || null,
    at: dates.moment(text(one, 'created_at')),
    body: withLeftovers(text(one, 'comment'), leftoversOf(one, known('id comment created_by created_at updated_at'))),
  }));
}

function listOf(cell: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(cell);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
