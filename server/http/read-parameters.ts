// Reads the query and the path of a request by the parameters that the description of its route names: each value fits the schema that
// /openapi.json shows, and has its type. A door says in its own words and codes what does not fit.

import { Ajv, type ValidateFunction } from 'ajv';
import type { FastifyRequest } from 'fastify';
import { type Fault, faultOf } from './check-body.ts';
import type { Parameter, Schema, ValueOf } from './open-api.ts';

interface WithParameters {
  readonly parameters?: readonly Parameter[];
}
type In<O extends WithParameters, P extends 'query' | 'path'> = Extract<
  NonNullable<O['parameters']>[number],
  { readonly in: P }
>;
type NameOf<P extends Parameter> = NonNullable<P['name']>;
type Value<P extends Parameter> = ValueOf<NonNullable<P['schema']>>;
export type QueryOf<O extends WithParameters> = { readonly [P in In<O, 'query'> as NameOf<P>]?: Value<P> };
export type PathOf<O extends WithParameters> = { readonly [P in In<O, 'path'> as NameOf<P>]: Value<P> };

type Refuse = (fault: Fault, sent: unknown) => Error;
interface Manner {
  /** Without it a text that is too long is cut, and whatever else does not fit counts as not sent. */
  readonly refuse?: Refuse;
  /** What counts of values that came; several of one name are a list, which fits nothing. */
  readonly pick?: (sent: unknown) => unknown;
}

const ajv = new Ajv({
  ...{ strict: false, ownProperties: true, logger: false },
  formats: { uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i },
});
const compiled = new WeakMap<Parameter, { readonly schema: Schema; readonly check: ValidateFunction }>();

export function readQuery<O extends WithParameters>(
  request: FastifyRequest,
  route: O,
  { refuse, pick = (sent) => sent }: Manner = {},
): QueryOf<O> {
  const sent = request.query as Readonly<Record<string, unknown>>;
  const values: Record<string, unknown> = {};
  for (const parameter of route.parameters ?? []) {
    const { name = '', in: place, required = false, schema = {} } = parameter;
    if (place !== 'query') continue;
    const value = pick(Object.hasOwn(sent, name) ? sent[name] : undefined);
    if (value === undefined && !(required && refuse !== undefined)) continue;
    const cut = refuse === undefined && typeof value === 'string' ? value.slice(0, schema.maxLength) : value;
    const read = readValue(parameter, cut, refuse);
    if (read !== undefined) values[name] = read;
  }
  return values as QueryOf<O>;
}

export function readPath<O extends WithParameters>(
  request: FastifyRequest,
  route: O,
  refuse: Refuse = ({ words }) => new Error(`The path of ${request.url} is not as described: ${words}`),
): PathOf<O> {
  const sent = request.params as Readonly<Record<string, string>>;
  const inPath = (route.parameters ?? []).filter((parameter) => parameter.in === 'path');
  return Object.fromEntries(
    inPath.map((parameter) => {
      const { name = '' } = parameter;
      // As `path` a star is described.
      return [name, readValue(parameter, sent[name] ?? (name === 'path' ? sent['*'] : undefined), refuse)];
    }),
  ) as PathOf<O>;
}

function readValue(parameter: Parameter, sent: unknown, refuse: Refuse | undefined): unknown {
  const { schema, check } = compile(parameter);
  const { name = '' } = parameter;
  const value = parameter.schema?.type === 'integer' && /^\d{1,9}$/.test(String(sent)) ? Number(sent) : sent;
  const [error] = check(value === undefined ? {} : { [name]: value }) ? [] : (check.errors ?? []);
  if (error === undefined) return value;
  if (refuse === undefined) return undefined;
  throw refuse(faultOf(schema, error), sent);
}

function compile(parameter: Parameter): { readonly schema: Schema; readonly check: ValidateFunction } {
  let found = compiled.get(parameter);
  if (found === undefined) {
    const { name = '', required = false } = parameter;
    const schema = {
      ...{ type: 'object', properties: { [name]: parameter.schema ?? {} } },
      ...(required ? { required: [name] } : {}),
    };
    found = { schema, check: ajv.compile(schema) };
    compiled.set(parameter, found);
  }
  return found;
}
