// The part of OpenAPI 2.0 that the root document of the data door uses.

export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly $ref?: string;
}

export interface Parameter {
  readonly name?: string;
  readonly in?: 'query' | 'header' | 'body';
  readonly description?: string;
  readonly required?: boolean;
  readonly type?: string;
  readonly format?: string;
  readonly default?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly collectionFormat?: 'multi';
  readonly schema?: Schema;
  readonly $ref?: string;
}

export interface Operation {
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly produces?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly description: string; readonly schema?: Schema }>>;
}

export type PathItem = { readonly [method in 'get' | 'post' | 'patch' | 'delete']?: Operation };

export interface Swagger {
  readonly swagger: '2.0';
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly host: string;
  readonly basePath: string;
  readonly schemes: readonly string[];
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly definitions: Readonly<Record<string, Schema>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly securityDefinitions?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly security?: ReadonlyArray<Readonly<Record<string, readonly string[]>>>;
  readonly externalDocs: { readonly description: string; readonly url: string };
}
