// A program as the database keeps it.

import { type Fragment, sql } from '../../database/sql.ts';

export interface OAuthClient {
  readonly id: string;
  readonly metadata_url: string | null;
  readonly registration_type: 'manual' | 'dynamic' | 'document';
  readonly client_name: string;
  readonly client_uri: string | null;
  readonly logo_uri: string | null;
  readonly redirect_uris: readonly string[];
  readonly grant_types: readonly string[];
  readonly scopes: readonly string[] | null;
  readonly token_endpoint_auth_method: 'none' | 'client_secret_basic' | 'client_secret_post';
  readonly secret_hash: string | null;
  /** Whom it gets tokens for by its secret. */
  readonly service_account_id: string | null;
  readonly fetched_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export const clientColumns: Fragment = sql`id, metadata_url, registration_type, client_name, client_uri, logo_uri,
  to_jsonb(redirect_uris) as redirect_uris, to_jsonb(grant_types) as grant_types, to_jsonb(scopes) as scopes,
  token_endpoint_auth_method, encode(secret_hash, 'hex') as secret_hash, service_account_id, auth.wire_time(fetched_at) as fetched_at,
  auth.wire_time(created_at) as created_at, auth.wire_time(updated_at) as updated_at`;

/** As clients know themselves, and as tokens name them. */
export function clientIdOf(client: Pick<OAuthClient, 'id' | 'metadata_url'>): string {
  return client.metadata_url ?? client.id;
}
