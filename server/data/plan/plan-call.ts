// A procedure call and what is read from its result.

import type { Routine } from '../catalog/catalog.ts';
import { DataError } from '../errors.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { Negotiated } from './negotiate.ts';
import type { CallArguments, CallPlan, PlannedLogic, ReadNode } from './plan.ts';
import { neededColumns } from './plan-write.ts';

export function planCall(
  request: ApiRequest,
  routine: Routine,
  argumentNames: readonly string[],
  read: ReadNode,
  { handler, mediaType }: Negotiated,
): CallPlan {
  const isPost = request.method === 'POST';
  const headersOnly = request.method === 'HEAD';
  const { preferences } = request;
  if (preferences.maxAffected !== null && preferences.handling === 'strict' && !routine.returnsSet)
    throw new DataError('PGRST128', {
      message: 'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    });
  const given = new Set(argumentNames);
  const [only] = routine.parameters;
  const unnamed = routine.parameters.length === 1 && only?.name === '';
  return {
    kind: 'call',
    routine,
    name: routine,
    read,
    handler: headersOnly ? { kind: 'none' } : handler,
    mediaType,
    parameters: unnamed ? routine.parameters : routine.parameters.filter((parameter) => given.has(parameter.name)),
    arguments: callArguments(request, routine),
    readOnly: !isPost || routine.volatility !== 'volatile',
    headersOnly,
    returning: needed(read),
  };
}

function callArguments(request: ApiRequest, routine: Routine): CallArguments {
  const { payload } = request;
  if (payload === null) return { kind: 'direct', values: directArguments(routine, request.query.arguments) };
  if (payload.kind === 'form') return { kind: 'direct', values: directArguments(routine, payload.pairs) };
  return payload;
}

/** Repeated names add up for the variadic parameter; for others the last one counts. */
function directArguments(
  routine: Routine,
  pairs: readonly (readonly [string, string])[],
): Map<string, string | readonly string[]> {
  const values = new Map<string, string | readonly string[]>();
  const variadic = routine.hasVariadic ? routine.parameters.find((parameter) => parameter.variadic)?.name : undefined;
  for (const [name, value] of pairs) {
    const before = values.get(name);
    values.set(name, name === variadic ? [...(Array.isArray(before) ? before : []), value] : value);
  }
  return values;
}

function needed(read: ReadNode): readonly string[] {
  const columns = neededColumns(read, []);
  if (columns.length === 0 || columns.includes('*')) return ['*'];
  return [...new Set([...columns, ...filtered(read.filters)])];
}

function filtered(filters: readonly PlannedLogic[]): string[] {
  return filters.flatMap((one) =>
    one.kind === 'filter' ? [one.field.name] : one.kind === 'group' ? filtered(one.members) : [],
  );
}
