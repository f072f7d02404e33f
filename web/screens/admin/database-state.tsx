// The database: how large, what is slow, who waits for whom, who reads along, and which migrations it has.

import { saySize } from '../../files/say-size.ts';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import type { DeskDatabase } from '../../queries/desk/desk-state.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import { Notice } from '../../ui/state.tsx';
import styles from './admin.module.css';
import { DeskTable, Facts } from './facts.tsx';

export function DatabaseState({ database }: { database: DeskDatabase }) {
  const { tables, slots, migrations, unsettled, connections, most_connections: most } = database;
  return (
    <>
      {unsettled.length > 0 && (
        <Notice tone="danger">{t('desk.server.unsettled', { names: unsettled.join(', ') })}</Notice>
      )}
      <Facts
        facts={[
          [
            t('desk.server.version'),
            t('desk.server.postgres', { version: database.version, kind: database.embedded ? 'embedded' : 'yours' }),
          ],
          [t('desk.server.size'), saySize(database.bytes)],
          [t('desk.server.connections'), t('desk.server.ofMost', { n: connections, most })],
          [t('desk.server.since'), sayMoment(database.started_at)],
          [
            t('desk.server.migrations'),
            t('desk.server.applied', { n: migrations.applied, last: migrations.latest[0]?.name ?? '—' }),
          ],
        ]}
      />
      <DeskTable
        label={t('desk.server.tables')}
        heads={[t('desk.server.table'), t('desk.server.size'), t('desk.server.rows'), t('desk.server.dead')]}
        figures={[1, 2, 3]}
        rows={tables.map(({ name, bytes, rows, dead }) => [name, saySize(bytes), sayNumber(rows), sayNumber(dead)])}
      />
      <Statements database={database} />
      <Waiting database={database} />
      {slots.length > 0 && (
        <DeskTable
          label={t('desk.server.slots')}
          heads={[t('desk.server.slot'), t('desk.server.outcome'), t('desk.server.behind')]}
          figures={[2]}
          rows={slots.map(({ name, active, state, behind }) => [
            name,
            `${active ? t('desk.server.read') : t('desk.server.unread')} (${state})`,
            behind === null ? '' : saySize(behind),
          ])}
        />
      )}
    </>
  );
}

function Statements({ database: { statements, sees_others } }: { database: DeskDatabase }) {
  return (
    <>
      <h3 className={styles.subtitle}>{t('desk.server.slow')}</h3>
      {statements === null ? (
        <p className={styles.note}>{t('desk.server.noStatements')}</p>
      ) : (
        <DeskTable
          label={t('desk.server.slow')}
          heads={[t('desk.server.statement'), t('desk.server.mean'), t('desk.server.max'), t('desk.server.calls')]}
          figures={[1, 2, 3]}
          rows={statements.map(({ text, mean_ms, max_ms, calls }) => [
            <code key="text">{text}</code>,
            sayNumber(mean_ms),
            sayNumber(max_ms),
            sayNumber(calls),
          ])}
        />
      )}
      {statements !== null && !sees_others && <p className={styles.note}>{t('desk.server.seesOwn')}</p>}
    </>
  );
}

function Waiting({ database: { running, locks } }: { database: DeskDatabase }) {
  return (
    <>
      <h3 className={styles.subtitle}>{t('desk.server.nowRunning')}</h3>
      {running.length === 0 ? (
        <p className={styles.note}>{t('desk.server.nothingRuns')}</p>
      ) : (
        <DeskTable
          label={t('desk.server.nowRunning')}
          heads={[t('desk.server.statement'), t('people.invite.role'), t('desk.server.since')]}
          rows={running.map(({ text, role, since }) => [<code key="text">{text}</code>, role, sayAgo(since)])}
        />
      )}
      <h3 className={styles.subtitle}>{t('desk.server.locks')}</h3>
      {locks.length === 0 ? (
        <p className={styles.note}>{t('desk.server.nobodyWaits')}</p>
      ) : (
        <DeskTable
          label={t('desk.server.locks')}
          heads={[t('desk.server.process'), t('desk.server.waitsFor'), t('desk.server.table'), t('desk.server.since')]}
          rows={locks.map(({ pid, role, waits_for, relation, mode, since }) => [
            `${pid} ${role}`,
            waits_for.join(', '),
            `${relation} ${mode}`,
            since === null ? '' : sayAgo(since),
          ])}
        />
      )}
    </>
  );
}
