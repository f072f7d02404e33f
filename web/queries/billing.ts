// What I have bought, as the server knows it.

import type { LiveResult } from '../sync/use-result.ts';
import { useResult } from '../sync/use-result.ts';

export type { Price } from '../sync/page-settings.ts';

export interface MyBilling {
  readonly customer: boolean;
  readonly plan: { readonly price_id: string; readonly name: string; readonly limits: Record<string, number> } | null;
  readonly price_id: string | null;
  /** What the price in question is called, also when it gives no plan any more. */
  readonly price_name: string | null;
  readonly status: string | null;
  readonly renews_at: string | null;
  readonly ends_at: string | null;
  readonly trial_ends_at: string | null;
  readonly payment_failed: boolean;
  readonly purchases: readonly {
    readonly id: string;
    readonly price_id: string | null;
    readonly name: string | null;
    readonly amount: number | null;
    readonly currency: string | null;
    readonly status: string;
    readonly bought_at: string;
  }[];
}

export function useMyBilling(): LiveResult<MyBilling> {
  return useResult<MyBilling>('my_billing');
}
