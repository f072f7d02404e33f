// Parsed request, as plain data: the product of the first stage, not yet compared with the catalog.

import type { MediaType } from './media-types.ts';
import type { Preferences } from './parse-preferences.ts';

export interface JsonStep {
  readonly arrow: '->' | '->>';
  readonly key: string;
  readonly isIndex: boolean;
}

export interface Field {
  readonly name: string;
  readonly path: readonly JsonStep[];
}

export type Aggregate = 'sum' | 'avg' | 'count' | 'min' | 'max';

export interface FieldItem {
  readonly kind: 'field';
  readonly field: Field;
  readonly alias: string | null;
  readonly cast: string | null;
  readonly aggregate: Aggregate | null;
  readonly aggregateCast: string | null;
}

export interface RelationItem {
  readonly kind: 'relation';
  readonly name: string;
  readonly alias: string | null;
  readonly hint: string | null;
  readonly join: 'inner' | 'left' | null;
  readonly spread: boolean;
  readonly items: readonly SelectItem[];
}

export type SelectItem = FieldItem | RelationItem;

export type QuantifiedOperator = 'eq' | 'gte' | 'gt' | 'lte' | 'lt' | 'like' | 'ilike' | 'match' | 'imatch';
export type SimpleOperator = 'neq' | 'cs' | 'cd' | 'ov' | 'sl' | 'sr' | 'nxr' | 'nxl' | 'adj';
export type SearchOperator = 'fts' | 'plfts' | 'phfts' | 'wfts';
export type IsValue = 'null' | 'not_null' | 'true' | 'false' | 'unknown';

export type Operation =
  | {
      readonly kind: 'quantified';
      readonly operator: QuantifiedOperator;
      readonly quantifier: 'any' | 'all' | null;
      readonly value: string;
    }
  | { readonly kind: 'simple'; readonly operator: SimpleOperator; readonly value: string }
  | { readonly kind: 'is'; readonly value: IsValue }
  | { readonly kind: 'distinct'; readonly value: string }
  | { readonly kind: 'in'; readonly values: readonly string[] }
  | {
      readonly kind: 'search';
      readonly operator: SearchOperator;
      readonly language: string | null;
      readonly value: string;
    };

export interface Filter {
  readonly kind: 'filter';
  readonly field: Field;
  readonly negated: boolean;
  readonly operation: Operation;
}

export interface LogicGroup {
  readonly kind: 'group';
  readonly negated: boolean;
  readonly operator: 'and' | 'or';
  readonly members: readonly Logic[];
}

export type Logic = Filter | LogicGroup;

export interface OrderTerm {
  /** The embedded to-one resource whose column orders, if any. */
  readonly relation: string | null;
  readonly field: Field;
  readonly direction: 'asc' | 'desc' | null;
  readonly nulls: 'first' | 'last' | null;
}

/** Names of embedded resources from the root inwards; empty for the root. */
export type EmbedPath = readonly string[];

export interface Placed<T> {
  readonly path: EmbedPath;
  readonly value: T;
}

/** Rows from `offset`, `limit` of them (null: all). */
export interface RowRange {
  readonly offset: number;
  readonly limit: number | null;
}

export const ALL_ROWS: RowRange = { offset: 0, limit: null };

export interface QueryParameters {
  readonly select: readonly SelectItem[];
  readonly filters: readonly Placed<Filter>[];
  readonly logic: readonly Placed<Logic>[];
  readonly orders: readonly Placed<readonly OrderTerm[]>[];
  readonly ranges: readonly Placed<RowRange>[];
  readonly columns: readonly string[] | null;
  readonly onConflict: readonly string[] | null;
  /** Names filters were written for, as sent. */
  readonly filterNames: readonly string[];
  /** What a procedure called by GET takes as arguments. */
  readonly arguments: readonly (readonly [name: string, value: string])[];
  /** Sorted and encoded again, for Content-Location. */
  readonly canonical: string;
}

export type Target =
  | { readonly kind: 'root' }
  | { readonly kind: 'relation'; readonly name: string }
  | { readonly kind: 'routine'; readonly name: string };

export type Payload =
  /** JSON text to be taken apart by Postgres; `isObject` decides how. */
  | { readonly kind: 'json'; readonly body: Buffer; readonly isObject: boolean }
  | { readonly kind: 'form'; readonly pairs: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: 'raw'; readonly body: Buffer };

export interface ApiRequest {
  readonly method: string;
  readonly target: Target;
  readonly schema: string;
  /** The schema was chosen by header (or there are several): say which in the answer. */
  readonly schemaNegotiated: boolean;
  readonly query: QueryParameters;
  /** Range of the root, from `limit`, `offset` and the Range header. */
  readonly range: RowRange;
  readonly preferences: Preferences;
  readonly accept: readonly MediaType[];
  readonly contentType: MediaType;
  readonly payload: Payload | null;
  /** Columns the payload sets, sorted. */
  readonly columns: readonly string[];
}
