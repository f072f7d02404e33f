// Reads the catalog whole, in one transaction, and shapes it into plain maps. Runs as the login role itself:
// what a caller may touch is for Postgres to say when the caller comes.

import type { Database, Transaction } from '../../database/types.ts';
import type { Catalog, MediaHandler, Name } from './catalog.ts';
import * as queries from './catalog-queries.ts';
import type { KeyRow, RelationRow, RoleRow, RoutineRow, ViewRow } from './catalog-rows.ts';
import { computedRelationships, foreignKeys, keysOfViews } from './make-keys.ts';
import { computedColumns, makeRoutines } from './make-routines.ts';
import { makeTables } from './make-tables.ts';
import { relate } from './relationships.ts';
import { HOISTED, readSettings } from './transaction-settings.ts';
import { castNames, type TypeRow, Types } from './types.ts';

/** Nobody in particular: `set role none` is the login role. */
export const LOGIN = { role: 'none', claims: '{}' } as const;

export interface CatalogScope {
  readonly schemas: readonly string[];
  readonly extraSearchPath: readonly string[];
  /** Settings of functions that hold for the whole transaction; PostgREST's own choice when absent. */
  readonly hoisted?: readonly string[];
}

let versions = 0;

export async function loadCatalog(database: Database, scope: CatalogScope): Promise<Catalog> {
  return database.transactAs(
    LOGIN,
    async (tx) => {
      const fingerprint = await readFingerprint(tx);
      const schemas = arrayLiteral(scope.schemas);
      const types = new Types(await jsonRows<TypeRow>(tx, queries.TYPES));
      const enums = new Map(await jsonRows<[number, string[]]>(tx, queries.ENUMS));
      const relations = await jsonRows<RelationRow>(tx, queries.RELATIONS, schemas);
      const keys = await jsonRows<KeyRow>(tx, queries.KEYS);
      const searched = arrayLiteral([...scope.schemas, ...scope.extraSearchPath]);
      const views = await jsonRows<ViewRow>(tx, queries.VIEWS, searched);
      const routines = await jsonRows<RoutineRow>(tx, queries.ROUTINES, schemas);
      const representations = await jsonRows<[string, string, string, string]>(tx, queries.REPRESENTATIONS);
      const mediaHandlers = await jsonRows<MediaHandler>(tx, queries.MEDIA_HANDLERS, schemas);

      const represented = new Map(
        representations.map(([source, target, schema, name]) => [`${source}\0${target}`, quotePath(schema, name)]),
      );
      const exposed = new Set(scope.schemas);
      const relationByOid = new Map(relations.map((relation) => [relation.oid, relation]));
      const viewKeys = keysOfViews(keys, views, relationByOid);
      const primaryKeys = new Map<string, string[]>();
      for (const key of keys) {
        const table = relationByOid.get(key.table);
        if (key.kind === 'p' && table !== undefined) primaryKeys.set(nameKey(table), [...key.columns].sort());
      }
      for (const key of viewKeys)
        if (key.role === 'primary') {
          const columns = key.columns.flatMap(([, viewColumns]) => viewColumns.slice(0, 1));
          primaryKeys.set(nameKey(key.view), [...(primaryKeys.get(nameKey(key.view)) ?? []), ...columns]);
        }
      const primaryKeyOf = (name: Name): readonly string[] => primaryKeys.get(nameKey(name)) ?? [];

      return {
        version: ++versions,
        fingerprint,
        tables: makeTables(relations, exposed, types, enums, represented, primaryKeyOf),
        relationships: relate(
          foreignKeys(keys, relationByOid),
          viewKeys,
          computedRelationships(routines, types, relationByOid),
          exposed,
          primaryKeyOf,
        ),
        routines: makeRoutines(routines, types, relationByOid, new Set(scope.hoisted ?? HOISTED)),
        computed: computedColumns(
          routines,
          types,
          relationByOid,
          new Set([...scope.schemas, ...scope.extraSearchPath]),
        ),
        openFunctions: new Set(await jsonRows<string>(tx, queries.OPEN_FUNCTIONS, searched)),
        roleSettings: new Map(
          (await jsonRows<RoleRow>(tx, queries.ROLES)).map(({ role, settings }) => [
            role,
            readSettings(settings ?? [], () => true),
          ]),
        ),
        representations: represented,
        mediaHandlers,
        geoJson: (await jsonRows<Name>(tx, queries.GEOJSON, searched))[0] ?? null,
        castTypes: castNames(types, [...scope.schemas, ...scope.extraSearchPath]),
      };
    },
    { readOnly: true, settings: [['search_path', '']] },
  );
}

export async function readFingerprint(tx: Transaction): Promise<string> {
  const { rows } = await tx.run({ text: queries.FINGERPRINT, values: [] });
  return rows[0]?.[0]?.toString() ?? '';
}

async function jsonRows<T>(tx: Transaction, text: string, ...values: string[]): Promise<T[]> {
  const { rows } = await tx.run({ text, values });
  return rows.map(([value]) => JSON.parse(value?.toString() ?? 'null') as T);
}

function arrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`;
}

const nameKey = (name: Name): string => `${name.schema}\0${name.name}`;
const quotePath = (...path: string[]): string => path.map((name) => `"${name.replaceAll('"', '""')}"`).join('.');
