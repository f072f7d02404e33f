// One OpenAPI 3.1 document for all doors: ours in words, the data door's from its own root document.

import { accountPaths, accountTags } from './doors/accounts.ts';
import { dataSchemas } from './doors/data.ts';
import { joinSchemas, type SchemaRoot } from './doors/data-schemas.ts';
import { identityPaths, identitySchemas } from './doors/identity.ts';
import { landingPaths, landingSchemas, operationsPaths } from './doors/landing.ts';
import { METHODS, type OpenApi } from './open-api.ts';
import { sample } from './write-example.ts';

const INTRODUCTION = `Every request to \`/rest/v1\` and \`/auth/v1\` carries the public \`apikey\`. Who asks is said by
\`Authorization: Bearer …\`: the same key for anonymous callers, an access token for someone who signed in. What they may
see and change is decided row by row in the database.

The unmodified Supabase and PostgREST client libraries work here. Errors of the data door are
\`{ code, message, details, hint }\`, of the identity door \`{ code, message }\`, of all others \`{ error }\`.`;

/** `roots`: one for each exposed schema that shows a document, in the order they are served. */
export function describeService(roots: readonly SchemaRoot[], siteUrl: string): OpenApi {
  const data = joinSchemas(roots);
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
      { name: 'Identity', description: 'Accounts and sessions.' },
      ...accountTags,
      { name: 'Landing', description: 'For visitors of the site.' },
      { name: 'Billing', description: 'Payments, where a provider is configured.' },
      { name: 'Operations', description: 'For those who run the service.' },
      ...data.tags,
    ],
    paths: { ...identityPaths, ...accountPaths, ...landingPaths, ...operationsPaths, ...data.paths },
    components: {
      schemas: { ...identitySchemas, ...landingSchemas, ...dataSchemas, ...data.schemas },
      parameters: data.parameters,
      securitySchemes: {
        apikey: { type: 'apiKey', in: 'header', name: 'apikey', description: 'The public key of the service' },
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The same key, or an access token' },
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
