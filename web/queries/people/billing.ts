// Purchases of the user, as the server knows them.

import type { LiveResult } from '../../sync/use-result.ts';
import { usePollEvery, useResult } from '../../sync/use-result.ts';

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

const awaitedEveryMs = 2000;

export function useMyBilling(): LiveResult<MyBilling> {
  return useResult<MyBilling>('my_billing');
}

/** As long as a payment is awaited, what I have is asked for every two seconds: the provider tells the server, and nobody tells the page. */
export function useAwaitedPayment(isAwaited: boolean): void {
  usePollEvery('my_billing', isAwaited ? awaitedEveryMs : null);
}
