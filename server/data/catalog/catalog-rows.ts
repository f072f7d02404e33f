// Row types of the catalog queries.

export type ColumnRow = readonly [
  number: number,
  name: string,
  description: string | null,
  nullable: boolean,
  type: number,
  builtIn: boolean,
  bare: string,
  declared: string,
  modifier: number,
  fallback: string | null,
];

export interface RelationRow {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: 'r' | 'v' | 'm' | 'f' | 'p';
  /** Row security is on. */
  readonly secured: boolean;
  /** A trigger of data_door.set_deleted_at. */
  readonly marks: boolean;
  readonly description: string | null;
  readonly events: number;
  readonly columns: readonly ColumnRow[] | null;
}

export interface KeyRow {
  readonly kind: 'p' | 'u' | 'f';
  readonly name: string;
  readonly table: number;
  readonly foreign: number;
  readonly numbers: readonly number[];
  readonly foreignNumbers: readonly number[] | null;
  readonly columns: readonly string[];
  readonly foreignColumns: readonly string[] | null;
  /** Of its columns those that may be empty. */
  readonly optional: readonly string[] | null;
}

export interface ViewRow {
  readonly oid: number;
  readonly rule: string;
  readonly columns: Readonly<Record<string, string>>;
}

export interface RoutineRow {
  readonly schema: string;
  readonly name: string;
  readonly exposed: boolean;
  readonly description: string | null;
  readonly names: readonly string[] | null;
  readonly modes: readonly string[] | null;
  readonly types: readonly (readonly [oid: number, name: string])[];
  readonly defaults: number;
  readonly variadic: boolean;
  readonly returns: number;
  readonly set: boolean;
  readonly rows: number;
  readonly volatility: 'v' | 's' | 'i';
  readonly settings: readonly string[] | null;
  /** Columns of the composite type it returns, a relation's or another. */
  readonly columns: readonly string[] | null;
}

/** `alter role … set …`, those of this database after those of all. */
export interface RoleRow {
  readonly role: string;
  readonly settings: readonly string[] | null;
}
