// State of the server: findings first, then requests, backups, files, jobs, the database and the settings.

import { RefreshCw } from 'lucide-react';
import { useCallback, useState } from 'react';
import { saySize } from '../../files/say-size.ts';
import {
  type AdminBackups,
  type AdminFiles,
  type AdminJobs,
  type AdminState,
  readAdminBackups,
  readAdminDatabase,
  readAdminFiles,
  readAdminJobs,
  readAdminRequests,
  readAdminSettings,
  readAdminState,
} from '../../queries/admin/admin-state.ts';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import { isMessage, sayNumber, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/list-states.tsx';
import styles from './admin.module.css';
import { ChangeSettings } from './change-settings.tsx';
import { DatabaseState } from './database-state.tsx';
import { AdminTable, Facts } from './facts.tsx';
import { FetchedSection } from './fetched-section.tsx';
import { RequestsState } from './requests-state.tsx';
import { SettingsState } from './settings-state.tsx';

export function ServerState() {
  const [round, setRound] = useState(0);
  const onAgain = useCallback(() => setRound((old) => old + 1), []);
  return (
    <>
      <FetchedSection title={t('admin.server.server')} round={round} read={readAdminState}>
        {(state) => <Findings state={state} onAgain={onAgain} />}
      </FetchedSection>
      <FetchedSection title={t('admin.server.lastDay')} round={round} read={readAdminRequests}>
        {(requests) => <RequestsState requests={requests} />}
      </FetchedSection>
      <FetchedSection title={t('admin.server.backups')} round={round} read={readAdminBackups}>
        {(backups) => <Backups backups={backups} />}
      </FetchedSection>
      <FetchedSection title={t('admin.change.title')} round={round} read={readAdminSettings}>
        {(settings) => <ChangeSettings settings={settings} onChange={onAgain} />}
      </FetchedSection>
      <FetchedSection title={t('admin.server.files')} round={round} read={readAdminFiles}>
        {(files) => <Files files={files} />}
      </FetchedSection>
      <FetchedSection title={t('admin.server.jobs')} round={round} read={readAdminJobs}>
        {(jobs) => <Jobs jobs={jobs} />}
      </FetchedSection>
      <FetchedSection title={t('admin.server.database')} round={round} read={readAdminDatabase}>
        {(database) => <DatabaseState database={database} />}
      </FetchedSection>
      <FetchedSection title={t('admin.server.settings')} round={round} read={readAdminSettings}>
        {(settings) => <SettingsState settings={settings} />}
      </FetchedSection>
    </>
  );
}

function Findings({ state, onAgain }: { state: AdminState; onAgain: () => void }) {
  const [good, open] = [
    state.findings.filter((one) => one.state === 'good'),
    state.findings.filter((one) => one.state !== 'good').sort((one, other) => one.state.localeCompare(other.state)),
  ];
  return (
    <>
      <Facts
        facts={[
          [t('admin.server.version'), t('admin.server.versions', { version: state.version, node: state.node })],
          [t('admin.server.site'), state.site],
          [t('admin.server.since'), sayMoment(state.started_at)],
        ]}
      />
      {open.length === 0 && <Notice tone="good">{t('admin.server.allGood')}</Notice>}
      {open.map(({ state: how, about, next }) => (
        <Notice key={about} tone={how === 'broken' ? 'danger' : 'warn'}>
          <span className={`${shapes.stackS1} ${shapes.breaks}`}>
            <span>{about}</span>
            {next && <span className={`${shapes.softS} ${shapes.block}`}>{next}</span>}
          </span>
        </Notice>
      ))}
      <details className={styles.more}>
        <summary>{t('admin.server.good', { n: good.length })}</summary>
        <ul className={`${shapes.stackS2} ${styles.becomes}`}>
          {good.map(({ about }) => (
            <li key={about}>{about}</li>
          ))}
        </ul>
      </details>
      <div className={shapes.flowS3}>
        <Button icon={<RefreshCw size={16} />} onClick={onAgain}>
          {t('admin.server.again')}
        </Button>
      </div>
    </>
  );
}

function Backups({ backups }: { backups: AdminBackups }) {
  const { last_good: good, schedule, next_at: next, keep, place, latest } = backups;
  return (
    <>
      {schedule === null && <Notice tone="warn">{t('admin.server.noSchedule')}</Notice>}
      {schedule !== null && good === null && <Notice tone="warn">{t('admin.server.noBackup')}</Notice>}
      {backups.holds_secrets === false && <Notice tone="warn">{t('admin.server.noPassphrase')}</Notice>}
      <Facts
        facts={[
          ...(good?.finished_at ? [[t('admin.server.lastGood'), sayMoment(good.finished_at)] as const] : []),
          ...(schedule === null
            ? []
            : ([
                [t('admin.server.schedule'), t('admin.server.retention', { schedule, n: keep ?? 0 })],
                [t('admin.server.place'), place ?? ''],
                [t('admin.server.next'), next ? sayMoment(next) : ''],
              ] as const)),
        ]}
      />
      {latest.length > 0 && (
        <AdminTable
          label={t('admin.server.backups')}
          heads={[t('admin.server.due'), t('admin.server.outcome'), t('admin.server.rows'), t('admin.server.size')]}
          figures={[2, 3]}
          rows={latest.map(({ due_at, finished_at, error, file, row_count, bytes }) => [
            sayMoment(due_at),
            finished_at === null ? t('admin.server.underway') : (error ?? file),
            row_count === null ? '' : sayNumber(row_count),
            bytes === null ? '' : saySize(bytes),
          ])}
        />
      )}
    </>
  );
}

function Files({ files: { place, free_bytes: free, buckets } }: { files: AdminFiles }) {
  return (
    <>
      <Facts
        facts={[
          [t('admin.server.place'), place],
          [t('admin.server.free'), free === null ? '' : saySize(free)],
        ]}
      />
      <AdminTable
        label={t('admin.server.files')}
        heads={[t('admin.server.bucket'), t('admin.server.files'), t('admin.server.size')]}
        figures={[1, 2]}
        rows={buckets.map(({ name, files, bytes }) => [name, sayNumber(files), saySize(bytes)])}
      />
    </>
  );
}

function Jobs({ jobs: { latest, queues, rounds } }: { jobs: AdminJobs }) {
  return (
    <>
      <AdminTable
        label={t('admin.server.queues')}
        heads={[t('admin.server.queue'), t('common.waiting'), t('admin.server.failed'), t('admin.server.oldest')]}
        figures={[1, 2]}
        rows={queues.map(({ name, waiting, failed, oldest }) => [
          sayJob(name),
          sayNumber(waiting),
          sayNumber(failed),
          oldest === null ? '' : sayAgo(oldest),
        ])}
      />
      {latest.length > 0 && (
        <AdminTable
          label={t('admin.server.latest')}
          heads={[
            t('admin.server.latest'),
            t('admin.server.whose'),
            t('admin.part.state'),
            t('admin.server.rows'),
            t('admin.server.began'),
          ]}
          figures={[3]}
          rows={latest.map(({ job, what, email, state, done, total, created_at: began }) => [
            t('admin.server.oneJob', { job, what }),
            email,
            t('admin.server.jobState', { state }),
            t('admin.server.ofMost', { n: done, most: total }),
            sayAgo(began),
          ])}
        />
      )}
      {rounds.length > 0 && (
        <AdminTable
          label={t('admin.server.rounds')}
          heads={[t('admin.server.job'), t('admin.server.server'), t('admin.server.last'), t('admin.server.outcome')]}
          rows={rounds.map(({ job, node, finished_at, seconds, error }) => [
            sayJob(job),
            node,
            sayAgo(finished_at),
            error ?? t('admin.server.took', { time: `${sayNumber(Math.round(seconds * 1000))} ms` }),
          ])}
        />
      )}
    </>
  );
}

function sayJob(name: string): string {
  const key = `admin.job.${name}` as const;
  return isMessage(key) ? t(key) : name;
}
