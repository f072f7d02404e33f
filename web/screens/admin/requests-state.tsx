// Requests and errors of the last day, as charts and as a table of the quarter-hours with requests.

import { Fragment, useMemo } from 'react';
import { sayMoment, sayTime } from '../../queries/days/days.ts';
import type { DeskRequests } from '../../queries/desk/desk-state.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import { Bars } from '../../ui/charts.tsx';
import styles from './admin.module.css';
import { DeskTable } from './facts.tsx';

type Figure = 'requests' | 'refused' | 'failed';

const names: Readonly<Record<Figure, () => string>> = {
  requests: () => t('desk.server.requests'),
  failed: () => t('desk.server.failedRequests'),
  refused: () => t('desk.server.refusedRequests'),
};
/** One chart each: few failures are not lost among many refusals, and nobody has to tell colours apart. */
const drawn = [
  { of: 'requests', color: 'var(--accent)' },
  { of: 'failed', color: 'var(--danger)' },
  { of: 'refused', color: 'var(--warn)' },
] as const;

export function RequestsState({ requests: { slots } }: { requests: DeskRequests }) {
  const rows = useMemo(
    () =>
      slots.map(({ began_at, requests, refused, failed }) => ({ name: sayTime(began_at), requests, refused, failed })),
    [slots],
  );
  const sum = (of: Figure): number => slots.reduce((all, slot) => all + slot[of], 0);
  const all = { n: sum('requests'), refused: sum('refused'), failed: sum('failed') };
  const asked = slots.filter(({ requests }) => requests > 0).reverse();
  return (
    <>
      <p>{t('desk.server.counted', all)}</p>
      {drawn.map(({ of, color }) => (
        <Fragment key={of}>
          <h3 className={styles.subtitle}>{names[of]()}</h3>
          {sum(of) === 0 ? (
            <p className={styles.note}>{t('desk.server.noErrors')}</p>
          ) : (
            <Bars series={[{ key: of, name: names[of](), color }]} rows={rows} label={names[of]()} />
          )}
        </Fragment>
      ))}
      {asked.length > 0 && (
        <details className={styles.more}>
          <summary>{t('dashboard.asTable')}</summary>
          <DeskTable
            label={t('desk.server.lastDay')}
            heads={[
              t('desk.server.quarter'),
              t('desk.server.requests'),
              t('desk.server.refusedRequests'),
              t('desk.server.failedRequests'),
            ]}
            figures={[1, 2, 3]}
            rows={asked.map(({ began_at, requests, refused, failed }) => [
              sayMoment(began_at),
              sayNumber(requests),
              sayNumber(refused),
              sayNumber(failed),
            ])}
          />
        </details>
      )}
    </>
  );
}
