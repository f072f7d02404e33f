// One OpenAPI 3.1 document for all doors, made of what their routes say of themselves and of parts made when asked.

import type { DescriptionPart } from '../http/describe-routes.ts';
import { METHODS, type OpenApi, plainErrorSchema } from '../http/open-api.ts';
import { sample } from './write-example.ts';

const INTRODUCTION = `Every request to \`/rest/v1\` and \`/auth/v1\` carries the public \`apikey\`. Who asks is said by
\`Authorization: Bearer …\`: the same key for anonymous callers, an access token for someone who signed in. What they may
see and change is decided row by row in the database.

The unmodified Supabase and PostgREST client libraries work here. Errors of the data door are
\`{ code, message, details, hint }\`, of the identity door \`{ code, message }\`, of all others \`{ error }\`.`;

/** `routes`: what they say where they stand. `others`: what the rooms make when asked. */
export function describeService(
  [routes, ...others]: readonly [routes: DescriptionPart, ...others: DescriptionPart[]],
  siteUrl: string,
): OpenApi {
  return withExamples({
    openapi: '3.1.0',
    info: {
      title: 'Kanbase',
      version: '1',
      summary: 'Projects, boards and tasks over HTTP',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: siteUrl }],
    tags: [
      ...routes.tags,
      { name: 'Landing', description: 'For visitors of the site.' },
      { name: 'Calendars', description: 'For calendar programs.' },
      { name: 'Billing', description: 'Payments, where a provider is configured.' },
      { name: 'Operations', description: 'For those who run the service.' },
      ...others.flatMap(({ tags }) => tags),
    ],
    paths: merge([routes, ...others].map(({ paths }) => paths)),
    webhooks: routes.webhooks ?? {},
    components: {
      schemas: merge([routes.schemas, plainErrorSchema, ...others.map(({ schemas }) => schemas)]),
      parameters: merge(others.map(({ parameters }) => parameters)),
      securitySchemes: {
        apikey: { type: 'apiKey', in: 'header', name: 'apikey', description: 'The public key of the service' },
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The same key, or an access token' },
        scim: { type: 'http', scheme: 'bearer', description: 'A token of an identity provider' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'sb-auth-token',
          description: 'Set by /auth/callback and the web app',
        },
      },
    },
  });
}

const merge = <T>(parts: readonly Readonly<Record<string, T>>[]): Record<string, T> =>
  Object.fromEntries(parts.flatMap((part) => Object.entries(part)));

/** Every JSON body comes with one that can be sent, made from its schema. */
function withExamples(document: OpenApi): OpenApi {
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      METHODS.flatMap((method) => {
        const operation = item[method];
        const body = operation?.requestBody?.content['application/json'];
        if (operation?.requestBody === undefined || body?.schema === undefined)
          return operation === undefined ? [] : [[method, operation]];
        const example = body.example ?? sample(body.schema, document, method !== 'post');
        const content = { ...operation.requestBody.content, 'application/json': { ...body, example } };
        return [[method, { ...operation, requestBody: { ...operation.requestBody, content } }]];
      }),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}
