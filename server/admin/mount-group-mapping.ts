// Groups of the server's own OpenID Connect provider for operators: the mapping in force, which people would join and leave which groups with another
// one, and that one applied to all at once, by what the provider said of them last. The mapping is a setting; one of the environment is only shown.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { faultOfPairs, type GroupPair, trimPairs } from '../../contract/group-pairs.ts';
import { splitGroupPair } from '../config/group-pairs.ts';
import { sql } from '../database/sql.ts';
import { described } from '../http/describe-routes.ts';
import type { Services } from '../services.ts';
import { callAdmin } from './call-admin.ts';
import * as says from './described.ts';
import { adminError } from './errors.ts';
import { bodyOf } from './read-request.ts';

const setting = 'AUTH_OIDC_GROUPS';
/** Of tens of thousands of people. */
const options = { timeoutMs: 120_000 };

export function mountGroupMapping(door: FastifyInstance, services: Services): void {
  const { storedSettings } = services;
  const { identity } = services.config;
  const isLocked = (): boolean => storedSettings.placeOf(setting)?.isLocked !== false;

  function requireProvider(): { readonly provider: string; readonly claim: string } {
    if (identity.oidcIssuer === null || identity.oidcClientId === null)
      throw adminError('KB804', 'There is no OpenID Connect provider: set AUTH_OIDC_ISSUER and AUTH_OIDC_CLIENT_ID');
    if (identity.oidcGroupsClaim === null)
      throw adminError('KB804', 'No claim lists groups: set AUTH_OIDC_GROUPS_CLAIM');
    return { provider: identity.oidcName, claim: identity.oidcGroupsClaim };
  }

  const preview = (request: FastifyRequest, pairs: readonly GroupPair[]): Promise<unknown> => {
    const { provider, claim } = requireProvider();
    return callAdmin(
      services,
      request,
      sql`select private.admin_preview_said_groups(${provider}, ${claim}, ${asNames(pairs)}::jsonb) as value`,
      options,
    );
  };

  door.get('/group-mapping', described(says.readGroupMapping), async (request) => {
    const hasProvider = identity.oidcIssuer !== null && identity.oidcClientId !== null;
    const said = await callAdmin<{ readonly people: number; readonly values: readonly unknown[] }>(
      services,
      request,
      sql`select private.admin_said_groups(${identity.oidcName}, ${identity.oidcGroupsClaim ?? ''}) as value`,
    );
    return {
      provider: hasProvider ? identity.oidcName : null,
      claim: identity.oidcGroupsClaim,
      is_locked: isLocked(),
      groups: identity.oidcGroups.map((pair) => {
        const [value, name] = splitGroupPair(pair);
        return { value, name };
      }),
      ...said,
    };
  });

  door.post('/group-mapping/preview', described(says.previewGroupMapping), async (request) => {
    await callAdmin(services, request, sql`select private.admin_me() as value`);
    const { groups } = await bodyOf(request, says.previewGroupMapping);
    return preview(request, checked(groups));
  });

  door.put('/group-mapping', described(says.changeGroupMapping), async (request) => {
    await callAdmin(services, request, sql`select private.admin_me() as value`);
    const { groups } = await bodyOf(request, says.changeGroupMapping);
    const pairs = checked(groups);
    const { provider, claim } = requireProvider();
    if (isLocked())
      throw adminError(
        'KB804',
        `${setting} is set by a flag, the environment or .env of the server, and cannot be changed here`,
      );
    const names = asNames(pairs);
    await callAdmin(
      services,
      request,
      sql`select private.admin_change_group_mapping(${setting}, ${names}, ${provider}, ${claim}) as value`,
      options,
    );
    await storedSettings.reload();
    return {};
  });
}

/** Null: all groups count, by their own names. */
const asNames = (pairs: readonly GroupPair[]): string | null =>
  pairs.length === 0 ? null : JSON.stringify(Object.fromEntries(pairs.map(({ value, name }) => [value, name])));

const faults = {
  missing: 'Each line needs a value of the claim and a group',
  equals: 'Names of groups have no equals sign here',
  twice: 'Each value and each group stands in one line',
} as const;

function checked(groups: readonly GroupPair[]): readonly GroupPair[] {
  const pairs = trimPairs(groups);
  const fault = faultOfPairs(pairs);
  if (fault !== null) throw adminError('KB805', faults[fault]);
  return pairs;
}
