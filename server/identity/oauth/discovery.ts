// Metadata of the OAuth server (RFC 8414, OpenID Connect Discovery) and of the resources it protects (RFC 9728).

import type { IdentityContext } from '../identity-context.ts';
import { authMethods, credentialsGrant, grantTypes } from './client-metadata.ts';
import { issuerOf } from './program-tokens.ts';
import { protectedPaths } from './resources.ts';
import { scopes } from './scopes.ts';

export function serverMetadata(context: Pick<IdentityContext, 'apiUrl' | 'settings'>): Record<string, unknown> {
  const issuer = issuerOf(context);
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    device_authorization_endpoint: `${issuer}/oauth/device_authorization`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [...grantTypes, credentialsGrant],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    token_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_methods_supported: authMethods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: context.settings.oauthClients !== 'registered',
    ...(context.settings.oauthClients === 'open' ? { registration_endpoint: `${issuer}/oauth/register` } : {}),
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: false,
    claims_supported: [
      'iss',
      'sub',
      'aud',
      'exp',
      'iat',
      'auth_time',
      'nonce',
      'at_hash',
      'email',
      'email_verified',
      'phone_number',
      'name',
      'picture',
      'locale',
      'updated_at',
    ],
    protected_resources: protectedPaths.map((path) => context.apiUrl + path),
  };
}

export function resourceMetadata(context: Pick<IdentityContext, 'apiUrl'>, path: string): Record<string, unknown> {
  return {
    resource: context.apiUrl + path,
    resource_name: 'Kanbase',
    authorization_servers: [issuerOf(context)],
    jwks_uri: `${issuerOf(context)}/.well-known/jwks.json`,
    scopes_supported: ['read', 'comment', 'write'],
    bearer_methods_supported: ['header'],
  };
}
