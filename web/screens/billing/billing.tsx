// Billing: purchases, offers, and the way to the payment provider's own pages.

import { CreditCard } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Price } from '../../../contract/price.ts';
import { sayRefusal } from '../../commands.ts';
import { type MyBilling, useAwaitedPayment, useMyBilling } from '../../queries/people/billing.ts';
import { createCheckout, createPortal } from '../../session/payments.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import { readPrice } from '../../strings/prices.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Notice, Skeleton } from '../../ui/list-states.tsx';
import pageStyles from '../../ui/page.module.css';
import { usePageTitle } from '../../ui/page-title.ts';
import { Section } from '../../ui/section.tsx';
import { ScreenTitle } from '../../ui/top-bar-slot.tsx';
import styles from './billing.module.css';
import { CurrentPlan, isRunning, isSubscribed, Purchases } from './current-plan.tsx';

export default function Billing() {
  usePageTitle(t('common.nav.billing'));
  const { settings } = useApp();
  const { data, failed, again } = useMyBilling();
  const [busy, setBusy] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const payment = usePayment(data);

  if (settings.billing === null)
    return (
      <div className={pageStyles.page}>
        <header className={pageStyles.pageHead}>
          <ScreenTitle>{t('common.nav.billing')}</ScreenTitle>
        </header>
        <EmptyState art={<CreditCard size={36} />} title={t('billing.off')}>
          <p>{t('billing.offWords')}</p>
        </EmptyState>
      </div>
    );

  async function leaveFor(what: string, ask: () => Promise<string>): Promise<void> {
    setBusy(what);
    setFault(null);
    try {
      location.assign(await ask());
    } catch (thrown) {
      setFault(sayRefusal(thrown));
      setBusy(null);
    }
  }
  const here = `${location.origin}/app/billing`;
  const toPortal = (what: string) => void leaveFor(what, () => createPortal(here));
  const { prices } = settings.billing;
  return (
    <div className={pageStyles.page}>
      <header className={pageStyles.pageHead}>
        <ScreenTitle>{t('common.nav.billing')}</ScreenTitle>
      </header>
      {payment && <Notice tone={payment === 'late' ? 'warn' : 'good'}>{t(`billing.${payment}`)}</Notice>}
      {fault && (
        <Notice tone="danger">
          {t('billing.failed')} {fault}
        </Notice>
      )}
      <Section title={t('billing.plan')} hint={t('billing.planHint')}>
        {data === null ? (
          failed ? (
            <Notice tone="warn">
              {t('common.failed.words')} <Button onClick={again}>{t('common.retry')}</Button>
            </Notice>
          ) : (
            <Skeleton width="50%" height="1.5rem" />
          )
        ) : (
          <CurrentPlan billing={data} />
        )}
        {data?.customer && (
          <div>
            <Button busy={busy === 'portal'} onClick={() => toPortal('portal')}>
              {t('billing.manage')}
            </Button>
            <p className={`${shapes.quietS} ${styles.billingNote}`}>{t('billing.manageHint')}</p>
          </div>
        )}
      </Section>
      {/* What I have may be long or short: what stands below it comes with it, and never moves. */}
      {(data !== null || failed) && (
        <Section wide title={t('billing.prices')} hint={t('billing.pricesHint')}>
          {prices.length === 0 && <p className={`${shapes.quietS} ${styles.billingNote}`}>{t('billing.noPrices')}</p>}
          <ul className={`${shapes.stackS4} ${styles.prices}`}>
            {prices.map((price) => (
              <Offer
                key={price.id}
                price={price}
                billing={data}
                busy={busy === price.id}
                isWaiting={payment === 'paid'}
                onBuy={() => void leaveFor(price.id, () => createCheckout(price.id, price.mode, here))}
                onChange={() => toPortal(price.id)}
              />
            ))}
          </ul>
        </Section>
      )}
      {data !== null && data.purchases.length > 0 && <Purchases billing={data} />}
    </div>
  );
}

interface OfferProps {
  readonly price: Price;
  readonly billing: MyBilling | null;
  readonly busy: boolean;
  /** Someone who has just paid does not pay again by a slip of the hand. */
  readonly isWaiting: boolean;
  onBuy(): void;
  onChange(): void;
}

function Offer({ price, billing, busy, isWaiting, onBuy, onChange }: OfferProps) {
  const mine = billing !== null && isRunning(billing) && billing.price_id === price.id;
  // A second subscription would be paid beside the first; the provider's pages change the one there is.
  const isChange = billing?.customer && isSubscribed(billing) && price.mode === 'subscription';
  const label = isChange ? t('billing.change') : price.mode === 'payment' ? t('billing.buy') : t('billing.choose');
  return (
    <li className={`${shapes.stackS3} ${shapes.bordered} ${styles.price} ${mine ? styles.priceMine : ''}`}>
      <h3>{price.name}</h3>
      <PriceTag price={price} />
      {mine ? (
        <span className={`${shapes.strong} ${shapes.control} ${styles.priceNow}`}>{t('billing.plan')}</span>
      ) : (
        <Button
          look="main"
          aria-label={t('common.pair', { name: label, value: price.name })}
          busy={busy}
          disabled={billing === null || isWaiting}
          onClick={isChange ? onChange : onBuy}
        >
          {label}
        </Button>
      )}
    </li>
  );
}

function PriceTag({ price }: { price: Price }) {
  const read = readPrice(price);
  if (read === null) return <p className={`${shapes.bold} ${styles.priceAmount}`}>{t('billing.askPrice')}</p>;
  return (
    <p className={`${shapes.bold} ${styles.priceAmount}`}>
      {read.amount} <span className={`${shapes.softS} ${shapes.plain}`}>{read.per}</span>
    </p>
  );
}

const lateAfterMs = 30_000;

/** The provider tells the server a moment after the person is back: looks again until what they paid for shows. */
function usePayment(billing: MyBilling | null): 'paid' | 'arrived' | 'late' | null {
  const [params] = useSearchParams();
  const session = params.get('paid');
  const purchase = session === null ? undefined : billing?.purchases.find(({ id }) => id === session);
  const hasArrived =
    purchase !== undefined || (session === null && billing !== null && isSubscribed(billing) && isRunning(billing));
  const isBack = session !== null || params.has('subscribed');
  const isWaiting = isBack && !hasArrived;
  const [isLate, setIsLate] = useState(false);
  useAwaitedPayment(isWaiting);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setIsLate(true), lateAfterMs);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  if (isWaiting) return isLate ? 'late' : 'paid';
  // A payment that is on its way, or has failed by now, tells its own state.
  return isBack && (purchase === undefined || purchase.status === 'paid') ? 'arrived' : null;
}
