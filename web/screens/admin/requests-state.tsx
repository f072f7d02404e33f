// Requests and errors of the last day, as charts and as a table of the quarter-hours with requests.

import { Fragment, useMemo } from 'react';
import type { AdminRequests } from '../../queries/admin/admin-state.ts';
import { sayMoment, sayTime } from '../../queries/days/days.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Bars } from '../../ui/charts.tsx';
import styles from './admin.module.css';
import { AdminTable } from './facts.tsx';

type Figure = 'requests' | 'refused' | 'failed';

const names: Readonly<Record<Figure, () => string>> = {
  requests: () => t('admin.server.requests'),
  failed: () => t('admin.server.failedRequests'),
  refused: () => t('admin.server.refusedRequests'),
};
/** One chart each: few failures are not lost among many refusals, and nobody has to tell colours apart. */
const drawn = [
  { of: 'requests', color: 'var(--accent)' },
  { of: 'failed', color: 'var(--danger)' },
  { of: 'refused', color: 'var(--warn)' },
] as const;

export function RequestsState({ requests: { slots } }: { requests: AdminRequests }) {
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
      <p>{t('admin.server.counted', all)}</p>
      {drawn.map(({ of, color }) => (
        <Fragment key={of}>
          <h3 className={styles.subtitle}>{names[of]()}</h3>
          {sum(of) === 0 ? (
            <p className={`${shapes.softS} ${shapes.block}`}>{t('admin.server.noErrors')}</p>
          ) : (
            <Bars series={[{ key: of, name: names[of](), color }]} rows={rows} label={names[of]()} />
          )}
        </Fragment>
      ))}
      {asked.length > 0 && (
        <details className={styles.more}>
          <summary>{t('dashboard.asTable')}</summary>
          <AdminTable
            label={t('admin.server.lastDay')}
            heads={[
              t('admin.server.quarter'),
              t('admin.server.requests'),
              t('admin.server.refusedRequests'),
              t('admin.server.failedRequests'),
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
