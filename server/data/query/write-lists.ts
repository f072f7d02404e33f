// Embedded lists as text of a select: what it takes to make one, and how all of them together have an end. Lists are added up
// where they become part of a row, not where they are made: Postgres makes the list of an object once and may put
// it into a thousand rows.

import { isToOne } from '../catalog/catalog.ts';
import type { ReadNode } from '../plan/plan.ts';
import { literal } from './fragments.ts';

/** What an answer may weigh while it is made; 0: as much as it likes. */
export interface ResponseLimits {
  readonly bytes: number;
  /** Rows of all embedded lists together. */
  readonly embeddedRows: number;
}

/** Lists shorter than this are not counted: they are many, and a thousand of them are still little. */
const UNCOUNTED_BYTES = 1000;

const isLimited = (limits: ResponseLimits): boolean => limits.bytes > 0 || limits.embeddedRows > 0;

/** The rows as a JSON list. One of some length is added to what the answer holds so far, which has an end. */
export function writeList(limits: ResponseLimits | null, rows: string, order = ''): string {
  const list = `json_agg(${rows}${order})`;
  if (limits === null || !isLimited(limits)) return list;
  return admit(list, `pg_column_size(${list})`, 'count(*)', limits);
}

/** The ways to the lists below a single object: names, each within the one before. */
export function findLists(node: ReadNode): string[][] {
  return node.children.flatMap((child) => {
    if (child.spread === null && isEmpty(child)) return [];
    const toOne = child.relationship !== null && isToOne(child.relationship);
    const below = toOne ? findLists(child) : [];
    if (child.spread === null) return toOne ? below.map((names) => [child.resultName, ...names]) : [[child.resultName]];
    return child.spread === 'to-one' ? below : child.spreadSelects.map(({ name }) => [name]);
  });
}

/** Nothing of it is shown, at any depth. */
export function isEmpty(node: ReadNode): boolean {
  return node.select.length === 0 && node.children.every(isEmpty);
}

/**
 * A value that holds such lists, in a row: they are added to what the answer holds, each time they are there. The value stands
 * in the text once and is looked at behind an `offset 0`: what is named twice, the planner makes twice.
 */
export function writeHolder(
  limits: ResponseLimits | null,
  value: string,
  ways: readonly (readonly string[])[],
): string {
  if (limits === null || !isLimited(limits) || ways.length === 0) return value;
  const held = '"_kb_held"."_kb_value"';
  const lists = ways.map((way) => way.reduce((from, name) => `${from}->${literal(name)}`, held));
  const rows = lists.map((list) => `coalesce(json_array_length((${list})::json), 0)`).join(' + ');
  const admitted = admit(held, `pg_column_size(${held})`, rows, limits);
  return `(select ${admitted} from (select ${value} as "_kb_value" offset 0) as "_kb_held")`;
}

function admit(value: string, size: string, rows: string, { bytes, embeddedRows }: ResponseLimits): string {
  const admitted = `data_door.admit_list(${size}, ${rows}, ${bytes}, ${embeddedRows})`;
  return `(case when (${size} > ${UNCOUNTED_BYTES}) is not true then ${value} when ${admitted} then ${value} end)`;
}
