// Requests of the admin pages: the server does them at once, writes each into the log, and there is no undo.

import type { GroupPair } from '../../contract/group-pairs.ts';
import type { MappingPreview } from '../queries/admin/admin-group-mapping.ts';
import { type ProgramKind, programPath } from '../queries/admin/admin-programs.ts';
import type { TrialPreview } from '../queries/admin/admin-providers.ts';
import { askServer, resultOf } from '../sync/ask-server.ts';
import type { Sync } from '../sync/sync.ts';

/** What an operator can do to an account, and the end of its address. */
const accountActions = {
  disable: 'disable',
  enable: 'enable',
  signOut: 'sign-out',
  resetFactors: 'reset-factors',
  delete: 'delete',
} as const;

export type AccountAction = keyof typeof accountActions;

const post = ({ door }: Sync, path: string, body: object): Promise<Response> =>
  askServer(door, `/api/admin${path}`, 'POST', body);

export const becomeOperator = (sync: Sync, token: string) => post(sync, '/claim', { token });

/** `email`: the safeguard of a deletion. */
export const changeAccount = (sync: Sync, id: string, action: AccountAction, email = '') =>
  post(sync, `/accounts/${id}/${accountActions[action]}`, { email });

export const createAccount = (sync: Sync, made: { email: string; name: string; by: 'mail' | 'link' }) =>
  resultOf<{ readonly link: string | null }>(post(sync, '/accounts', made));

export const enterProject = (sync: Sync, id: string, reason: string) => post(sync, `/projects/${id}/enter`, { reason });

export const leaveEnteredProject = (sync: Sync, id: string) => post(sync, `/projects/${id}/leave`, {});

export const restoreAnyProject = (sync: Sync, id: string, reason: string) =>
  post(sync, `/projects/${id}/restore`, { reason });

export const transferProject = (sync: Sync, id: string, email: string, reason: string) =>
  post(sync, `/projects/${id}/pass-on`, { email, reason });

export const withdrawTransfer = (sync: Sync, id: string) => post(sync, `/projects/${id}/withdraw-transfer`, {});

/** Null: all that failed. */
export const sendMailAgain = (sync: Sync, id: string | null) =>
  resultOf<{ readonly sent: number }>(post(sync, id === null ? '/mail/again' : `/mail/${id}/again`, {}));

export const sendTestMail = (sync: Sync) => resultOf<{ readonly id: string }>(post(sync, '/mail/test', {}));

/** Null: what holds without it holds again. */
export const changeSetting = (sync: Sync, name: string, value: string | null) =>
  resultOf<unknown>(askServer(sync.door, `/api/admin/settings/${name}`, 'PUT', { value }));

/** The token is told this once. */
export const createProvider = (sync: Sync, name: string, onTrial: boolean) =>
  resultOf<{ readonly id: string; readonly token: string }>(post(sync, '/providers', { name, on_trial: onTrial }));

/** Begins a trial, or forgets what was sent during one. */
export const startTrial = (sync: Sync, provider: string) => post(sync, `/providers/${provider}/trial`, {});

/** Changes nothing. */
export const previewTrial = (sync: Sync, provider: string) =>
  resultOf<TrialPreview>(post(sync, `/providers/${provider}/trial/preview`, {}));

/** `version`: of what was previewed. */
export const applyTrial = (sync: Sync, provider: string, version: string) =>
  resultOf<{ readonly refused: TrialPreview['refused'] }>(
    post(sync, `/providers/${provider}/trial/apply`, { version }),
  );

export const createProviderToken = (sync: Sync, provider: string) =>
  resultOf<{ readonly token: string }>(post(sync, `/providers/${provider}/tokens`, {}));

export const revokeProviderToken = (sync: Sync, token: string) => post(sync, `/provider-tokens/${token}/revoke`, {});

export const removeProvider = (sync: Sync, provider: string) => post(sync, `/providers/${provider}/remove`, {});

/** Changes nothing. */
export const previewGroupMapping = (sync: Sync, groups: readonly GroupPair[]) =>
  resultOf<MappingPreview>(post(sync, '/group-mapping/preview', { groups }));

/** For everybody at once. */
export const changeGroupMapping = (sync: Sync, groups: readonly GroupPair[]) =>
  askServer(sync.door, '/api/admin/group-mapping', 'PUT', { groups });

/** Ends a key or a service account, or deletes a client. */
export const endProgram = (sync: Sync, kind: ProgramKind, id: string) =>
  askServer(sync.door, `/api/admin/${programPath(kind)}/${id}`, 'DELETE');

interface MadeClient {
  readonly client_id: string;
  /** Null: it has none. Told once. */
  readonly client_secret: string | null;
}

export const createClient = (
  sync: Sync,
  made: { readonly name: string; readonly redirect_uris: readonly string[]; readonly is_confidential: boolean },
) => resultOf<MadeClient>(post(sync, '/clients', made));

export const replaceClientSecret = (sync: Sync, id: string) =>
  resultOf<MadeClient>(post(sync, `/clients/${id}/secret`, {}));
