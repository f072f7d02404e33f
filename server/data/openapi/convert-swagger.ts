// Converts the OpenAPI 2.0 document of the data API to OpenAPI 3.1 under /rest/v1. The document comes through the public API, so it shows only the
// objects that the described role may use.

import type { DescriptionPart } from '../../http/describe-routes.ts';
import {
  CALLER,
  type Content,
  METHODS,
  type Method,
  type Operation,
  object,
  type Parameter,
  type ResponseDescription,
  refer,
  response,
  type Schema,
  text,
} from '../../http/open-api.ts';
import type * as swagger from './swagger.ts';

const VERBS: Readonly<Record<string, string>> = { get: 'Read', post: 'Add', patch: 'Change', delete: 'Remove' };
const failures: Readonly<Record<string, ResponseDescription>> = {
  400: response('The request cannot be understood or carried out', refer('DataError')),
  401: response('No valid key or token, or more rights than anonymous callers have', refer('DataError')),
  403: response('Not allowed', refer('DataError')),
};

export const dataSchemas = {
  DataError: object({
    code: text('PGRST… of this door, or the SQLSTATE Postgres raised'),
    message: text('For people'),
    details: { type: ['string', 'array', 'object', 'null'] },
    hint: { type: ['string', 'null'], description: 'What to do next' },
  }),
};

/** One exposed schema; what is in the first one goes by its bare name. */
export interface Served {
  readonly schema: string;
  readonly first: boolean;
}

/** Component names may hold letters, digits, dots, dashes and underscores only. */
const encoded = (name: string, others: RegExp): string =>
  name.replace(others, (letter) => `_x${(letter.codePointAt(0) ?? 0).toString(16)}_`);

const inSchema = (name: string, { schema, first }: Served, between: string): string =>
  `${first ? '' : `${encoded(schema, /[^A-Za-z0-9_-]/gu)}${between}`}${encoded(name, /[^A-Za-z0-9._-]/gu)}`;

const component = (name: string, served: Served): string =>
  `data${served.first ? '.' : '-'}${inSchema(name, served, '.')}`;

const PARAMETERS: Readonly<Record<string, readonly [about: string, example: string]>> = {
  select: ['Columns and related rows to answer: `id,name,owner:profiles(display_name)`', '*'],
  order: ['Sort keys: `position.asc,created_at.desc.nullslast`', 'id.desc'],
  limit: ['Rows at most', '10'],
  offset: ['Rows to pass over', '20'],
  on_conflict: ['The unique columns an upsert goes by', 'id'],
};

/** Shared parameters worth carrying over; filters are described once per column, on the operation. */
export function convertSwagger(root: swagger.Swagger, served: Served): DescriptionPart {
  const schemas = Object.fromEntries(
    Object.entries(root.definitions).flatMap(([name, definition]) => [
      [component(name, served), convertSchema(definition, name)],
      [`${component(name, served)}.new`, { ...convertSchema(definition, `new ${name}`), required: needed(definition) }],
      [`${component(name, served)}.changes`, { ...convertSchema(definition, `changes to ${name}`), required: [] }],
    ]),
  );
  const parameters: Record<string, Parameter> = Object.fromEntries(
    Object.entries(PARAMETERS).map(([name, [description, example]]) => [
      `data.${name}`,
      { name, in: 'query', description, schema: { type: 'string', examples: [example] } } satisfies Parameter,
    ]),
  );
  parameters['data.prefer'] = {
    name: 'Prefer',
    in: 'header',
    description:
      '`return=representation`, `count=exact`, `resolution=merge-duplicates`, `missing=default`, `handling=strict`, `max-affected=10`, `timezone=…`',
    schema: { type: 'string', examples: ['return=representation'] },
  };
  const paths = Object.fromEntries(
    Object.entries(root.paths)
      .filter(([path]) => path !== '/')
      .map(([path, item]: [string, { readonly [method in Method]?: swagger.Operation }]) => [
        `/rest/v1${path}`,
        Object.fromEntries(
          METHODS.flatMap((method) => {
            const operation = item[method];
            return operation === undefined ? [] : [[method, convertOperation(root, path, method, operation, served)]];
          }),
        ),
      ]),
  );
  const tables = Object.entries(root.definitions).map(([name, { description }]) => ({
    name: tableTag(name, served),
    ...(description === undefined ? {} : { description }),
  }));
  return {
    paths,
    schemas,
    parameters,
    tags: [...tables, { name: procedureTag(served), description: 'Functions of the database, called by name.' }],
  };
}

/** What a new row must bring: columns that are never null and have no default; a number as key numbers itself. */
function needed(definition: swagger.Schema): string[] {
  return (definition.required ?? []).filter((name) => {
    const column = definition.properties?.[name];
    const isKey = column?.description?.includes('<pk/>') === true;
    return column?.default === undefined && !(isKey && column?.type === 'integer');
  });
}

