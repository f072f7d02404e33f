// Spread resources (`...clients(name)`) give their columns to the parent. To-one: as columns, with aggregates taken
// over the parent's groups, as far up as spreads go. To-many: as arrays, in the order asked for.

import { DataError } from '../errors.ts';
import type { PlannedSelect, ReadNode, SpreadSelect } from './plan.ts';

interface Hoisted {
  readonly joinAlias: string;
  readonly name: string;
  readonly from: PlannedSelect;
}

export function hoistSpreads(root: ReadNode): void {
  fillSpreads(root);
  hoist(root);
  refuseToManyAggregates(root);
}

/** Children first: a nested spread's columns are its parent's columns too. */
function fillSpreads(node: ReadNode): void {
  node.children.forEach(fillSpreads);
  if (node.spread === null) return;
  const own = node.select.map((one) => spreadSelect(one.alias ?? one.field.name));
  const nested = node.children.flatMap((child) =>
    child.spread === null ? [spreadSelect(child.resultName)] : child.spreadSelects.map((one) => spreadSelect(one.name)),
  );
  node.spreadSelects = [...own, ...nested];
}

const spreadSelect = (name: string): SpreadSelect => ({ name, alias: null, aggregate: null, aggregateCast: null });

function hoist(node: ReadNode): Hoisted[] {
  const fromChildren = node.children.flatMap(hoist);
  const passesOn = node.spread === 'to-one' && node.depth > 0;
  if (!passesOn) {
    for (const child of node.children)
      if (child.spread !== null)
        for (const select of child.spreadSelects) {
          const hoisted = fromChildren.find((one) => one.joinAlias === child.joinAlias && one.name === select.name);
          if (hoisted === undefined) continue;
          select.aggregate = hoisted.from.aggregate;
          select.aggregateCast = hoisted.from.aggregateCast;
          select.alias = hoisted.from.alias;
        }
    return [];
  }
  const own: Hoisted[] = [];
  node.select = node.select.map((select) => {
    if (select.aggregate === null) return select;
    own.push({ joinAlias: node.joinAlias, name: select.alias ?? select.field.name, from: select });
    return { ...select, aggregate: null, aggregateCast: null };
  });
  return [...own, ...fromChildren.map((one) => ({ ...one, joinAlias: node.joinAlias }))];
}

function refuseToManyAggregates(node: ReadNode): void {
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
