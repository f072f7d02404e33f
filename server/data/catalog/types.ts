// Types by oid: what a domain stands on, which relation a row type belongs to, and the names a client may cast to.

export type TypeRow = readonly [
  oid: number,
  schema: string,
  name: string,
  kind: string,
  base: number,
  relation: number,
  sqlName: string,
];

export interface Type {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
  readonly relation: number;
  readonly sqlName: string;
}

const UNKNOWN: Type = { oid: 0, schema: 'pg_catalog', name: 'unknown', kind: 'p', relation: 0, sqlName: 'unknown' };

export class Types {
  readonly #byOid: ReadonlyMap<number, TypeRow>;

  constructor(rows: readonly TypeRow[]) {
    this.#byOid = new Map(rows.map((row) => [row[0], row]));
  }

  all(): Iterable<TypeRow> {
    return this.#byOid.values();
  }

  /** The type under a domain, through domains over domains; any other type is its own base. */
  base(oid: number): Type {
    let row = this.#byOid.get(oid);
    while (row !== undefined && row[4] !== 0) row = this.#byOid.get(row[4]);
    if (row === undefined) return UNKNOWN;
    return { oid: row[0], schema: row[1], name: row[2], kind: row[3], relation: row[5], sqlName: row[6] };
  }

  /** The relation whose row type this is, or 0. */
  relationOf(oid: number): number {
    return this.#byOid.get(oid)?.[5] ?? 0;
  }
}

/** SQL's own spellings, which the parser knows and pg_type does not; lengths are left open. */
const SPELLINGS: Readonly<Record<string, string>> = {
  int: 'int4',
  integer: 'int4',
  smallint: 'int2',
  bigint: 'int8',
  real: 'float4',
  float: 'float8',
  'double precision': 'float8',
  decimal: 'numeric',
  dec: 'numeric',
  boolean: 'bool',
  'character varying': 'varchar',
  'char varying': 'varchar',
  'bit varying': 'varbit',
  'timestamp without time zone': 'timestamp',
  'timestamp with time zone': 'timestamptz',
  'time without time zone': 'time',
  'time with time zone': 'timetz',
};

/** Text that can stand after `as` in a cast, by what a client may write. Later schemas never hide earlier ones. */
export function castNames(types: Types, schemas: readonly string[]): Map<string, string> {
  const path = ['pg_catalog', ...schemas];
  const ranked: { rank: number; name: string; text: string }[] = [];
  for (const [, schema, name, kind] of types.all()) {
    const rank = path.indexOf(schema);
    if (rank >= 0 && kind !== 'p') ranked.push({ rank, name, text: quote(schema, name) });
  }
  ranked.sort((a, b) => b.rank - a.rank);
  const names = new Map(ranked.map(({ name, text }) => [name, text]));
  for (const [spelling, name] of Object.entries(SPELLINGS)) names.set(spelling, quote('pg_catalog', name));
  // Unquoted, these mean one character or one bit.
  names.set('char', 'character(1)');
  names.set('character', 'character(1)');
  names.set('bit', 'bit(1)');
  return names;
}

const quote = (schema: string, name: string): string =>
  `"${schema.replaceAll('"', '""')}"."${name.replaceAll('"', '""')}"`;
