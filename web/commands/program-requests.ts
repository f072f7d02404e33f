// Requests about programs that ask for access: their request is read and answered, those that have access are listed and put out.

import { type Door, dataOf } from '../sync/door.ts';
import type { Sync } from '../sync/sync.ts';

export interface ProgramRequest {
  readonly id: string;
  readonly name: string;
  /** Its own page. */
  readonly uri: string;
  /** Entered by an administrator; otherwise it only says that it is called so. */
  readonly isKnown: boolean;
  /** Where the browser goes back to; empty: the program waits on a device. */
  readonly returnsTo: string;
  readonly scopes: readonly string[];
}

export interface Consent {
  readonly scope: string;
  readonly projects: readonly string[] | null;
  readonly expires_in: number | null;
}

export interface Program {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly grantedAt: string;
  readonly projectIds: readonly string[] | null;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

type Answer<T> = { readonly data: T | null; readonly error: Error | null };

function orThrow<T>({ data, error }: Answer<T>): T {
  if (error !== null || data === null) throw error ?? new Error('Nothing was answered');
  return data;
}

/** Or where to go on at once, since the same was granted before. */
export async function readProgramRequest(door: Door, id: string): Promise<ProgramRequest | string> {
  const found = orThrow(await door.auth.oauth.getAuthorizationDetails(id));
  if ('redirect_url' in found) return found.redirect_url;
  const { client, redirect_uri: returnsTo, scope } = found;
  const { registration_type: registration } = found as { registration_type?: string };
  return {
    ...{ id, name: client.name, uri: client.uri, returnsTo },
    isKnown: registration === 'manual',
    scopes: scope.split(' '),
  };
}

/** Where the browser goes on to; empty for a device. The choice goes along, which the official client has no words for. */
export async function allowProgram(door: Door, anonKey: string, id: string, consent: Consent): Promise<string> {
  const path = `/auth/v1/oauth/authorizations/${id}/consent`;
  return (await post<{ redirect_url: string }>(door, anonKey, path, { action: 'approve', ...consent })).redirect_url;
}

export async function denyProgram(door: Door, id: string): Promise<string> {
  return orThrow(await door.auth.oauth.denyAuthorization(id, { skipBrowserRedirect: true })).redirect_url;
}

/** The request that waits on a device with this code. */
export async function findDeviceRequest(door: Door, anonKey: string, userCode: string): Promise<string> {
  const found = await post<{ authorization_id: string }>(door, anonKey, '/auth/v1/oauth/device', {
    user_code: userCode,
  });
  return found.authorization_id;
}

async function post<T>(door: Door, anonKey: string, path: string, body: unknown): Promise<T> {
  const { session } = (await door.auth.getSession()).data;
  const answer = await fetch(path, {
    method: 'POST',
    headers: {
      apikey: anonKey,
      authorization: `Bearer ${session?.access_token ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  const said = (await answer.json()) as T & { message?: string; code?: string };
  if (!answer.ok) throw Object.assign(new Error(said.message ?? ''), { code: said.code, status: answer.status });
  return said;
}

export interface ChoosableProject {
  readonly id: string;
  readonly name: string;
}

/** Those that a person can limit a program to. */
export async function listChoosableProjects(door: Door): Promise<readonly ChoosableProject[]> {
  return dataOf(await door.from('projects').select('id,name').is('archived_at', null).order('name').limit(500));
}

export async function listPrograms({ door }: Sync): Promise<readonly Program[]> {
  const grants = orThrow(await door.auth.oauth.listGrants());
  return grants.map((grant) => {
    const more = grant as { project_ids?: string[] | null; expires_at?: string | null; last_used_at?: string | null };
    return {
      ...{ id: grant.client.id, name: grant.client.name, scopes: grant.scopes, grantedAt: grant.granted_at },
      projectIds: more.project_ids ?? null,
      expiresAt: more.expires_at ?? null,
      lastUsedAt: more.last_used_at ?? null,
    };
  });
}

export async function revokeProgram({ door }: Sync, clientId: string): Promise<void> {
  const { error } = await door.auth.oauth.revokeGrant({ clientId });
  if (error) throw error;
}
