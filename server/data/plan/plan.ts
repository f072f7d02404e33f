// Plan of a request, as plain data: names resolved against the catalog, values still as they were sent.

import type { Name, Parameter, Relationship, Routine, Table } from '../catalog/catalog.ts';
import type { Aggregate, JsonStep, Operation, Payload, RowRange } from '../request/api-request.ts';
import type { MediaType } from '../request/media-types.ts';

export interface PlannedField {
  readonly name: string;
  readonly path: readonly JsonStep[];
  /** The column is no json: a path into it goes through `to_jsonb`. */
  readonly toJson: boolean;
  /** SQL of a function that makes the representation asked for, or reads it. */
  readonly transform: string | null;
  /** Full-text search on something that is no tsvector: language, or null for the default. */
  readonly toVector: { readonly language: string | null } | null;
  /** Counts rows of a spread resource rather than a column. */
  readonly wholeRow: boolean;
}

export interface PlannedSelect {
  readonly field: PlannedField;
  readonly alias: string | null;
  readonly cast: string | null;
  readonly aggregate: Aggregate | null;
  readonly aggregateCast: string | null;
}

export interface PlannedFilter {
  readonly kind: 'filter';
  readonly field: PlannedField;
  readonly negated: boolean;
  readonly operation: Operation;
}

/** Whether an embedded resource is there. */
export interface PlannedPresence {
  readonly kind: 'presence';
  /** Which of the node's children. */
  readonly child: number;
  readonly present: boolean;
}

export interface PlannedGroup {
  readonly kind: 'group';
  readonly negated: boolean;
  readonly operator: 'and' | 'or';
  readonly members: readonly PlannedLogic[];
}

export type PlannedLogic = PlannedFilter | PlannedPresence | PlannedGroup;

export interface PlannedOrder {
  /** Which of the node's children gives the column, a to-one resource; null: the node itself. */
  readonly child: number | null;
  readonly field: PlannedField;
  readonly direction: 'asc' | 'desc' | null;
  readonly nulls: 'first' | 'last' | null;
}

export interface SpreadSelect {
  readonly name: string;
  readonly alias: string | null;
  readonly aggregate: Aggregate | null;
  readonly aggregateCast: string | null;
}

/** One relation being read, with those embedded in it. Made from the leaves up, and never changed after. */
export interface ReadNode {
  /** As the client wrote it, and what it is called in the result. */
  readonly name: string;
  readonly resultName: string;
  readonly depth: number;
  /** Null for the root. */
  readonly relationship: Relationship | null;
  readonly from: Name;
  /** How its rows are called in SQL, and how the rows it gives its parent are. */
  readonly rowAlias: string;
  readonly joinAlias: string;
  /** How the rows it is embedded in are called; empty for the root. */
  readonly parentAlias: string;
  readonly inner: boolean;
  readonly spread: 'to-one' | 'to-many' | null;
  readonly select: readonly PlannedSelect[];
  readonly filters: readonly PlannedLogic[];
  readonly order: readonly PlannedOrder[];
  readonly range: RowRange;
  readonly children: readonly ReadNode[];
  /** What a spread node adds to its parent. */
  readonly spreadSelects: readonly SpreadSelect[];
  /** Of the root: aliased resources that were named by their target, which is to be given up one day. */
  readonly renamed: readonly (readonly [name: string, alias: string])[];
  /** Something above needs this node as a join: an order, a presence filter. */
  readonly needsJoin: boolean;
}

export type Handler =
  | { readonly kind: 'json' | 'stripped-json' | 'csv' | 'none' }
  | { readonly kind: 'geojson'; readonly function: Name }
  | { readonly kind: 'object'; readonly stripped: boolean }
  | { readonly kind: 'custom'; readonly function: Name; readonly target: Name | null };

interface CommonPlan {
  readonly read: ReadNode;
  readonly handler: Handler;
  readonly mediaType: MediaType;
  readonly name: Name;
}

export interface ReadPlan extends CommonPlan {
  readonly kind: 'read';
  readonly headersOnly: boolean;
}

export interface BodyColumn {
  readonly name: string;
  /** The type the JSON value is read as. */
  readonly type: string;
  readonly transform: string | null;
  readonly default: string | null;
}

export interface WritePlan extends CommonPlan {
  readonly kind: 'write';
  readonly table: Table;
  readonly mutation: 'insert' | 'update' | 'delete' | 'upsert-one';
  readonly columns: readonly BodyColumn[];
  readonly payload: Extract<Payload, { kind: 'json' }> | null;
  readonly filters: readonly PlannedLogic[];
  readonly conflict: {
    readonly resolution: 'merge-duplicates' | 'ignore-duplicates';
    readonly columns: readonly string[];
  } | null;
  /** Columns to return; empty for none, `*` alone for all. */
  readonly returning: readonly string[];
  readonly applyDefaults: boolean;
}

export type CallArguments =
  | { readonly kind: 'direct'; readonly values: ReadonlyMap<string, string | readonly string[]> }
  | { readonly kind: 'json'; readonly body: Buffer; readonly isObject: boolean }
  | { readonly kind: 'raw'; readonly body: Buffer };

export interface CallPlan extends CommonPlan {
  readonly kind: 'call';
  readonly routine: Routine;
  readonly parameters: readonly Parameter[];
  readonly arguments: CallArguments;
  readonly readOnly: boolean;
  readonly headersOnly: boolean;
  /** Columns the rest of the query needs of the result, when it must be kept in a CTE. */
  readonly returning: readonly string[];
}

export type InfoPlan =
  | { readonly kind: 'info'; readonly allow: string }
  /** The root: the description of everything. */
  | { readonly kind: 'inspect'; readonly schema: string; readonly headersOnly: boolean };

export type Plan = ReadPlan | WritePlan | CallPlan | InfoPlan;
