// State of the database: size, largest tables, slow statements, locks, replication slots, migrations.

import { saySize } from '../../files/say-size.ts';
import type { AdminDatabase } from '../../queries/admin/admin-state.ts';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import { sayNumber, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Notice } from '../../ui/list-states.tsx';
import styles from './admin.module.css';
import { AdminTable, Facts } from './facts.tsx';

export function DatabaseState({ database }: { database: AdminDatabase }) {
  const { tables, slots, migrations, unsettled, connections, most_connections: most } = database;
  return (
    <>
      {unsettled.length > 0 && (
        <Notice tone="danger">{t('admin.server.unsettled', { names: unsettled.join(', ') })}</Notice>
      )}
      <Facts
        facts={[
          [
            t('admin.server.version'),
            t('admin.server.postgres', { version: database.version, kind: database.embedded ? 'embedded' : 'yours' }),
          ],
          [t('admin.server.size'), saySize(database.bytes)],
          [t('admin.server.connections'), t('admin.server.ofMost', { n: connections, most })],
          [t('admin.server.since'), sayMoment(database.started_at)],
          [
            t('admin.server.migrations'),
            t('admin.server.applied', { n: migrations.applied, last: migrations.latest[0]?.name ?? '—' }),
          ],
        ]}
      />
      <AdminTable
        label={t('admin.server.tables')}
        heads={[t('admin.server.table'), t('admin.server.size'), t('admin.server.rows'), t('admin.server.dead')]}
        figures={[1, 2, 3]}
        rows={tables.map(({ name, bytes, rows, dead }) => [name, saySize(bytes), sayNumber(rows), sayNumber(dead)])}
      />
      <Statements database={database} />
      <Waiting database={database} />
      {slots.length > 0 && (
        <AdminTable
          label={t('admin.server.slots')}
          heads={[t('admin.server.slot'), t('admin.server.outcome'), t('admin.server.behind')]}
          figures={[2]}
          rows={slots.map(({ name, active, state, behind }) => [
            name,
            `${active ? t('admin.server.read') : t('admin.server.unread')} (${state})`,
            behind === null ? '' : saySize(behind),
          ])}
        />
      )}
    </>
  );
}

function Statements({ database: { statements, sees_others } }: { database: AdminDatabase }) {
  return (
    <>
      <h3 className={styles.subtitle}>{t('admin.server.slow')}</h3>
      {statements === null ? (
        <p className={`${shapes.softS} ${shapes.block}`}>{t('admin.server.noStatements')}</p>
      ) : (
        <AdminTable
          label={t('admin.server.slow')}
          heads={[t('admin.server.statement'), t('admin.server.mean'), t('admin.server.max'), t('admin.server.calls')]}
          figures={[1, 2, 3]}
          rows={statements.map(({ text, mean_ms, max_ms, calls }) => [
            <code key="text">{text}</code>,
            sayNumber(mean_ms),
            sayNumber(max_ms),
            sayNumber(calls),
          ])}
        />
      )}
      {statements !== null && !sees_others && (
        <p className={`${shapes.softS} ${shapes.block}`}>{t('admin.server.seesOwn')}</p>
      )}
    </>
  );
}

function Waiting({ database: { running, locks } }: { database: AdminDatabase }) {
  return (
    <>
      <h3 className={styles.subtitle}>{t('admin.server.nowRunning')}</h3>
      {running.length === 0 ? (
        <p className={`${shapes.softS} ${shapes.block}`}>{t('admin.server.nothingRuns')}</p>
      ) : (
        <AdminTable
          label={t('admin.server.nowRunning')}
          heads={[t('admin.server.statement'), t('people.invite.role'), t('admin.server.since')]}
          rows={running.map(({ text, role, since }) => [<code key="text">{text}</code>, role, sayAgo(since)])}
        />
      )}
      <h3 className={styles.subtitle}>{t('admin.server.locks')}</h3>
      {locks.length === 0 ? (
        <p className={`${shapes.softS} ${shapes.block}`}>{t('admin.server.nobodyWaits')}</p>
      ) : (
        <AdminTable
          label={t('admin.server.locks')}
          heads={[
            t('admin.server.process'),
            t('admin.server.waitsFor'),
            t('admin.server.table'),
            t('admin.server.since'),
          ]}
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
