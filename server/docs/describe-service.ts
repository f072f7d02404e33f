// One OpenAPI 3.1 document for all doors: ours in words, the data door's from its own root document.

import { accountPaths, accountTags } from './doors/accounts.ts';
import { carryOver, dataSchemas, type RootDocument } from './doors/data.ts';
import { identityPaths, identitySchemas } from './doors/identity.ts';
import { landingPaths, landingSchemas, operationsPaths } from './doors/landing.ts';
import type { OpenApi } from './open-api.ts';

const INTRODUCTION = `Every request to \`/rest/v1\` and \`/auth/v1\` carries the public \`apikey\`. Who asks is said by
\`Authorization: Bearer …\`: the same key for anonymous callers, an access token for someone who signed in. What they may
see and change is decided row by row in the database.

The unmodified Supabase and PostgREST client libraries work here. Errors of the data door are
\`{ code, message, details, hint }\`, of the identity door \`{ code, message }\`, of all others \`{ error }\`.`;

/** `root` is null where the data door shows no document. */
export function describeService(root: RootDocument | null, siteUrl: string): OpenApi {
  const data = root === null ? null : carryOver(root);
  return {
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
      ...(data?.tags ?? []),
    ],
    paths: { ...identityPaths, ...accountPaths, ...landingPaths, ...operationsPaths, ...data?.paths },
    components: {
      schemas: { ...identitySchemas, ...landingSchemas, ...dataSchemas, ...data?.schemas },
      parameters: data?.parameters ?? {},
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
  };
}
