// Tree of the places in `select`: filters, orders and ranges are put where their path leads, before any relationship is known. Refuses a
// request that embeds too much.

import { DataError } from '../errors.ts';
import {
  ALL_ROWS,
  type ApiRequest,
  type EmbedPath,
  type Filter,
  type Logic,
  type OrderTerm,
  type RelationItem,
  type RowRange,
  type SelectItem,
} from '../request/api-request.ts';

export interface BranchLimits {
  readonly maxEmbedDepth: number;
  readonly maxEmbeds: number;
  readonly legacyTargetNames: boolean;
}

/** A place in `select`. */
export interface Branch {
  readonly item: RelationItem | null;
  readonly items: readonly SelectItem[];
  readonly children: readonly Branch[];
  readonly filters: readonly Filter[];
  readonly logic: readonly Logic[];
  readonly order: readonly OrderTerm[];
  readonly range: RowRange;
}

/** One that is still being filled. */
interface OpenBranch extends Branch {
  readonly children: readonly OpenBranch[];
  readonly filters: Filter[];
  readonly logic: Logic[];
  order: readonly OrderTerm[];
  range: RowRange;
  /** Named by its target although it has an alias. */
  renamed: boolean;
}

/** Pairs of names: how an aliased resource was called, and how it should be. */
export type Renamed = readonly (readonly [name: string, alias: string])[];

/** The root's own filters and range are not for the rows that a write returns. */
export function growBranches(
  limits: BranchLimits,
  { query, range }: ApiRequest,
  mutates: boolean,
): { root: Branch; renamed: Renamed } {
  const root = openBranch(null, query.select);
  if (root.children.length > 0) refuseTooMany(limits, root);
  const find = (path: EmbedPath): OpenBranch => findBranch(root, path, limits.legacyTargetNames);
  for (const { path, value } of query.filters) if (!mutates || path.length > 0) find(path).filters.push(value);
  for (const { path, value } of query.orders) {
    const branch = find(path);
    if (branch.order === UNORDERED) branch.order = value;
  }
  if (!mutates) {
    root.range = range;
    for (const { path, value } of query.ranges) if (path.length > 0) find(path).range = value;
  }
  for (const { path, value } of query.logic) if (!mutates || path.length > 0) find(path).logic.push(value);
  return { root, renamed: renamedIn(root) };
}

const UNORDERED: readonly OrderTerm[] = [];

function openBranch(item: RelationItem | null, items: readonly SelectItem[]): OpenBranch {
  const children = items.flatMap((one) => (one.kind === 'relation' ? [openBranch(one, one.items)] : []));
  return { item, items, children, filters: [], logic: [], order: UNORDERED, range: ALL_ROWS, renamed: false };
}

const depthOf = ({ children }: Branch): number => (children.length === 0 ? 0 : 1 + Math.max(...children.map(depthOf)));
const countOf = ({ children }: Branch): number => children.reduce((sum, child) => sum + 1 + countOf(child), 0);

/** Each embedded resource multiplies what Postgres has to plan, to make and to keep. */
function refuseTooMany({ maxEmbedDepth, maxEmbeds }: BranchLimits, branch: Branch): void {
  const depth = depthOf(branch);
  if (depth > maxEmbedDepth)
    throw new DataError('KBD06', {
      message: `Resources are embedded ${depth} levels deep; at most ${maxEmbedDepth} are read here`,
      hint: 'Ask in several requests, or raise DATA_MAX_EMBED_DEPTH.',
    });
  const count = countOf(branch);
  if (count > maxEmbeds)
    throw new DataError('KBD06', {
      message: `The request embeds ${count} resources; at most ${maxEmbeds} are read here`,
      hint: 'Ask in several requests, or raise DATA_MAX_EMBEDS.',
    });
}

function findBranch(branch: OpenBranch, path: EmbedPath, legacyTargetNames: boolean): OpenBranch {
  let found = branch;
  for (const name of path) {
    const next = found.children.find(({ item }) => item !== null && (item.name === name || item.alias === name));
    if (next === undefined)
      throw new DataError('PGRST108', {
        message: `'${name}' is not an embedded resource in this request`,
        hint: `Verify that '${name}' is included in the 'select' query parameter.`,
      });
    if (next.item?.alias != null && next.item.alias !== name) {
      if (!legacyTargetNames)
        throw new DataError('PGRST108', {
          message: `'${name}' is not an embedded resource in this request`,
          details: 'Target names are not allowed in filters if they have an alias',
          hint: `Change '${name}' to '${next.item.alias}' in filters, orders or limits.`,
        });
      next.renamed = true;
    }
    found = next;
  }
  return found;
}

function renamedIn(branch: OpenBranch): Renamed {
  const { item } = branch;
  const own = branch.renamed && item?.alias != null ? [[item.name, item.alias] as const] : [];
  return branch.children.length === 0 ? own : [...own, ...branch.children.flatMap(renamedIn)];
}
