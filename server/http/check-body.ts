// Checks a body against the schema in the description of its route, and returns it with the type of that schema. Each API reports a mismatch in its
// own words and codes.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { type RequestBody, type Schema, saidOf } from './open-api.ts';

/** The first thing that does not fit. */
export interface Fault {
  /** Names of fields from the outside in, joined by slashes. */
  readonly field: string;
  /** As people read it: `Price ID must be a string`. */
  readonly words: string;
  /** As Ajv says it, without the field: `must be string`. */
  readonly message: string;
  /** That the schema gives to this fault. */
  readonly code: string | undefined;
  readonly isMissing: boolean;
}

/** Formats are for readers: rooms check addresses and ids by their own rules. */
const ajv = new Ajv({ strict: false, validateFormats: false, ownProperties: true, logger: false });
const compiled = new WeakMap<Schema, ValidateFunction>();

/** A description of a route that takes a JSON body. */
export interface WithBody<out T> {
  readonly requestBody: RequestBody<T>;
}
export type BodyOf<O> = O extends WithBody<infer T> ? T : never;

export function schemaOf<T>({ requestBody: { content } }: WithBody<T>): Schema<T> {
  return (content['application/json']?.schema ?? {}) as Schema<T>;
}

export function checkBody<T>(route: WithBody<T>, sent: unknown, refuse: (fault: Fault) => Error): T {
  const schema = schemaOf(route);
  let check = compiled.get(schema);
  if (check === undefined) {
    check = ajv.compile(schema);
    compiled.set(schema, check);
  }
  const value = withoutNothing(schema, sent);
  const [error] = check(value) ? [] : (check.errors ?? []);
  if (error !== undefined) throw refuse(faultOf(schema, error));
  return value as T;
}

/** Clients send `null`, and pages blanks, for what they do not have: that counts as not sent where it would not fit. */
function withoutNothing(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value) && schema.items !== undefined) {
    const { items } = schema;
    return value.map((one) => withoutNothing(items, one));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields: Record<string, unknown> = { ...value };
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    if (Object.hasOwn(fields, name)) {
      if (isNothing(field, fields[name])) delete fields[name];
      else fields[name] = withoutNothing(field, fields[name]);
    }
  return fields;
}

function isNothing({ type = [], minLength = 0 }: Schema, value: unknown): boolean {
  return value === null
    ? ![type].flat().includes('null')
    : minLength > 0 && typeof value === 'string' && value.trim() === '';
}

export function faultOf(schema: Schema, error: ErrorObject): Fault {
  const { instancePath, keyword, params, message = 'does not fit' } = error;
  const isMissing = keyword === 'required';
  const path = [...instancePath.split('/').slice(1), ...(isMissing ? [String(params.missingProperty)] : [])];
  const named = path.reduce<Schema | undefined>((one, name) => one?.properties?.[name] ?? one?.items, schema);
  const said = isMissing || named?.enum !== undefined ? saidOf(named ?? {}) : undefined;
  const field = path.join('/');
  return {
    field,
    isMissing,
    code: said?.code,
    message: tellAllowed(error, message),
    words: said?.words ?? `${named?.title ?? field} ${wordsOf(error, message)}`,
  };
}

const tellAllowed = ({ keyword, params }: ErrorObject, message: string): string =>
  keyword === 'enum' ? `${message}: ${(params.allowedValues as unknown[]).join(', ')}` : message;

const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'a whole number',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function wordsOf({ keyword, params }: ErrorObject, message: string): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'type':
      return `must be ${[params.type as string | string[]]
        .flat()
        .map((type) => kinds[type] ?? type)
        .join(' or ')}`;
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
    case 'maxLength':
      return `is too long: at most ${params.limit} characters`;
    default:
      return message.replace('NOT', 'not');
  }
}
