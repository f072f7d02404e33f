// The command line, a client that each instance has without setup. Its row is entered when it first asks, or an administrator asks for
// it, and stays as they change it: without grant types it signs nobody in.

import { commandLine } from '../../../contract/command-line.ts';
import { sql } from '../../database/sql.ts';
import type { IdentityContext } from '../identity-context.ts';
import { arrayLiteral } from './array-literal.ts';
import { deviceGrant } from './client-metadata.ts';

export async function enterCommandLine(context: IdentityContext): Promise<void> {
  await context.query(sql`
    insert into auth.oauth_clients (id, registration_type, client_name, redirect_uris, grant_types, scopes, token_endpoint_auth_method)
    values (${commandLine.id}, 'manual', ${commandLine.name}, '{}',
      ${arrayLiteral([deviceGrant, 'refresh_token'])}::text[], ${arrayLiteral([commandLine.scope])}::text[], 'none')
    on conflict (id) do nothing`);
}
