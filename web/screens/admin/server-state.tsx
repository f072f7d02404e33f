// State of the server: findings first, then requests, backups, files, jobs, the database and the settings.

import { RefreshCw } from 'lucide-react';
import { useCallback, useState } from 'react';
import { saySize } from '../../files/say-size.ts';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import {
  type DeskBackups,
  type DeskFiles,
  type DeskJobs,
  type DeskState,
  readDeskBackups,
  readDeskDatabase,
  readDeskFiles,
  readDeskJobs,
  readDeskRequests,
  readDeskSettings,
  readDeskState,
} from '../../queries/desk/desk-state.ts';
import { isMessage, sayNumber, t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/state.tsx';
import styles from './admin.module.css';
import { AskedSection } from './asked-section.tsx';
import { ChangeSettings } from './change-settings.tsx';
import { DatabaseState } from './database-state.tsx';
import { DeskTable, Facts } from './facts.tsx';
import { RequestsState } from './requests-state.tsx';
import { SettingsState } from './settings-state.tsx';

export function ServerState() {
  const [round, setRound] = useState(0);
  const onAgain = useCallback(() => setRound((old) => old + 1), []);
  return (
    <>
      <AskedSection title={t('desk.server.server')} round={round} read={readDeskState}>
        {(state) => <Findings state={state} onAgain={onAgain} />}
      </AskedSection>
      <AskedSection title={t('desk.server.lastDay')} round={round} read={readDeskRequests}>
        {(requests) => <RequestsState requests={requests} />}
      </AskedSection>
      <AskedSection title={t('desk.server.backups')} round={round} read={readDeskBackups}>
        {(backups) => <Backups backups={backups} />}
      </AskedSection>
      <AskedSection title={t('desk.change.title')} round={round} read={readDeskSettings}>
        {(settings) => <ChangeSettings settings={settings} onChange={onAgain} />}
      </AskedSection>
      <AskedSection title={t('desk.server.files')} round={round} read={readDeskFiles}>
        {(files) => <Files files={files} />}
      </AskedSection>
      <AskedSection title={t('desk.server.jobs')} round={round} read={readDeskJobs}>
        {(jobs) => <Jobs jobs={jobs} />}
      </AskedSection>
      <AskedSection title={t('desk.server.database')} round={round} read={readDeskDatabase}>
        {(database) => <DatabaseState database={database} />}
      </AskedSection>
      <AskedSection title={t('desk.server.settings')} round={round} read={readDeskSettings}>
        {(settings) => <SettingsState settings={settings} />}
      </AskedSection>
    </>
  );
}

function Findings({ state, onAgain }: { state: DeskState; onAgain: () => void }) {
  const [good, open] = [
    state.findings.filter((one) => one.state === 'good'),
    state.findings.filter((one) => one.state !== 'good').sort((one, other) => one.state.localeCompare(other.state)),
  ];
  return (
    <>
      <Facts
        facts={[
          [t('desk.server.version'), t('desk.server.versions', { version: state.version, node: state.node })],
          [t('desk.server.site'), state.site],
          [t('desk.server.since'), sayMoment(state.started_at)],
        ]}
      />
      {open.length === 0 && <Notice tone="good">{t('desk.server.allGood')}</Notice>}
      {open.map(({ state: how, about, next }) => (
        <Notice key={about} tone={how === 'broken' ? 'danger' : 'warn'}>
          <span className={styles.finding}>
            <span>{about}</span>
            {next && <span className={styles.note}>{next}</span>}
          </span>
        </Notice>
      ))}
      <details className={styles.more}>
        <summary>{t('desk.server.good', { n: good.length })}</summary>
        <ul className={styles.becomes}>
          {good.map(({ about }) => (
            <li key={about}>{about}</li>
          ))}
        </ul>
      </details>
      <div className={styles.actions}>
        <Button icon={<RefreshCw size={16} />} onClick={onAgain}>
          {t('desk.server.again')}
        </Button>
      </div>
    </>
  );
}

function Backups({ backups }: { backups: DeskBackups }) {
  const { last_good: good, schedule, next_at: next, keep, place, latest } = backups;
  return (
    <>
      {schedule === null && <Notice tone="warn">{t('desk.server.noSchedule')}</Notice>}
      {schedule !== null && good === null && <Notice tone="warn">{t('desk.server.noBackup')}</Notice>}
      {backups.holds_secrets === false && <Notice tone="warn">{t('desk.server.noPassphrase')}</Notice>}
      <Facts
        facts={[
          ...(good?.finished_at ? [[t('desk.server.lastGood'), sayMoment(good.finished_at)] as const] : []),
          ...(schedule === null
            ? []
            : ([
                [t('desk.server.schedule'), t('desk.server.kept', { schedule, n: keep ?? 0 })],
                [t('desk.server.place'), place ?? ''],
                [t('desk.server.next'), next ? sayMoment(next) : ''],
              ] as const)),
        ]}
      />
      {latest.length > 0 && (
        <DeskTable
          label={t('desk.server.backups')}
          heads={[t('desk.server.due'), t('desk.server.outcome'), t('desk.server.rows'), t('desk.server.size')]}
          figures={[2, 3]}
          rows={latest.map(({ due_at, finished_at, error, file, row_count, bytes }) => [
            sayMoment(due_at),
            finished_at === null ? t('desk.server.underway') : (error ?? file),
            row_count === null ? '' : sayNumber(row_count),
            bytes === null ? '' : saySize(bytes),
          ])}
        />
      )}
    </>
  );
}

function Files({ files: { place, free_bytes: free, buckets } }: { files: DeskFiles }) {
  return (
    <>
      <Facts
        facts={[
          [t('desk.server.place'), place],
          [t('desk.server.free'), free === null ? '' : saySize(free)],
        ]}
      />
      <DeskTable
        label={t('desk.server.files')}
        heads={[t('desk.server.bucket'), t('desk.server.files'), t('desk.server.size')]}
        figures={[1, 2]}
        rows={buckets.map(({ name, files, bytes }) => [name, sayNumber(files), saySize(bytes)])}
      />
    </>
  );
}

function Jobs({ jobs: { latest, queues, rounds } }: { jobs: DeskJobs }) {
  return (
    <>
      <DeskTable
        label={t('desk.server.queues')}
        heads={[t('desk.server.queue'), t('desk.server.waiting'), t('desk.server.failed'), t('desk.server.oldest')]}
        figures={[1, 2]}
        rows={queues.map(({ name, waiting, failed, oldest }) => [
          sayJob(name),
          sayNumber(waiting),
          sayNumber(failed),
          oldest === null ? '' : sayAgo(oldest),
        ])}
      />
      {latest.length > 0 && (
        <DeskTable
          label={t('desk.server.latest')}
          heads={[
            t('desk.server.latest'),
            t('desk.server.whose'),
            t('desk.part.state'),
            t('desk.server.rows'),
            t('desk.server.began'),
          ]}
          figures={[3]}
          rows={latest.map(({ job, what, email, state, done, total, created_at: began }) => [
            t('desk.server.oneJob', { job, what }),
            email,
            t('desk.server.jobState', { state }),
            t('desk.server.ofMost', { n: done, most: total }),
            sayAgo(began),
          ])}
        />
      )}
      {rounds.length > 0 && (
        <DeskTable
          label={t('desk.server.rounds')}
          heads={[t('desk.server.job'), t('desk.server.node'), t('desk.server.last'), t('desk.server.outcome')]}
          rows={rounds.map(({ job, node, finished_at, seconds, error }) => [
            sayJob(job),
            node,
            sayAgo(finished_at),
            error ?? t('desk.server.took', { time: `${sayNumber(Math.round(seconds * 1000))} ms` }),
          ])}
        />
      )}
    </>
  );
}

function sayJob(name: string): string {
  const key = `desk.job.${name}` as const;
  return isMessage(key) ? t(key) : name;
}
