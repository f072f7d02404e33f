// The plan I am on and until when, what was there before it, and what I bought once.

import { sayMoney } from '../../../contract/money.ts';
import type { MyBilling } from '../../queries/billing.ts';
import { localDay, sayDay } from '../../queries/days.ts';
import { words } from '../../strings/words.ts';
import { Section } from '../../ui/section.tsx';
import { Notice } from '../../ui/state.tsx';

const say = words.billing;

/** Statuses in which something that was bought counts. */
const running: readonly string[] = ['active', 'trialing', 'past_due', 'paid'];
/** Statuses of a subscription that the provider still keeps: a change of plan is a change of it, not a second one. */
const subscribed: readonly string[] = ['active', 'trialing', 'past_due', 'unpaid', 'paused'];

export function isRunning({ status }: MyBilling): boolean {
  return status !== null && running.includes(status);
}

export function isSubscribed({ status }: MyBilling): boolean {
  return status !== null && subscribed.includes(status);
}

export function WhatIHave({ billing }: { billing: MyBilling }) {
  const { plan, status } = billing;
  const limits = Object.entries(plan?.limits ?? {}).filter(([, limit]) => typeof limit === 'number');
  return (
    <div className="billing-mine">
      {isRunning(billing) ? <Running billing={billing} /> : <p>{plan === null ? say.free : say.freePlan(plan.name)}</p>}
      {limits.length > 0 && (
        <ul className="billing-limits" aria-label={say.limits}>
          {limits.map(([name, limit]) => (
            <li key={name}>{say.limit(name, limit)}</li>
          ))}
        </ul>
      )}
      {status !== null && !isRunning(billing) && <p className="billing-note">{sayBefore(billing, status)}</p>}
    </div>
  );
}

function Running({ billing }: { billing: MyBilling }) {
  const status = billing.status ?? '';
  const isOverdue = status === 'past_due' || (status !== 'paid' && billing.payment_failed);
  return (
    <>
      <p className="billing-plan">
        <strong>{billing.plan?.name ?? billing.price_name ?? say.unnamed}</strong>
        <span className={`billing-status billing-${status}`}>{say.status[status] ?? status}</span>
      </p>
      <p className="billing-note">{sayUntil(billing, isOverdue)}</p>
      {isOverdue && <Notice tone="danger">{say.overdue}</Notice>}
    </>
  );
}

function sayUntil(billing: MyBilling, isOverdue: boolean): string | null {
  if (billing.status === 'paid') return say.forGood;
  if (billing.ends_at !== null) return say.ends(day(billing.ends_at));
  if (billing.trial_ends_at !== null) return say.trialEnds(day(billing.trial_ends_at));
  // What is overdue renews when it is paid, not on a day.
  return billing.renews_at === null || isOverdue ? null : say.renews(day(billing.renews_at));
}

function sayBefore(billing: MyBilling, status: string): string {
  const name = billing.price_name ?? say.unnamed;
  const words = Object.hasOwn(say.before, status) ? say.before[status] : undefined;
  const date = billing.ends_at === null ? null : day(billing.ends_at);
  return words?.(name, date) ?? say.otherwise(name, status);
}

export function Purchases({ billing }: { billing: MyBilling }) {
  return (
    <Section title={say.purchases} hint={say.purchasesHint}>
      <table className="purchases">
        <thead>
          <tr>
            <th scope="col">{say.thing}</th>
            <th scope="col">{say.when}</th>
            <th scope="col">{say.amount}</th>
            <th scope="col">{say.state}</th>
          </tr>
        </thead>
        <tbody>
          {billing.purchases.map((one) => (
            <tr key={one.id}>
              <th scope="row">{one.name ?? say.unnamed}</th>
              <td>{day(one.bought_at)}</td>
              <td className="numbers">
                {one.amount !== null && one.currency !== null ? sayMoney(one.amount, one.currency) : '–'}
              </td>
              <td>{say.status[one.status] ?? one.status}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function day(moment: string): string {
  return sayDay(localDay(new Date(moment)));
}
