// What I have, what there is to buy, and the way to the payment provider's own pages.

import { CreditCard } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { type MyBilling, sayMoney, useMyBilling } from '../../queries/billing.ts';
import { sayDay } from '../../queries/days.ts';
import { createCheckout, createPortal } from '../../session/payments.ts';
import { useHouse } from '../../session/react.tsx';
import { words } from '../../strings/words.ts';
import type { Price } from '../../sync/page-settings.ts';
import { Button } from '../../ui/button.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState, Notice, Skeleton } from '../../ui/state.tsx';
import './billing.css';

const say = words.billing;

export default function Billing() {
  usePageTitle(say.title);
  const { settings } = useHouse();
  const { data, failed, again } = useMyBilling();
  const [params] = useSearchParams();
  const [busy, setBusy] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const paid = params.has('paid');
  const known = data?.status ?? null;
  // The provider tells the server a moment after the person is back; look again until it shows.
  useEffect(() => {
    if (!paid || known !== null) return;
    const timer = setInterval(again, 2000);
    return () => clearInterval(timer);
  }, [paid, known, again]);

  if (settings.billing === null)
    return (
      <div className="page">
        <header className="page-head">
          <h1>{say.title}</h1>
        </header>
        <EmptyState art={<CreditCard size={36} />} title={say.off}>
          <p>{say.offWords}</p>
        </EmptyState>
      </div>
    );

  async function leaveFor(what: string, ask: () => Promise<string>): Promise<void> {
    setBusy(what);
    setFault(null);
    try {
      location.assign(await ask());
    } catch (thrown) {
      setFault(thrown instanceof Error ? thrown.message : String(thrown));
      setBusy(null);
    }
  }
  const here = `${location.origin}/app/billing`;
  const { prices } = settings.billing;
  return (
    <div className="page account">
      <header className="page-head">
        <h1>{say.title}</h1>
      </header>
      {paid && known === null && <Notice tone="good">{say.paid}</Notice>}
      {fault && (
        <Notice tone="danger">
          {say.failed} {fault}
        </Notice>
      )}
      <Section title={say.plan} hint={say.planHint}>
        {data === null ? (
          failed ? (
            <Notice tone="warn">
              {words.common.failed.words} <Button onClick={again}>{words.common.retry}</Button>
            </Notice>
          ) : (
            <Skeleton width="50%" height="1.5rem" />
          )
        ) : (
          <Mine billing={data} />
        )}
        {data?.customer && (
          <div>
            <Button busy={busy === 'portal'} onClick={() => void leaveFor('portal', () => createPortal(here))}>
              {say.manage}
            </Button>
            <p className="billing-note">{say.manageHint}</p>
          </div>
        )}
      </Section>
      <Section title={say.prices} hint={say.pricesHint}>
        {prices.length === 0 && <p className="billing-note">{say.noPrices}</p>}
        <ul className="prices">
          {prices.map((price) => {
            const mine = data?.plan?.price_id === price.id && price.mode === 'subscription';
            return (
              <li key={price.id} className={`price ${mine ? 'price-mine' : ''}`}>
                <h3>{price.name}</h3>
                <p className="price-amount">{sayPrice(price)}</p>
                {mine ? (
                  <span className="price-now">{say.current}</span>
                ) : (
                  <Button
                    look="main"
                    aria-label={`${price.mode === 'payment' ? say.buy : say.choose}: ${price.name}`}
                    busy={busy === price.id}
                    onClick={() => void leaveFor(price.id, () => createCheckout(price.id, price.mode, here))}
                  >
                    {price.mode === 'payment' ? say.buy : say.choose}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      </Section>
      {data !== null && data.purchases.length > 0 && <Purchases billing={data} />}
    </div>
  );
}

function Mine({ billing }: { billing: MyBilling }) {
  const { plan, status } = billing;
  const limits = Object.entries(plan?.limits ?? {}).filter(([, limit]) => typeof limit === 'number');
  const when =
    billing.ends_at !== null
      ? (status === 'canceled' ? say.ended : say.ends)(day(billing.ends_at))
      : billing.trial_ends_at !== null && status === 'trialing'
        ? say.trialEnds(day(billing.trial_ends_at))
        : billing.renews_at !== null
          ? say.renews(day(billing.renews_at))
          : null;
  return (
    <div className="billing-mine">
      {plan === null && status === null && <p>{say.free}</p>}
      {plan !== null && status === null && <p>{say.freePlan(plan.name)}</p>}
      {status !== null && (
        <p className="billing-plan">
          <strong>{plan?.name ?? say.unnamed}</strong>
          <span className={`billing-status billing-${status}`}>{say.status[status] ?? status}</span>
        </p>
      )}
      {when && <p className="billing-note">{when}</p>}
      {billing.payment_failed && <Notice tone="danger">{say.paymentFailed}</Notice>}
      {limits.length > 0 && (
        <ul className="billing-limits" aria-label={say.limits}>
          {limits.map(([name, limit]) => (
            <li key={name}>{say.limit(name, limit)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Purchases({ billing }: { billing: MyBilling }) {
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

function sayPrice(price: Price): string {
  if (price.amount === null || price.currency === null) return say.askPrice;
  const money = sayMoney(price.amount, price.currency);
  return price.mode === 'payment' ? `${money} ${say.once}` : `${money} ${say.per[price.interval ?? ''] ?? ''}`;
}

function day(moment: string): string {
  return sayDay(moment.slice(0, 10));
}
