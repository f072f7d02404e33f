// Second stage: what the request means for this database. Pure; throws DataErrors for what is not there or not allowed.

import { type Catalog, findTable, type Routine, type Table } from '../catalog/catalog.ts';
import { DataError } from '../errors.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { mediaTypeName } from '../request/media-types.ts';
import { findRoutine } from './find-routine.ts';
import { negotiate } from './negotiate.ts';
import type { Plan, ReadNode } from './plan.ts';
import { planCall } from './plan-call.ts';
import { planRead, type ReadScope } from './plan-read.ts';
import { planWrite } from './plan-write.ts';
import { SuggestingError, suggestTable } from './suggest.ts';

export interface PlanSettings {
  readonly maxRows: number | null;
  readonly aggregates: boolean;
  readonly plans: boolean;
  /** How deep resources may be embedded in each other, and how many there may be. */
  readonly maxEmbedDepth: number;
  readonly maxEmbeds: number;
  /** Filters may name an embedded resource by its target although it has an alias. */
  readonly legacyTargetNames: boolean;
}

export function planRequest(request: ApiRequest, catalog: Catalog, settings: PlanSettings): Plan {
  const { target, schema, method } = request;
  if (target.kind === 'root') return planRoot(request);
  if (target.kind === 'routine') return planRoutine(request, catalog, settings, target.name);
  const table = requireTable(catalog, schema, target.name);
  if (method === 'OPTIONS') return { kind: 'info', allow: allowedOn(table) };
  const scope: ReadScope = { catalog, schema, ...settings };
  const read = planRead(scope, request, table);
  const agreed = negotiate(request.accept, catalog, table, selectsAll(read), settings.plans);
  if (method !== 'GET' && method !== 'HEAD') {
    const plan = planWrite(catalog, request, table, read, agreed);
    refuseUnknownPreferences(request);
    return plan;
  }
  refuseUnknownPreferences(request);
  const headersOnly = method === 'HEAD';
  return { kind: 'read', read, name: table, headersOnly, ...agreed, ...(headersOnly && { handler: { kind: 'none' } }) };
}

function planRoutine(request: ApiRequest, catalog: Catalog, settings: PlanSettings, name: string): Plan {
  const { schema, method } = request;
  const isPost = method === 'POST';
  const argumentNames = isPost ? request.columns : [...new Set(request.query.arguments.map(([argument]) => argument))];
  const routine = findRoutine(catalog, schema, name, argumentNames, request.contentType, isPost);
  if (method === 'OPTIONS') return { kind: 'info', allow: allowedOnRoutine(routine) };
  // Rows of a table can be selected from and embedded into as that table's; anything else goes by the function's name.
  const target = routine.returnsComposite ? { schema, name: routine.returns.name } : { schema, name: routine.name };
  const read = planRead({ catalog, schema, ...settings, resultColumns: routine.columns }, request, target);
  const agreed = negotiate(request.accept, catalog, target, selectsAll(read), settings.plans);
  refuseUnknownPreferences(request);
  return planCall(request, routine, argumentNames, read, agreed);
}

function planRoot(request: ApiRequest): Plan {
  if (request.method === 'OPTIONS') return { kind: 'info', allow: 'OPTIONS,GET,HEAD' };
  const makes = request.accept.some(({ kind }) => kind === 'openapi' || kind === 'json' || kind === 'any');
  if (!makes)
    throw new DataError('PGRST107', {
      message: `None of these media types are available: ${request.accept.map(mediaTypeName).join(', ')}`,
    });
  return { kind: 'inspect', schema: request.schema, headersOnly: request.method === 'HEAD' };
}

export function requireTable(catalog: Catalog, schema: string, name: string): Table {
  const table = findTable(catalog, schema, name);
  if (table !== undefined) return table;
  throw new SuggestingError(
    'PGRST205',
    { message: `Could not find the table '${schema}.${name}' in the schema cache` },
    suggestTable(schema, name),
  );
}

const selectsAll = (read: ReadNode): boolean =>
  read.children.length === 0 && read.select.length === 1 && read.select[0]?.field.name === '*';

function refuseUnknownPreferences({ preferences }: ApiRequest): void {
  if (preferences.invalid.length > 0 && preferences.handling === 'strict')
    throw new DataError('PGRST122', {
      message: 'Invalid preferences given with handling=strict',
      details: `Invalid preferences: ${preferences.invalid.join(', ')}`,
    });
}

function allowedOn(table: Table): string {
  return [
    'OPTIONS,GET,HEAD',
    ...(table.insertable ? ['POST'] : []),
    ...(table.insertable && table.updatable && table.primaryKey.length > 0 ? ['PUT'] : []),
    ...(table.updatable ? ['PATCH'] : []),
    ...(table.deletable ? ['DELETE'] : []),
  ].join(',');
}

function allowedOnRoutine(routine: Routine): string {
  return routine.volatility === 'volatile' ? 'OPTIONS,POST' : 'OPTIONS,GET,HEAD,POST';
}
