// Requests and errors of the last day, as charts and as a table of the quarters in which somebody asked something.

import { useMemo } from 'react';
import { sayMoment, sayTime } from '../../queries/days.ts';
import type { DeskRequests } from '../../queries/desk-state.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import { later } from '../../ui/later.tsx';
import styles from './admin.module.css';
import { DeskTable } from './facts.tsx';

const Bars = later(async () => ({ default: (await import('../dashboard/charts.tsx')).Bars }));
/** Holds a chart's place while the library comes, so that nothing jumps. */
const place = <div className={styles.chartWaiting} />;

export function RequestsState({ requests: { slots } }: { requests: DeskRequests }) {
  const rows = useMemo(
    () =>
      slots.map(({ began_at, requests, refused, failed }) => ({ name: sayTime(began_at), requests, refused, failed })),
    [slots],
  );
  const sum = (of: 'requests' | 'refused' | 'failed'): number => slots.reduce((all, slot) => all + slot[of], 0);
  const all = { n: sum('requests'), refused: sum('refused'), failed: sum('failed') };
  const asked = slots.filter(({ requests }) => requests > 0).reverse();
  return (
    <>
      <p>{t('desk.server.counted', all)}</p>
      <h3 className={styles.subtitle}>{t('desk.server.requests')}</h3>
      <Bars
        series={[{ key: 'requests', name: t('desk.server.requests'), color: 'var(--accent)' }]}
        rows={rows}
        label={t('desk.server.requests')}
        meanwhile={place}
      />
      <h3 className={styles.subtitle}>{t('desk.server.errors')}</h3>
      {all.refused + all.failed === 0 ? (
        <p className={styles.note}>{t('desk.server.noErrors')}</p>
      ) : (
        <Bars
          series={[
            { key: 'failed', name: t('desk.server.failedRequests'), color: 'var(--danger)' },
            { key: 'refused', name: t('desk.server.refusedRequests'), color: 'var(--warn)' },
          ]}
          rows={rows}
          label={t('desk.server.errors')}
          stacked
          meanwhile={place}
        />
      )}
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
