// Finds the overload of a call: the one whose parameters fit the arguments, or else the one that takes the whole body.

import type { Catalog, Routine } from '../catalog/catalog.ts';
import type { DataError } from '../errors.ts';
import type { MediaType } from '../request/media-types.ts';
import { SuggestingError, suggestRoutine } from './suggest.ts';

export function findRoutine(
  catalog: Catalog,
  schema: string,
  name: string,
  argumentNames: readonly string[],
  contentType: MediaType,
  isPost: boolean,
): Routine {
  const overloads = catalog.routines.get(schema)?.get(name) ?? [];
  const fitting = overloads.filter((routine) => fits(routine, argumentNames, contentType, isPost));
  const whole = overloads.filter((routine) => !fitting.includes(routine) && takesBody(routine, contentType, isPost));
  const candidates = fitting.length > 0 ? fitting : whole;
  const [first, second] = candidates;
  if (first === undefined) throw noRoutine(schema, name, argumentNames, contentType, isPost);
  if (second !== undefined) throw ambiguous(candidates);
  return first;
}

const RAW_KINDS = new Set<MediaType['kind']>(['text', 'xml', 'binary']);

function fits(routine: Routine, names: readonly string[], contentType: MediaType, isPost: boolean): boolean {
  if (routine.parameters.length === 0) return names.length === 0 && !(isPost && RAW_KINDS.has(contentType.kind));
  const given = new Set(names);
  const known = new Map(routine.parameters.map((parameter) => [parameter.name, parameter]));
  return (
    routine.parameters.every((parameter) => !parameter.required || given.has(parameter.name)) &&
    names.every((name) => known.has(name))
  );
}

const BODY_TYPES: Partial<Record<MediaType['kind'], readonly string[]>> = {
  json: ['json', 'jsonb'],
  text: ['text'],
  xml: ['xml'],
  binary: ['bytea'],
};

function takesBody(routine: Routine, contentType: MediaType, isPost: boolean): boolean {
  const [only, more] = routine.parameters;
  if (!isPost || only === undefined || more !== undefined || only.name !== '') return false;
  return BODY_TYPES[contentType.kind]?.includes(only.type) ?? false;
}

function noRoutine(
  schema: string,
  name: string,
  argumentNames: readonly string[],
  contentType: MediaType,
  isPost: boolean,
): DataError {
  const sorted = [...argumentNames].sort();
  const rawBody = isPost && RAW_KINDS.has(contentType.kind);
  const path = `${schema}.${name}`;
  const none = sorted.length === 0;
  const inMessage = rawBody ? '' : none ? ' without parameters' : `(${sorted.join(', ')})`;
  const named = none ? ' without parameters' : ` with parameter${sorted.length > 1 ? 's' : ''} ${sorted.join(', ')}`;
  const single: Partial<Record<MediaType['kind'], string>> = {
    text: ' with a single unnamed text parameter',
    xml: ' with a single unnamed xml parameter',
    binary: ' with a single unnamed bytea parameter',
    json: `${named} or with a single unnamed json/jsonb parameter`,
  };
  const how = (isPost ? single[contentType.kind] : undefined) ?? named;
  const words = {
    message: `Could not find the function ${path}${inMessage} in the schema cache`,
    details: `Searched for the function ${path}${how}, but no matches were found in the schema cache.`,
  };
  return new SuggestingError(
    'PGRST202',
    words,
    rawBody ? () => ({ hint: null }) : suggestRoutine(schema, name, sorted),
  );
}

const describe = ({ schema, name, parameters }: Routine): string =>
  `${schema}.${name}(${parameters.map((one) => `${one.name} => ${one.type}`).join(', ')})`;

function ambiguous(candidates: readonly Routine[]): DataError {
  const hint =
    'Try renaming the parameters or the function itself in the database so function overloading can be resolved';
  const message = (shown: readonly string[]): string =>
    `Could not choose the best candidate function between: ${shown.join(', ')}`;
  return new SuggestingError('PGRST203', { message: message([]), hint }, (_catalog, visible) => ({
    hint,
    message: message(candidates.filter((one) => visible.mayCall(one)).map(describe)),
  }));
}
