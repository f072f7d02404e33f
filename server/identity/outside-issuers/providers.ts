// The OpenID Connect issuers people may sign in with: Google, one of your own, and more from a list.

import type { Configuration, ServerMetadata } from 'openid-client';
import type { Config } from '../../config/config.ts';
import { splitGroupPair } from '../../config/group-pairs.ts';
import type { OutwardFetch } from '../../limits/outward-fetch.ts';
import { isLoopbackHost } from '../../loopback.ts';
import type { GroupsClaim } from './outside-groups.ts';

type Settings = Config['identity'];

export interface Provider {
  readonly name: string;
  readonly issuer: string;
  /** The first is ours at the authorization endpoint; ID tokens may be for any of them. */
  readonly clientIds: readonly string[];
  readonly scopes: string;
  /** Its addresses count as verified even when it does not say so. */
  readonly trustEmail: boolean;
  /** As the settings say at this moment. */
  readonly groups: GroupsClaim | null;
  /** Of one that was entered by the API for administrators. */
  readonly custom?: CustomTraits;
  /** What the issuer says of itself, asked once; asked again after a failure. */
  client(): Promise<Configuration>;
}

export interface CustomTraits {
  /** Where there are no ID tokens: who the person is, is asked here. */
  readonly userinfoUrl: string | null;
  readonly usesPkce: boolean;
  readonly usesNonce: boolean;
  readonly isEmailOptional: boolean;
  /** Go with the request for a sign-in. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Claims here, by the names of ours that they stand for. */
  readonly mapping: Readonly<Record<string, unknown>>;
  /** Claims that are kept as they come. */
  readonly keptClaims: readonly string[];
  readonly fetch: OutwardFetch;
}

export interface Providers {
  readonly names: readonly string[];
  find(name: string): Provider | undefined;
  /** Where every issuer sends people back to. */
  readonly callbackUrl: string;
}

interface Registration {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly scopes: string;
  readonly trustEmail: boolean;
  readonly groups: GroupsClaim | null;
  readonly metadata?: ServerMetadata;
}

/** Those that clients know by name: ours are switched on, the rest are not offered. */
export const knownProviders: readonly string[] = [
  'apple', 'azure', 'bitbucket', 'discord', 'facebook', 'figma', 'fly', 'github', 'gitlab', 'google', 'kakao', 'keycloak',
  'linkedin', 'linkedin_oidc', 'nextcloud', 'notion', 'slack', 'slack_oidc', 'snapchat', 'spotify', 'twitch', 'twitter',
  'vercel_marketplace', 'workos', 'x', 'zoom',
]; // biome-ignore format: a list

export const usualScopes = 'openid email profile';

/** Well known and stable: sign-in with Google starts without asking Google first. */
const google: ServerMetadata = {
  issuer: 'https://accounts.google.com',
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  token_endpoint: 'https://oauth2.googleapis.com/token',
  userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
  code_challenge_methods_supported: ['S256'],
};

export function openProviders(settings: Settings, apiUrl: string): Providers {
  const providers = new Map(registrationsIn(settings).map((one) => [one.name, openProvider(one)]));
  return {
    names: [...providers.keys()],
    find: (name) => providers.get(name),
    callbackUrl: `${apiUrl}/auth/v1/callback`,
  };
}

function registrationsIn(settings: Settings): Registration[] {
  const found: Registration[] = [];
  if (settings.googleClientId !== null)
    found.push({
      name: 'google',
      issuer: settings.googleIssuer ?? google.issuer,
      clientId: settings.googleClientId,
      clientSecret: settings.googleClientSecret,
      scopes: usualScopes,
      trustEmail: false,
      groups: null,
      ...(settings.googleIssuer === null ? { metadata: google } : {}),
    });
  if (settings.oidcIssuer !== null && settings.oidcClientId !== null)
    found.push({
      name: settings.oidcName,
      issuer: settings.oidcIssuer,
      clientId: settings.oidcClientId,
      clientSecret: settings.oidcClientSecret,
      scopes: settings.oidcScopes,
      trustEmail: settings.oidcTrustEmail,
      // Changed at the admin page while the server runs.
      get groups() {
        return ownGroups(settings);
      },
    });
  return [...found, ...moreIn(settings.oidcMore)];
}

function moreIn(text: string | null): Registration[] {
  if (text === null) return [];
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new Error('AUTH_OIDC_MORE must be a JSON list');
  return list.map((one: Record<string, unknown>) => {
    const { name, issuer, clientId, clientSecret, scopes, trustEmail, groupsClaim, groups } = one;
    if (typeof name !== 'string' || typeof issuer !== 'string' || typeof clientId !== 'string')
      throw new Error('AUTH_OIDC_MORE: each provider needs name, issuer and clientId');
    return {
      name,
      issuer,
      clientId,
      clientSecret: typeof clientSecret === 'string' ? clientSecret : null,
      scopes: typeof scopes === 'string' ? scopes : usualScopes,
      trustEmail: trustEmail === true,
      groups: groupsOf(groupsClaim, Object.entries(Object(groups ?? {}))),
    };
  });
}

function ownGroups({ oidcGroupsClaim, oidcGroups }: Settings): GroupsClaim | null {
  return groupsOf(oidcGroupsClaim, oidcGroups.map(splitGroupPair));
}

function groupsOf(claim: unknown, names: readonly (readonly [value: string, name: unknown])[]): GroupsClaim | null {
  if (typeof claim !== 'string' || claim === '') return null;
  const named = names.map(([value, name]) => [value, String(name).trim()] as const);
  return { claim, names: named.length === 0 ? null : Object.fromEntries(named) };
}

function openProvider(registration: Registration): Provider {
  const clientIds = registration.clientId.split(',').map((id) => id.trim());
  let known: Promise<Configuration> | null = null;
  return {
    name: registration.name,
    issuer: registration.issuer,
    clientIds,
    scopes: registration.scopes,
    trustEmail: registration.trustEmail,
    get groups() {
      return registration.groups;
    },
    client() {
      known ??= introduce(registration, clientIds[0] ?? '').catch((error: unknown) => {
        known = null;
        throw error;
      });
      return known;
    },
  };
}

async function introduce(registration: Registration, clientId: string): Promise<Configuration> {
  // Only who signs in with an issuer pays for loading the library.
  const oidc = await import('openid-client');
  const { issuer, clientSecret, metadata } = registration;
  const authentication = clientSecret === null ? oidc.None() : oidc.ClientSecretPost(clientSecret);
  if (metadata) return new oidc.Configuration(metadata, clientId, undefined, authentication);
  const url = new URL(issuer);
  const onThisMachine = url.protocol === 'http:' && isLoopbackHost(url.hostname);
  return oidc.discovery(url, clientId, undefined, authentication, {
    timeout: 10,
    ...(onThisMachine ? { execute: [oidc.allowInsecureRequests] } : {}),
  });
}
