// Catalog of the data door: relations, their columns and keys, relationships and routines. Plain data, built by `load-catalog.ts` and
// replaced as a whole on reload; a request keeps the one it began with.

import type { Isolation } from '../../database/types.ts';

export interface Name {
  readonly schema: string;
  readonly name: string;
}

export interface Column {
  readonly name: string;
  readonly description: string | null;
  readonly nullable: boolean;
  /** The type with domains over built-in types resolved: what a value is read as. */
  readonly type: string;
  /** The type as declared, domains kept. */
  readonly declaredType: string;
  readonly maxLength: number | null;
  readonly default: string | null;
  readonly enumValues: readonly string[];
}

export interface Table extends Name {
  readonly description: string | null;
  readonly isView: boolean;
  /** A stored table without row security: whoever may read it sees all of its rows. */
  readonly isOpen: boolean;
  readonly insertable: boolean;
  readonly updatable: boolean;
  readonly deletable: boolean;
  /** A DELETE sets `deleted_at`: the row is put aside, out of sight. */
  readonly marksDeleted: boolean;
  readonly primaryKey: readonly string[];
  readonly columns: ReadonlyMap<string, Column>;
  /** Some column has a data representation for json, so `*` must be spelled out. */
  readonly hasRepresentations: boolean;
}

export type ColumnPair = readonly [own: string, foreign: string];

/** A relationship made of keys, seen from `table`. */
export interface KeyRelationship {
  readonly kind: 'one-to-many' | 'many-to-one' | 'one-to-one';
  readonly table: Name;
  readonly foreign: Name;
  readonly isSelf: boolean;
  readonly constraint: string;
  readonly columns: readonly ColumnPair[];
  /** One-to-one, seen from the referenced side. */
  readonly isParent: boolean;
  /** One of its columns may be empty. */
  readonly isOptional: boolean;
  readonly tableIsView: boolean;
  readonly foreignIsView: boolean;
}

export interface JunctionRelationship {
  readonly kind: 'many-to-many';
  readonly table: Name;
  readonly foreign: Name;
  readonly isSelf: boolean;
  readonly junction: Name;
  readonly constraint: string;
  readonly constraint2: string;
  readonly sourceColumns: readonly ColumnPair[];
  readonly targetColumns: readonly ColumnPair[];
  readonly tableIsView: boolean;
  readonly foreignIsView: boolean;
}

/** A function from one relation's row to rows of another. */
export interface ComputedRelationship {
  readonly kind: 'computed';
  readonly function: Name;
  readonly table: Name;
  readonly foreign: Name;
  readonly toOne: boolean;
  readonly isSelf: boolean;
}

export type Relationship = KeyRelationship | JunctionRelationship | ComputedRelationship;

export function isToOne(relationship: Relationship): boolean {
  if (relationship.kind === 'computed') return relationship.toOne;
  return relationship.kind === 'many-to-one' || relationship.kind === 'one-to-one';
}

export interface Parameter {
  readonly name: string;
  readonly type: string;
  /** The type without a length limit (`bit`, `character`), so that values are not cut. */
  readonly openType: string;
  readonly required: boolean;
  readonly variadic: boolean;
}

export interface Routine extends Name {
  readonly description: string | null;
  readonly parameters: readonly Parameter[];
  readonly returns: Name;
  readonly returnsSet: boolean;
  readonly returnsComposite: boolean;
  readonly volatility: 'volatile' | 'stable' | 'immutable';
  readonly hasVariadic: boolean;
  /** Names of the result's columns: those of a composite type, or of `returns table`. */
  readonly columns: ReadonlySet<string>;
  /** Settings attached to the function that must hold before it starts. */
  readonly settings: TransactionSettings;
}

export const isVoid = (routine: Routine): boolean =>
  !routine.returnsSet && routine.returns.schema === 'pg_catalog' && routine.returns.name === 'void';

/** A function or aggregate that makes a media type, for one relation or routine, or for any (`target` null). */
export interface MediaHandler {
  readonly handler: Name;
  readonly target: Name | null;
  readonly mediaType: string;
  /** What is answered when the handler takes any type. */
  readonly resolvedType: string;
}

/** What a role or a function wants of the transaction it is in. */
export interface TransactionSettings {
  readonly isolation: Isolation | null;
  /** Statement timeout; 0: none. */
  readonly timeoutMs: number | null;
  readonly others: readonly (readonly [name: string, value: string])[];
}

type BySchema<T> = ReadonlyMap<string, ReadonlyMap<string, T>>;

export interface Catalog {
  readonly version: number;
  /** Changes when the database's structure does; cheap to ask for. */
  readonly fingerprint: string;
  readonly tables: BySchema<Table>;
  /** By the schema and name of the relation they start from; both ends in that schema. */
  readonly relationships: BySchema<readonly Relationship[]>;
  readonly routines: BySchema<readonly Routine[]>;
  /** Function names by `source\0target` type. */
  readonly representations: ReadonlyMap<string, string>;
  readonly mediaHandlers: readonly MediaHandler[];
  /** Functions from a relation's row, as its computed columns: by the relation's schema and name. */
  readonly computed: BySchema<ReadonlySet<string>>;
  /** Functions of Postgres, and aggregates of anyone, that would take a row of whatever relation. */
  readonly openFunctions: ReadonlySet<string>;
  /** `alter role … set …`, for the roles that callers may have. */
  readonly roleSettings: ReadonlyMap<string, TransactionSettings>;
  /** What makes a row into a GeoJSON feature, where PostGIS is. */
  readonly geoJson: Name | null;
  /** SQL text of a type by the names a client may cast to. */
  readonly castTypes: ReadonlyMap<string, string>;
}

export function findTable(catalog: Catalog, schema: string, name: string): Table | undefined {
  return catalog.tables.get(schema)?.get(name);
}

export function representation(catalog: Catalog, source: string, target: string): string | undefined {
  return catalog.representations.size === 0 ? undefined : catalog.representations.get(`${source}\0${target}`);
}
