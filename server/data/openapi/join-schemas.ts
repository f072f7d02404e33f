// Several exposed schemas in one description. A path belongs to whichever schemas have it; which one is meant is given
// by Accept-Profile when reading and Content-Profile otherwise, and by nothing for the first schema.

import type { DescriptionPart } from '../../http/describe-routes.ts';
import {
  METHODS,
  type Method,
  type Operation,
  type Parameter,
  type PathItem,
  type ResponseDescription,
  type Schema,
} from '../../http/open-api.ts';
import { convertSwagger, dataSchemas } from './convert-swagger.ts';
import type { Swagger } from './swagger.ts';

export interface SchemaRoot {
  readonly schema: string;
  readonly root: Swagger;
}

export function joinSchemas(roots: readonly SchemaRoot[]): DescriptionPart {
  const [first] = roots;
  const doors = roots.map(({ schema, root }) => ({
    schema,
    door: convertSwagger(root, { schema, first: schema === first?.schema }),
  }));
  const paths: Record<string, PathItem> = {};
  for (const path of new Set(doors.flatMap(({ door }) => Object.keys(door.paths))))
    paths[path] = Object.fromEntries(
      METHODS.flatMap((method) => {
        const found = doors.flatMap(({ schema, door }) => {
          const operation = door.paths[path]?.[method];
          return operation === undefined ? [] : [{ schema, operation }];
        });
        const joined = found.map(({ operation }) => operation).reduce<Operation | null>(join, null);
        if (joined === null) return [];
        if (roots.length === 1) return [[method, joined]];
        const profile = profileOf(
          method,
          found.map(({ schema }) => schema),
          first?.schema ?? '',
        );
        return [[method, { ...joined, parameters: [...(joined.parameters ?? []), profile] }]];
      }),
    );
  return {
    paths,
    schemas: Object.assign({}, dataSchemas, ...doors.map(({ door }) => door.schemas)) as DescriptionPart['schemas'],
    parameters: Object.assign({}, ...doors.map(({ door }) => door.parameters)) as DescriptionPart['parameters'],
    tags: doors.flatMap(({ door }) => door.tags),
  };
}

function profileOf(method: Method, schemas: readonly string[], first: string): Parameter {
  const standard = schemas.includes(first);
  return {
    name: method === 'get' ? 'Accept-Profile' : 'Content-Profile',
    in: 'header',
    description: `The schema that is meant${standard ? `; \`${first}\` when absent` : ''}`,
    ...(standard ? {} : { required: true }),
    schema: { type: 'string', enum: schemas, ...(standard ? { default: first } : {}) },
  };
}

const eitherOf = (a: Schema | undefined, b: Schema | undefined): Schema => ({
  anyOf: [a, b].flatMap((one) => one?.anyOf ?? (one === undefined ? [] : [one])),
});

/** The same path and method in two schemas: what either takes, and what either answers. */
function join(a: Operation | null, b: Operation): Operation {
  if (a === null) return b;
  const known = new Set((a.parameters ?? []).map(keyOf));
  const body = a.requestBody ?? b.requestBody;
  return {
    ...a,
    tags: [...a.tags, ...b.tags],
    // What is required in one schema may mean nothing in the other.
    parameters: [...(a.parameters ?? []), ...(b.parameters ?? []).filter((one) => !known.has(keyOf(one)))].map(
      ({ required, ...rest }) => rest,
    ),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            ...body,
            content: {
              'application/json': {
                schema: eitherOf(
                  a.requestBody?.content['application/json']?.schema,
                  b.requestBody?.content['application/json']?.schema,
                ),
              },
            },
          },
        }),
    responses: Object.fromEntries(
      Object.entries(a.responses).map(([status, answer]) => [status, joinAnswers(answer, b.responses[status])]),
    ),
  };
}

const keyOf = ({ $ref, name, in: place }: Parameter): string => $ref ?? `${place} ${name}`;

function joinAnswers(a: ResponseDescription, b: ResponseDescription | undefined): ResponseDescription {
  const [left, right] = [a, b].map((one) => one?.content?.['application/json']?.schema);
  if (left === undefined || right === undefined || JSON.stringify(left) === JSON.stringify(right)) return a;
  return { ...a, content: { 'application/json': { schema: eitherOf(left, right) } } };
}
