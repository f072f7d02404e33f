// Consequences of deleting one's account, before it is done.

import type { LiveResult } from '../../sync/use-result.ts';
import { useResult } from '../../sync/use-result.ts';

export interface AccountEnd {
  readonly projects: readonly {
    readonly id: string;
    readonly name: string;
    readonly becomes: 'stays' | 'passes' | 'archived' | 'deleted';
    /** Who owns it then, where it passes. */
    readonly heir_name: string | null;
  }[];
  /** What stays without one's name. */
  readonly tasks: number;
  readonly comments: number;
  /** Names of one's service accounts, which end, too. */
  readonly service_accounts: readonly string[];
  /** Keys and clients that the person made for service accounts of projects. */
  readonly programs: readonly { readonly name: string; readonly project_name: string }[];
  /** What proves anew who one is: a code of the second factor, the password, or a sign-in a moment ago. */
  readonly proof: 'factor' | 'password' | 'recent';
}

export function useAccountEnd(): LiveResult<AccountEnd> {
  return useResult<AccountEnd>('my_account_end');
}
