// Builds routines from rows of pg_proc: parameters in order, kinds of result, overloads sorted.

import type { Parameter, Routine } from './catalog.ts';
import type { RelationRow, RoutineRow } from './catalog-rows.ts';
import { inSchema } from './make-tables.ts';
import { readSettings } from './transaction-settings.ts';
import type { Types } from './types.ts';

const SINGLE_UNNAMED = new Set(['bytea', 'json', 'jsonb', 'text', 'xml']);
const OPEN_TYPES: Readonly<Record<string, string>> = {
  bit: 'bit varying',
  'bit[]': 'bit varying[]',
  character: 'character varying',
  'character[]': 'character varying[]',
};

export function makeRoutines(
  rows: readonly RoutineRow[],
  types: Types,
  relations: ReadonlyMap<number, RelationRow>,
  hoisted: ReadonlySet<string>,
): Map<string, Map<string, Routine[]>> {
  const routines = new Map<string, Map<string, Routine[]>>();
  for (const row of rows) {
    if (!row.exposed) continue;
    const parameters = readParameters(row);
    const unnamed = parameters.filter((parameter) => parameter.name === '');
    if (unnamed.length > 1 || (unnamed.length === 1 && !SINGLE_UNNAMED.has(unnamed[0]?.type ?? ''))) continue;
    const returned = types.base(row.returns);
    const relation = relations.get(returned.relation);
    const byName = inSchema(routines, row.schema);
    const routine: Routine = {
      schema: row.schema,
      name: row.name,
      description: row.description,
      parameters,
      returns: relation ?? { schema: returned.schema, name: returned.name },
      returnsSet: row.set,
      returnsComposite: returned.kind === 'c' || (row.modes ?? []).some((mode) => 'tbo'.includes(mode)),
      volatility: row.volatility === 'v' ? 'volatile' : row.volatility === 's' ? 'stable' : 'immutable',
      hasVariadic: row.variadic,
      columns: new Set(
        row.columns ?? (row.modes ?? []).flatMap((mode, at) => ('tbo'.includes(mode) ? [row.names?.[at] ?? ''] : [])),
      ),
      settings: readSettings(row.settings ?? [], (name) => hoisted.has(name)),
    };
    byName.set(row.name, [...(byName.get(row.name) ?? []), routine]);
  }
  for (const byName of routines.values()) for (const overloads of byName.values()) overloads.sort(byParameters);
  return routines;
}

/** Fewest parameters first; candidates are listed in this order. */
function byParameters(a: Routine, b: Routine): number {
  const text = (routine: Routine): string =>
    `${routine.description ?? ''}\0${routine.parameters.map(({ name, type }) => `${name}\0${type}`).join('\0')}`;
  return a.parameters.length - b.parameters.length || (text(a) < text(b) ? -1 : 1);
}

function readParameters(row: RoutineRow): Parameter[] {
  const names = row.names ?? [];
  const inputs =
    row.modes === null
      ? row.types.map((_, index) => names[index] ?? '')
      : row.modes.flatMap((mode, index) => ('ibv'.includes(mode) ? [names[index] ?? ''] : []));
  return row.types.map(([, type], index) => ({
    name: inputs[index] ?? '',
    type,
    openType: OPEN_TYPES[type] ?? type,
    required: index < row.types.length - row.defaults,
    variadic: row.variadic && index === row.types.length - 1,
  }));
}

/** Functions whose first argument is a relation's row: `rows.function` reads them like a column. */
export function computedColumns(
  rows: readonly RoutineRow[],
  types: Types,
  relations: ReadonlyMap<number, RelationRow>,
  searched: ReadonlySet<string>,
): Map<string, Map<string, Set<string>>> {
  const computed = new Map<string, Map<string, Set<string>>>();
  for (const row of rows) {
    const relation = relations.get(types.relationOf(row.types[0]?.[0] ?? 0));
    if (relation === undefined || !searched.has(row.schema)) continue;
    const byName = inSchema(computed, relation.schema);
    byName.set(relation.name, (byName.get(relation.name) ?? new Set()).add(row.name));
  }
  return computed;
}
