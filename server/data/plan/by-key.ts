// Tells whether a request filters by every column of a key (of those that may be empty, by one), at the root or in an embedded resource, with any operator. The time of
// an empty answer to such a request could reveal that somebody else's row exists.

import { type Catalog, findTable } from '../catalog/catalog.ts';
import type { CallPlan, PlannedLogic, ReadNode, ReadPlan, WritePlan } from './plan.ts';

export function asksByKey(catalog: Catalog, plan: ReadPlan | WritePlan | CallPlan): boolean {
  return isKeyed(catalog, plan.read) || (plan.kind === 'write' && narrowsByKey(catalog, plan.read, plan.filters));
}

const isKeyed = (catalog: Catalog, node: ReadNode): boolean =>
  narrowsByKey(catalog, node, node.filters) || node.children.some((child) => isKeyed(catalog, child));

function narrowsByKey(catalog: Catalog, { from }: ReadNode, filters: readonly PlannedLogic[]): boolean {
  if (filters.length === 0) return false;
  const table = findTable(catalog, from.schema, from.name);
  // Where no policy hides a row, an empty answer hides nothing.
  if (table === undefined || table.isOpen || table.primaryKey.length === 0) return false;
  const isAsked = (name: string): boolean => filters.some((filter) => names(filter, name));
  const mayBeEmpty = table.primaryKey.filter((name) => table.columns.get(name)?.nullable === true);
  return (
    table.primaryKey.every((name) => mayBeEmpty.includes(name) || isAsked(name)) &&
    (mayBeEmpty.length === 0 || mayBeEmpty.some(isAsked))
  );
}

function names(logic: PlannedLogic, column: string): boolean {
  if (logic.kind === 'group') return logic.members.some((member) => names(member, column));
  return logic.kind === 'filter' && logic.field.name === column;
}
