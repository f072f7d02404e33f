// Current plan with its end, the plan before it, and one-time purchases.

import { sayMoney } from '../../../contract/money.ts';
import { localDay, sayDay } from '../../queries/days/days.ts';
import type { MyBilling } from '../../queries/people/billing.ts';
import { isMessage, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Notice } from '../../ui/list-states.tsx';
import { Section } from '../../ui/section.tsx';
import styles from './billing.module.css';

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

export function CurrentPlan({ billing }: { billing: MyBilling }) {
  const { plan, status } = billing;
  const limits = Object.entries(plan?.limits ?? {}).filter(([, limit]) => typeof limit === 'number');
  return (
    <div className={shapes.stackS3}>
      {isRunning(billing) ? (
        <Running billing={billing} />
      ) : (
        <p>{plan === null ? t('billing.free') : t('billing.freePlan', { name: plan.name })}</p>
      )}
      {limits.length > 0 && (
        <ul
          className={`${shapes.soft} ${shapes.flex} ${shapes.wraps} ${styles.billingLimits}`}
          aria-label={t('billing.limits')}
        >
          {limits.map(([name, limit]) => (
            <li key={name}>{sayLimit(name, limit)}</li>
          ))}
        </ul>
      )}
      {status !== null && !isRunning(billing) && (
        <p className={`${shapes.quietS} ${styles.billingNote}`}>{sayBefore(billing, status)}</p>
      )}
    </div>
  );
}

function Running({ billing }: { billing: MyBilling }) {
  const status = billing.status ?? '';
  const isOverdue = status === 'past_due' || (status !== 'paid' && billing.payment_failed);
  return (
    <>
      <p className={`${shapes.flowS4} ${styles.billingPlan}`}>
        <strong>{billing.plan?.name ?? billing.price_name ?? t('billing.unnamed')}</strong>
        <span
          className={`${shapes.strong} ${shapes.round} ${shapes.small} ${styles.billingStatus} ${status === 'past_due' ? styles.billingOverdue : ''}`}
        >
          {sayStatus(status)}
        </span>
      </p>
      <p className={`${shapes.quietS} ${styles.billingNote}`}>{sayUntil(billing, isOverdue)}</p>
      {isOverdue && <Notice tone="danger">{t('billing.overdue')}</Notice>}
    </>
  );
}

function sayUntil(billing: MyBilling, isOverdue: boolean): string | null {
  if (billing.status === 'paid') return t('billing.forGood');
  if (billing.ends_at !== null) return t('billing.ends', { date: day(billing.ends_at) });
  if (billing.trial_ends_at !== null) return t('billing.trialEnds', { date: day(billing.trial_ends_at) });
  // What is overdue renews when it is paid, not on a day.
  return billing.renews_at === null || isOverdue ? null : t('billing.renews', { date: day(billing.renews_at) });
}

function sayBefore(billing: MyBilling, status: string): string {
  const name = billing.price_name ?? t('billing.unnamed');
  const date = billing.ends_at === null ? null : day(billing.ends_at);
  const key = `billing.before.${status}` as const;
  return isMessage(key) ? t(key, { name, date: date ?? 'none' }) : t('billing.otherwise', { name, status });
}

function sayStatus(status: string): string {
  const key = `billing.status.${status}` as const;
  return isMessage(key) ? t(key) : status;
}

function sayLimit(name: string, n: number): string {
  const key = `billing.limit.${name}` as const;
  return isMessage(key) ? t(key, { n, name }) : t('billing.limit.other', { name: name.replaceAll('_', ' '), n });
}

export function Purchases({ billing }: { billing: MyBilling }) {
  return (
    <Section wide title={t('billing.purchases')} hint={t('billing.purchasesHint')}>
      <table className={`${shapes.full} ${styles.purchases}`}>
        <thead>
          <tr>
            <th scope="col">{t('billing.thing')}</th>
            <th scope="col">{t('billing.when')}</th>
            <th scope="col">{t('billing.amount')}</th>
            <th scope="col">{t('billing.state')}</th>
          </tr>
        </thead>
        <tbody>
          {billing.purchases.map((one) => (
            <tr key={one.id}>
              <th scope="row">{one.name ?? t('billing.unnamed')}</th>
              <td>{day(one.bought_at)}</td>
              <td className="numbers">
                {one.amount !== null && one.currency !== null ? sayMoney(one.amount, one.currency) : '–'}
              </td>
              <td>{sayStatus(one.status)}</td>
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
