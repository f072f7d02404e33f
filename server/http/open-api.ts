// The part of OpenAPI 3.1 that the description of the service uses. A schema knows the type of its values, so that the one
// declaration of a route describes it, checks its body (check-body.ts) and its parameters (read-parameters.ts), and types what is read of it.

declare const holds: unique symbol;
const said = Symbol('said');

export interface Refusal {
  readonly words: string;
  readonly code?: string;
}

/** `T`: the type of the values that fit. */
export interface Schema<out T = unknown> {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly maxProperties?: number;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  /** Of the type alone: never there. */
  readonly [holds]?: T;
  /** Words and code of a refusal; no part of the document. */
  readonly [said]?: Refusal;
}

export type ValueOf<S> = S extends Schema<infer T> ? T : never;

/** `N`: its name; `T`: the type of the values that fit. */
export interface Parameter<out N extends string = string, out T = unknown> {
  readonly name?: N;
  readonly in?: 'query' | 'header' | 'path' | 'cookie';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema<T>;
  readonly style?: string;
  readonly explode?: boolean;
  readonly $ref?: string;
}

export interface Content {
  readonly [mediaType: string]: { readonly schema?: Schema; readonly example?: unknown };
}

export interface ResponseDescription {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>;
  readonly content?: Content;
}

export interface RequestBody<out T = unknown> {
  readonly required?: boolean;
  readonly content: Content;
  readonly [holds]?: T;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, ResponseDescription>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];
export type PathItem = { readonly [method in Method]?: Operation };
export type Paths = Readonly<Record<string, PathItem>>;

export interface Tag {
  readonly name: string;
  readonly description?: string;
}

export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary?: string;
    readonly description: string;
    readonly license?: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description?: string }[];
  readonly tags: readonly Tag[];
  readonly paths: Paths;
  readonly webhooks?: Paths;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}

// Short forms, so that the descriptions of the doors read like lists.

export const text = (description?: string, more: Schema = {}): Schema<string> =>
  withWords({ type: 'string' }, description, more);
export const whole = (description?: string, more: Schema = {}): Schema<number> =>
  withWords({ type: 'integer' }, description, more);
export const flag = (description?: string, more: Schema = {}): Schema<boolean> =>
  withWords({ type: 'boolean' }, description, more);
export const choice = <const T extends string>(among: readonly T[], description?: string): Schema<T> =>
  withWords({ type: 'string', enum: among }, description, {});
export const list = <T>(items: Schema<T>, description?: string, more: Schema = {}): Schema<readonly T[]> =>
  withWords({ type: 'array', items }, description, more);
/** An object whose fields have any names. */
export const record = <T>(values: Schema<T>, more: Schema = {}): Schema<Readonly<Record<string, T>>> =>
  withWords({ type: 'object', additionalProperties: values }, undefined, more);
/** An object of any fields. */
export const fields = (description?: string): Schema<Readonly<Record<string, unknown>>> =>
  withWords({ type: 'object' }, description, {});
export const orNull = <T>(schema: Schema<T>): Schema<T | null> =>
  ({ ...schema, type: [...[schema.type ?? []].flat(), 'null'] }) as Schema<T | null>;

function withWords<T>(kind: Schema, description: string | undefined, more: Schema): Schema<T> {
  return { ...kind, ...(description === undefined ? {} : { description }), ...more } as Schema<T>;
}

type Fields = Readonly<Record<string, Schema>>;
/** Names that end in `?` may be left out. */
export type ObjectOf<F extends Fields> = {
  readonly [N in keyof F as N extends `${string}?` ? never : N]: ValueOf<F[N]>;
} & { readonly [N in keyof F as N extends `${infer Name}?` ? Name : never]?: ValueOf<F[N]> };

/** An object; names that end in `?` may be left out. */
export function object<const F extends Fields>(fields: F, more: Schema = {}): Schema<ObjectOf<F>> {
  const names = Object.keys(fields);
  const required = names.filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), fields[name] ?? {}])),
    ...more,
  } as Schema<ObjectOf<F>>;
}

/** Words in which a door refuses a field that is missing or none of its choices, where a client or a specification expects them. */
export const orSay = <T>(schema: Schema<T>, words: string, code?: string): Schema<T> => ({
  ...schema,
  [said]: { words, code },
});
export const saidOf = (schema: Schema): Refusal | undefined => schema[said];

export const refer = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const json = (schema: Schema): Content => ({ 'application/json': { schema } });
export const response = (description: string, schema?: Schema): ResponseDescription => ({
  description,
  ...(schema === undefined ? {} : { content: json(schema) }),
});
export const body = <T>(schema: Schema<T>, required = true): RequestBody<T> => ({ required, content: json(schema) });
export const query = <const N extends string, S extends Schema = Schema<string>>(
  name: N,
  description: string,
  more: { readonly schema?: S; readonly required?: boolean } = {},
): Parameter<N, ValueOf<S>> & { readonly in: 'query' } => ({
  ...{ name, in: 'query', description },
  ...{ schema: text() as Schema<ValueOf<S>> },
  ...(more as { readonly schema?: Schema<ValueOf<S>> }),
});
export const inPath = <const N extends string>(
  name: N,
  description?: string,
  more: Schema = {},
): Parameter<N, string> & { readonly in: 'path' } => ({
  ...{ name, in: 'path', required: true },
  ...(description === undefined ? {} : { description }),
  schema: text(undefined, more),
});

/** The public key alone, or both headers, or nothing. */
export const KEY = [{ apikey: [] }];
export const CALLER = [{ apikey: [], token: [] }];
export const NOBODY: readonly Readonly<Record<string, readonly string[]>>[] = [];

/** An answer that a room's plain errors give: `{ error }`. */
export const refused = (description: string): ResponseDescription => response(description, refer('PlainError'));
export const plainErrorSchema = { PlainError: object({ error: text('For people') }) };