const tableTag = (name: string, { schema, first }: Served): string => `Table ${first ? name : `${schema}.${name}`}`;
const procedureTag = ({ schema, first }: Served): string => `Procedures${first ? '' : ` of ${schema}`}`;
const sharedParameter = (name: string): Parameter => ({ $ref: `#/components/parameters/data.${name}` });

function convertOperation(
  root: swagger.Swagger,
  path: string,
  method: Method,
  old: swagger.Operation,
  served: Served,
): Operation {
  const name = path.replace(/^\/(rpc\/)?/, '');
  return path.startsWith('/rpc/') ? procedure(name, method, old, served) : table(root, name, method, old, served);
}

function table(root: swagger.Swagger, name: string, method: Method, old: swagger.Operation, served: Served): Operation {
  const row = refer(component(name, served));
  const added = refer(`${component(name, served)}.new`);
  const rows: Content = { 'application/json': { schema: { type: 'array', items: row } } };
  const filters = (old.parameters ?? []).flatMap((parameter) => {
    const column = parameter.$ref?.startsWith(`#/parameters/rowFilter.${name}.`)
      ? parameter.$ref.slice(`#/parameters/rowFilter.${name}.`.length)
      : null;
    if (column === null) return [];
    const about = root.parameters[`rowFilter.${name}.${column}`]?.description;
    return [
      {
        name: column,
        in: 'query',
        schema: { type: 'string' },
        ...(about === undefined ? {} : { description: about }),
      } satisfies Parameter,
    ];
  });
  const shared =
    method === 'get'
      ? ['select', 'order', 'limit', 'offset']
      : method === 'post'
        ? ['select', 'on_conflict']
        : ['select'];
  return {
    operationId: `${method}_${inSchema(name, served, '~')}`,
    tags: [tableTag(name, served)],
    summary: `${VERBS[method] ?? method} ${name}`,
    ...(old.summary === undefined ? {} : { description: [old.summary, old.description].filter(Boolean).join('\n\n') }),
    security: CALLER,
    parameters: [...filters, ...[...shared, 'prefer'].map(sharedParameter)],
    ...(method === 'post' || method === 'patch'
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema:
                  method === 'post'
                    ? { type: ['object', 'array'], items: added }
                    : refer(`${component(name, served)}.changes`),
              },
            },
          },
        }
      : {}),
    responses: {
      ...(method === 'get'
        ? {
            200: { description: 'The rows', content: rows },
            206: { description: 'Some of the rows, when they were counted', content: rows },
          }
        : method === 'post'
          ? { 201: { description: 'Added; the rows come with `Prefer: return=representation`', content: rows } }
          : {
              200: { description: 'The rows, with `Prefer: return=representation`', content: rows },
              204: response('Done'),
            }),
      ...failures,
    },
  };
}

function procedure(name: string, method: Method, old: swagger.Operation, served: Served): Operation {
  const given = old.parameters ?? [];
  const args = given.find((parameter) => parameter.in === 'body')?.schema;
  const named = given.filter((parameter) => parameter.in === 'query' && (parameter.name ?? '') !== '');
  return {
    operationId: `${method}_rpc_${inSchema(name, served, '~')}`,
    tags: [procedureTag(served)],
    summary: method === 'get' ? `Call ${name}, which only reads` : `Call ${name}`,
    ...(old.summary === undefined ? {} : { description: [old.summary, old.description].filter(Boolean).join('\n\n') }),
    security: CALLER,
    ...(method === 'get'
      ? {
          parameters: named.map(
            (parameter): Parameter => ({
              name: parameter.name ?? '',
              in: 'query',
              ...(parameter.required ? { required: true } : {}),
              schema: convertType(parameter),
            }),
          ),
        }
      : {
          requestBody: {
            content: { 'application/json': { schema: args === undefined ? { type: 'object' } : convertSchema(args) } },
          },
        }),
    responses: {
      200: { description: 'What it returns', content: { 'application/json': { schema: {} } } },
      ...failures,
    },
  };
}

function convertSchema(old: swagger.Schema, title?: string): Schema {
  return {
    type: 'object',
    ...(title === undefined ? {} : { title }),
    ...(old.description === undefined ? {} : { description: old.description }),
    ...(old.required === undefined ? {} : { required: old.required.filter((name) => name !== '') }),
    properties: Object.fromEntries(
      Object.entries(old.properties ?? {})
        .filter(([name]) => name !== '')
        .map(([name, property]) => [name, convertType(property)]),
    ),
  };
}

function convertType(old: Omit<swagger.Schema, 'required'>): Schema {
  const { type, format, description, enum: values, maxLength, items } = old;
  return {
    ...(type === undefined ? {} : { type }),
    ...(format === undefined ? {} : { format }),
    ...(description === undefined ? {} : { description: description.replace(/<[pf]k[^<>]*\/>/g, '') }),
    ...(old.default === undefined ? {} : { default: old.default }),
    ...(values === undefined ? {} : { enum: values }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(items === undefined ? {} : { items: convertType(items) }),
  };
}
