// Requests about service accounts: listed, made and deleted by those who manage them, with the keys and OAuth clients that act for them. Texts of
// keys and secrets are told once. Only their pages show them, so they are no part of the store; their names and memberships are.

import { dataOf } from '../sync/door.ts';
import type { KeyScope } from '../sync/procedures.ts';
import type { Role } from '../sync/rows/rows.ts';
import type { Sync } from '../sync/sync.ts';
import type { AgentSettings } from './agent-requests.ts';
import { type ApiKey, columnsOfKeys, isOpenKey, type NewKey } from './key-requests.ts';

export interface ServiceAccount {
  readonly id: string;
  readonly name: string;
  /** What its sessions may do, where it is an agent. */
  readonly agent: AgentSettings | null;
}

export interface ServiceKey extends ApiKey {
  readonly user_id: string;
}

export interface ServiceClient {
  readonly client_id: string;
  readonly name: string;
  readonly scope: KeyScope;
  /** Null: all of the account. */
  readonly project_ids: readonly string[] | null;
  readonly last_used_at: string | null;
}

export interface ClientSecret {
  readonly client_id: string;
  readonly client_secret: string;
}

/** Those of a project, or one's own. */
export async function listServiceAccounts(
  sync: Sync,
  projectId: string | null,
): Promise<{ readonly accounts: readonly ServiceAccount[]; readonly keys: readonly ServiceKey[] }> {
  const [column, owner] =
    projectId === null ? (['owner_id', sync.userId] as const) : (['project_id', projectId] as const);
  const rows = dataOf(
    await sync.door
      .from('service_accounts')
      .select('id, profiles(display_name, avatar_url), agents(about, mode, writes_an_hour, session_minutes)')
      .eq(column, owner)
      .order('created_at'),
  ) as unknown as {
    id: string;
    profiles: { display_name: string | null; avatar_url: string | null };
    agents: AgentSettings | null;
  }[];
  // One that is in no project yet is no colleague, whom live changes would bring.
  sync.store.receive(
    rows.map(({ id, profiles: profile, agents: agent }) => ({
      table: 'profiles' as const,
      row: { id, ...profile, is_service_account: true, is_agent: agent !== null },
    })),
  );
  const keys =
    rows.length === 0
      ? []
      : (dataOf(
          await sync.door
            .from('api_keys')
            .select(`user_id, ${columnsOfKeys}`)
            .in(
              'user_id',
              rows.map(({ id }) => id),
            )
            .is('revoked_at', null)
            .order('created_at', { ascending: false }),
        ) as unknown as ServiceKey[]);
  return {
    accounts: rows.map(({ id, profiles, agents: agent }) => ({ id, name: profiles.display_name ?? '', agent })),
    keys: keys.filter(isOpenKey),
  };
}

export async function createServiceAccount(
  sync: Sync,
  name: string,
  projectId: string | null,
  role: Role,
): Promise<void> {
  const made = dataOf(
    await sync.door.rpc('create_service_account', {
      name,
      ...(projectId === null ? {} : { project_id: projectId, role }),
    }),
  ) as unknown as { readonly id: string; readonly created_at: string };
  if (projectId === null) return;
  sync.store.receive([
    { table: 'project_members', row: { project_id: projectId, user_id: made.id, role, created_at: made.created_at } },
  ]);
}

export async function deleteServiceAccount(sync: Sync, id: string): Promise<void> {
  dataOf(await sync.door.rpc('delete_service_account', { service_account_id: id }));
}

/** Its text. */
export async function createServiceKey(
  sync: Sync,
  id: string,
  { name, scope, projectIds, days }: NewKey,
): Promise<string> {
  const made = dataOf(
    await sync.door.rpc('create_service_account_key', {
      service_account_id: id,
      ...{ name, scope, project_ids: projectIds, days },
    } as never),
  ) as unknown as { readonly token: string };
  return made.token;
}

export async function listServiceClients(sync: Sync, id: string): Promise<readonly ServiceClient[]> {
  const clients = dataOf(await sync.door.rpc('service_account_clients', { service_account_id: id }));
  return clients as unknown as readonly ServiceClient[];
}

export async function createServiceClient(
  sync: Sync,
  id: string,
  { name, scope, projectIds }: Omit<NewKey, 'days'>,
): Promise<ClientSecret> {
  const made = await sync.door.rpc('create_service_account_client', {
    service_account_id: id,
    ...{ name, scope, project_ids: projectIds },
  } as never);
  return dataOf(made) as unknown as ClientSecret;
}

export async function rotateServiceClient(sync: Sync, clientId: string): Promise<ClientSecret> {
  const rotated = dataOf(await sync.door.rpc('rotate_service_account_client', { client_id: clientId }));
  return rotated as unknown as ClientSecret;
}

export async function deleteServiceClient(sync: Sync, clientId: string): Promise<void> {
  dataOf(await sync.door.rpc('delete_service_account_client', { client_id: clientId }));
}
