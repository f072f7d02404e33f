// Finds the relationship of an embedded resource: by the name of the other relation, a function, the constraint or the foreign key column;
// a hint narrows the choice. No match or several are errors that list the candidates.

import type { Catalog, ColumnPair, Relationship } from '../catalog/catalog.ts';
import { SuggestingError, suggestRelationship, type Visible } from './suggest.ts';

export function findRelationship(
  catalog: Catalog,
  schema: string,
  origin: string,
  target: string,
  hint: string | null,
): Relationship {
  const candidates = catalog.relationships.get(schema)?.get(origin) ?? [];
  const found = candidates.filter((candidate) => matches(candidate, target, hint));
  const [first, second] = found;
  if (first === undefined) throw noRelationship(schema, origin, target, hint);
  if (second !== undefined) throw ambiguous(origin, target, found);
  return first;
}

const singleColumn = (relationship: Relationship): ColumnPair | undefined =>
  'columns' in relationship && relationship.columns.length === 1 ? relationship.columns[0] : undefined;

function matches(candidate: Relationship, target: string, hint: string | null): boolean {
  if (candidate.kind === 'computed') return candidate.function.name === target;
  const named = candidate.foreign.name === target;
  const [own, foreign] = singleColumn(candidate) ?? [];
  if (candidate.isSelf) {
    // One key, two directions: the relation's name means the many, the column's name means the one.
    if (hint !== null) return named && candidate.kind === 'one-to-many' && foreign === hint;
    return (named && candidate.kind === 'one-to-many') || (candidate.kind === 'many-to-one' && own === target);
  }
  const constraint = candidate.kind === 'many-to-many' ? null : candidate.constraint;
  if (hint === null) return named || (!candidate.foreignIsView && (constraint === target || own === target));
  return (
    named &&
    (constraint === hint ||
      own === hint ||
      foreign === hint ||
      (candidate.kind === 'many-to-many' && candidate.junction.name === hint))
  );
}

function noRelationship(schema: string, origin: string, target: string, hint: string | null): SuggestingError {
  const using = hint === null ? '' : ` using the hint '${hint}'`;
  return new SuggestingError(
    'PGRST200',
    {
      message: `Could not find a relationship between '${origin}' and '${target}' in the schema cache`,
      details: `Searched for a foreign key relationship between '${origin}' and '${target}'${using} in the schema '${schema}', but no matches were found.`,
    },
    suggestRelationship(schema, origin, target),
  );
}

const list = (names: readonly string[]): string => `(${names.join(', ')})`;

function describe(relationship: Relationship): Record<string, string> {
  const embedding = `${relationship.table.name} with ${relationship.foreign.name}`;
  if (relationship.kind === 'computed') return {};
  if (relationship.kind === 'many-to-many') {
    const source = list(relationship.sourceColumns.map(([, column]) => column));
    const target = list(relationship.targetColumns.map(([, column]) => column));
    return {
      cardinality: relationship.kind,
      embedding,
      relationship: `${relationship.junction.name} using ${relationship.constraint}${source} and ${relationship.constraint2}${target}`,
    };
  }
  const own = list(relationship.columns.map(([column]) => column));
  const foreign = list(relationship.columns.map(([, column]) => column));
  return {
    cardinality: relationship.kind,
    embedding,
    relationship: `${relationship.constraint} using ${relationship.table.name}${own} and ${relationship.foreign.name}${foreign}`,
  };
}

function hintFor(relationship: Relationship): string {
  if (relationship.kind === 'computed') return '';
  const by = relationship.kind === 'many-to-many' ? relationship.junction.name : relationship.constraint;
  return `'${relationship.foreign.name}!${by}'`;
}

/** Whether the caller may read all that a description of it names; without these columns it is of no use either. */
function maySee(one: Relationship, visible: Visible): boolean {
  if (!visible.tables(one.foreign.schema).has(one.foreign.name)) return false;
  if (one.kind === 'computed') return true;
  if (one.kind === 'many-to-many')
    return [...one.sourceColumns, ...one.targetColumns].every(([, column]) => visible.mayRead(one.junction, column));
  return one.columns.every(
    ([own, foreign]) => visible.mayRead(one.table, own) && visible.mayRead(one.foreign, foreign),
  );
}

function ambiguous(origin: string, target: string, found: readonly Relationship[]): SuggestingError {
  return new SuggestingError(
    'PGRST201',
    { message: `Could not embed because more than one relationship was found for '${origin}' and '${target}'` },
    (_catalog, visible) => {
      const shown = found.filter((one) => maySee(one, visible));
      return {
        hint:
          shown.length === 0
            ? null
            : `Try changing '${target}' to one of the following: ${shown.map(hintFor).join(', ')}. Find the desired relationship in the 'details' key.`,
        details: shown.map(describe),
      };
    },
  );
}
