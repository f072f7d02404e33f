// Discovery document of an OpenID Connect provider that an administrator named: fetched from outward addresses alone, and checked before it is kept.

import { isIP } from 'node:net';
import { addressTester } from '../../limits/address-tester.ts';
import type { OutwardFetch } from '../../limits/outward-fetch.ts';
import { isLoopbackHost } from '../../loopback.ts';
import { isObject } from '../requests/read-body.ts';

/** Words for the administrator. */
export class DiscoveryFault extends Error {}

export interface Discovery {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly jwks_uri: string;
  readonly userinfo_endpoint?: string;
  readonly revocation_endpoint?: string;
  readonly scopes_supported?: readonly string[];
  readonly response_types_supported?: readonly string[];
  readonly subject_types_supported?: readonly string[];
  readonly id_token_signing_alg_values_supported?: readonly string[];
  readonly token_endpoint_auth_methods_supported?: readonly string[];
  readonly code_challenge_methods_supported?: readonly string[];
}

const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const optional = ['userinfo_endpoint', 'revocation_endpoint'] as const;
const lists = [
  'scopes_supported',
  'response_types_supported',
  'subject_types_supported',
  'id_token_signing_alg_values_supported',
  'token_endpoint_auth_methods_supported',
  'code_challenge_methods_supported',
] as const;
const longestAddress = 2000;

/** Null if it may be asked: https, or http in a network that the operator allows. */
export function faultOfAddress(address: string, allowed: readonly string[]): string | null {
  if (address.length > longestAddress || !URL.canParse(address)) return 'is no address';
  const url = new URL(address);
  if (url.username !== '' || url.password !== '' || url.hash !== '') return 'has a user name or a fragment';
  if (url.protocol === 'https:') return null;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isAllowed = addressTester(allowed);
  const isOwn = isIP(host) === 0 ? isLoopbackHost(host) && isAllowed('127.0.0.1') : isAllowed(host);
  return url.protocol === 'http:' && isOwn ? null : 'needs https';
}

export async function discoverProvider(
  fetch: OutwardFetch,
  issuer: string,
  discoveryUrl: string | null,
  allowed: readonly string[],
): Promise<Discovery> {
  const address = discoveryUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = await readDocument(fetch, address);
  if (document.issuer !== issuer)
    throw new DiscoveryFault(`The discovery document is of another issuer: ${String(document.issuer).slice(0, 200)}`);
  const addresses: Record<string, string> = {};
  for (const name of [...needed, ...optional]) {
    const value = document[name];
    if (value === undefined && !(needed as readonly string[]).includes(name)) continue;
    if (typeof value !== 'string') throw new DiscoveryFault(`The discovery document has no ${name}`);
    const fault = faultOfAddress(value, allowed);
    if (fault !== null) throw new DiscoveryFault(`${name} of the discovery document ${fault}`);
    addresses[name] = value;
  }
  const more = lists.flatMap((name) => {
    const value = document[name];
    return Array.isArray(value) ? [[name, value.filter((one) => typeof one === 'string').slice(0, 100)] as const] : [];
  });
  return { issuer, ...addresses, ...Object.fromEntries(more) } as unknown as Discovery;
}

async function readDocument(fetch: OutwardFetch, address: string): Promise<Record<string, unknown>> {
  let response: Response;
  try {
    response = await fetch(address, { headers: { accept: 'application/json' } });
  } catch (error) {
    throw new DiscoveryFault('The discovery document cannot be fetched', { cause: error });
  }
  if (response.status !== 200) throw new DiscoveryFault(`The discovery document answers with ${response.status}`);
  const document: unknown = await response.json().catch(() => null);
  if (!isObject(document)) throw new DiscoveryFault('The discovery document is no JSON object');
  return document;
}
