// The part of OpenAPI 3.1 that the description of the service uses.

export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
}

export interface Parameter {
  readonly name?: string;
  readonly in?: 'query' | 'header' | 'path' | 'cookie';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
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

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
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
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}

// Short forms, so that the descriptions of the doors read like lists.

export const text = (description?: string, more: Schema = {}): Schema => ({
  type: 'string',
  ...(description === undefined ? {} : { description }),
  ...more,
});

/** An object; names that end in `?` may be left out. */
export function object(fields: Readonly<Record<string, Schema>>, more: Schema = {}): Schema {
  const names = Object.keys(fields);
  const required = names.filter((name) => !name.endsWith('?'));
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(names.map((name) => [name.replace(/\?$/, ''), fields[name] ?? {}])),
    ...more,
  };
}

export const refer = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const json = (schema: Schema): Content => ({ 'application/json': { schema } });
export const response = (description: string, schema?: Schema): ResponseDescription => ({
  description,
  ...(schema === undefined ? {} : { content: json(schema) }),
});
export const body = (schema: Schema, required = true) => ({ required, content: json(schema) });
export const query = (name: string, description: string, more: Partial<Parameter> = {}): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
  ...more,
});

/** The public key alone, or both headers, or nothing. */
export const KEY = [{ apikey: [] }];
export const CALLER = [{ apikey: [], token: [] }];
export const NOBODY: readonly Readonly<Record<string, readonly string[]>>[] = [];

/** An answer that a room's plain errors give: `{ error }`. */
export const refused = (description: string): ResponseDescription => response(description, refer('PlainError'));
export const plainErrorSchema = { PlainError: object({ error: text('For people') }) };
