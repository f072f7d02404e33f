// What I have bought, as the server knows it.

import type { Answer } from '../sync/answers.ts';
import { useAnswer } from '../sync/answers.ts';

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

export function useMyBilling(): Answer<MyBilling> {
  return useAnswer<MyBilling>('my_billing');
}
