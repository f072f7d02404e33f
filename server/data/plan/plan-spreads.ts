// Spread resources (`...clients(name)`) give their columns to the parent. To-one: as columns, with aggregates taken
// over the parent's groups, as far up as spreads go. To-many: as arrays, in the order asked for.

import { DataError } from '../errors.ts';
import type { PlannedSelect, ReadNode, SpreadSelect } from './plan.ts';

/** An aggregate on its way up to the groups it is taken over. */
export interface Hoisted {
  readonly joinAlias: string;
  readonly name: string;
  readonly from: PlannedSelect;
}

/** What a spread node adds to its parent; a nested spread's columns are its parent's columns too. */
export function spreadSelects(select: readonly PlannedSelect[], children: readonly ReadNode[]): SpreadSelect[] {
  const own = select.map((one) => spreadSelect(one.alias ?? one.field.name));
  const nested = children.flatMap((child) =>
    child.spread === null ? [spreadSelect(child.resultName)] : child.spreadSelects.map((one) => spreadSelect(one.name)),
  );
  return [...own, ...nested];
}

const spreadSelect = (name: string): SpreadSelect => ({ name, alias: null, aggregate: null, aggregateCast: null });

interface Below {
  readonly node: ReadNode;
  readonly hoisted: readonly Hoisted[];
}

/** A to-one spread passes aggregates on, its own and those from below; any other node is where they are taken. */
export function hoistSpreads(
  { spread }: Pick<ReadNode, 'spread'>,
  joinAlias: string,
  select: readonly PlannedSelect[],
  below: readonly Below[],
): { select: readonly PlannedSelect[]; children: readonly ReadNode[]; hoisted: readonly Hoisted[] } {
  const children = below.map(({ node }) => node);
  const fromBelow = below.flatMap(({ hoisted }) => hoisted);
  if (spread !== 'to-one') {
    if (fromBelow.length === 0) return { select, children, hoisted: fromBelow };
    return { select, children: children.map((child) => takeHoisted(child, fromBelow)), hoisted: [] };
  }
  const own = select
    .filter((one) => one.aggregate !== null)
    .map((one) => ({ joinAlias, name: one.alias ?? one.field.name, from: one }));
  return {
    select: own.length === 0 ? select : select.map((one) => ({ ...one, aggregate: null, aggregateCast: null })),
    children,
    hoisted: [...own, ...fromBelow.map((one) => ({ ...one, joinAlias }))],
  };
}

function takeHoisted(child: ReadNode, all: readonly Hoisted[]): ReadNode {
  const own = all.filter((one) => one.joinAlias === child.joinAlias);
  if (child.spread === null || own.length === 0) return child;
  return {
    ...child,
    spreadSelects: child.spreadSelects.map((select) => {
      const hoisted = own.find(({ name }) => name === select.name)?.from;
      if (hoisted === undefined) return select;
      const { aggregate, aggregateCast, alias } = hoisted;
      return { ...select, aggregate, aggregateCast, alias };
    }),
  };
}

export function refuseToManyAggregates(node: ReadNode): void {
  const aggregates =
    node.select.some((one) => one.aggregate !== null) ||
    node.children.some((child) => child.spreadSelects.some((one) => one.aggregate !== null));
  if (node.spread === 'to-many' && aggregates)
    throw new DataError('PGRST127', {
      message: 'Feature not implemented',
      details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
    });
  node.children.forEach(refuseToManyAggregates);
}
