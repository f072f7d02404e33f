// Emails on the admin pages: queued and failed ones with the reason, sending again one by one or all, and a test email.

import { RotateCw, Send } from 'lucide-react';
import { useDeferredValue, useEffect, useState } from 'react';
import { sendMailAgain, sendTestMail } from '../../commands/admin-requests.ts';
import { useAsk } from '../../commands.ts';
import { useAsked } from '../../queries/admin/admin.ts';
import { type AdminMail, readAdminMail, readAdminMails } from '../../queries/admin/admin-mail.ts';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import { isMessage, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import styles from './admin.module.css';
import { sayAdminRefusal } from './say-admin-refusal.ts';

const states = ['', 'queued', 'failed', 'kept', 'sent'] as const;
/** As many as the server gives at once. */
const pageSize = 50;

export function Mail() {
  const ask = useAsk();
  const [words, setWords] = useState('');
  const [state, setState] = useState<(typeof states)[number]>('');
  const [before, setBefore] = useState('');
  const [busy, setBusy] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const asked = useDeferredValue(words.trim());
  const { data, failed, again } = useAsked(`${asked} ${state} ${before}`, (sync) =>
    readAdminMails(sync, asked, state, before),
  );

  async function sendAgain(id: string | null): Promise<void> {
    setBusy(id ?? 'all');
    setFault(null);
    setDone(null);
    try {
      setDone(t('admin.mail.queued', { n: (await ask(sendMailAgain, id)).sent }));
      again();
    } catch (reason) {
      setFault(sayAdminRefusal(reason));
    }
    setBusy(null);
  }

  return (
    <>
      <div className={`${shapes.stackS3} ${styles.test}`}>
        {data?.has_server === false && <Notice tone="warn">{t('admin.mail.noServer')}</Notice>}
        {data?.has_server && <TestMail onChange={again} />}
      </div>
      <div className={`${shapes.flowS4} ${styles.narrow}`}>
        <TextField
          label={t('admin.mail.search')}
          bare
          type="search"
          placeholder={t('admin.mail.search')}
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setBefore('');
          }}
        />
        <SelectField
          label={t('admin.mail.which')}
          bare
          value={state}
          choices={states.map((value) => ({
            value,
            label: t('admin.mail.states', { state: value === '' ? 'all' : value, n: data?.counts[value] ?? 0 }),
          }))}
          onPick={(picked) => {
            setState(picked);
            setBefore('');
          }}
        />
        {(data?.counts.failed ?? 0) > 0 && (
          <Button icon={<RotateCw size={16} />} busy={busy === 'all'} onClick={() => void sendAgain(null)}>
            {t('admin.mail.allAgain')}
          </Button>
        )}
      </div>
      {fault && <Notice tone="danger">{fault}</Notice>}
      {done && <Notice tone="good">{done}</Notice>}
      {failed && (
        <Notice tone="warn">
          {sayAdminRefusal(failed)} <Button onClick={again}>{t('common.retry')}</Button>
        </Notice>
      )}
      {data === null && !failed && <Loading label={t('common.loading')} />}
      {data?.mails.length === 0 && <p>{t('common.nothingFound')}</p>}
      {data && data.mails.length > 0 && (
        <ul aria-label={t('admin.part.mail')}>
          {data.mails.map((mail) => (
            <Line key={mail.id} mail={mail} busy={busy === mail.id} onAgain={() => void sendAgain(mail.id)} />
          ))}
        </ul>
      )}
      <div className={`${shapes.flowS3} ${styles.pages}`}>
        {before !== '' && <Button onClick={() => setBefore('')}>{t('admin.newest')}</Button>}
        {data?.mails.length === pageSize && (
          <Button onClick={() => setBefore(data.mails.at(-1)?.created_at ?? '')}>{t('admin.older')}</Button>
        )}
      </div>
    </>
  );
}

function Line({ mail, busy, onAgain }: { mail: AdminMail; busy: boolean; onAgain: () => void }) {
  const { kind, recipient, state, attempts, created_at, next_attempt_at: next, last_error: reason } = mail;
  const facts = [
    t('admin.mail.state', { state }),
    sayMoment(created_at),
    ...(attempts > 0 ? [t('admin.mail.tried', { n: attempts })] : []),
    ...(next !== null && attempts > 0 ? [t('admin.mail.next', { when: sayAgo(next) })] : []),
  ];
  return (
    <li className={`${shapes.rowS4} ${styles.entry}`}>
      <span className={`${shapes.breaks} ${shapes.fill}`}>
        <span className={`${shapes.block} ${shapes.medium}`}>
          {t('admin.mail.line', { kind: sayKind(kind), recipient })}
        </span>
        <span className={`${shapes.softS} ${shapes.block}`}>{facts.join(' · ')}</span>
        {reason && <span className={`${shapes.wrong} ${shapes.block}`}>{reason}</span>}
      </span>
      {mail.can_be_sent && state !== 'sent' && (state !== 'queued' || attempts > 0) && (
        <Button busy={busy} onClick={onAgain} aria-label={t('admin.mail.againTo', { recipient })}>
          {t('admin.mail.again')}
        </Button>
      )}
    </li>
  );
}

/** Kinds that are not ours, queued by SQL of an instance's own, are shown as they are called. */
function sayKind(kind: string): string {
  const key = `admin.mail.kind.${kind}` as const;
  return isMessage(key) ? t(key) : kind;
}

/** Says what became of it: a mail server that does not answer shows here first. */
export function TestMail({ onChange }: { onChange: () => void }) {
  const ask = useAsk();
  const [id, setId] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [became, setBecame] = useState<{ state: string; last_error: string | null } | null>(null);

  useEffect(() => {
    if (id === null) return;
    const look = setInterval(() => {
      ask(readAdminMail, id).then(
        (mail) => {
          if (mail.state === 'queued' && mail.last_error === null) return;
          clearInterval(look);
          setId(null);
          setBecame(mail);
          onChange();
        },
        () => undefined,
      );
    }, 500);
    return () => clearInterval(look);
  }, [id, ask, onChange]);

  async function send(): Promise<void> {
    setFault(null);
    setBecame(null);
    try {
      setId((await ask(sendTestMail)).id);
    } catch (reason) {
      setFault(sayAdminRefusal(reason));
    }
  }

  return (
    <>
      <Button look="main" icon={<Send size={16} />} busy={id !== null} onClick={() => void send()}>
        {t('admin.mail.test')}
      </Button>
      {fault && <Notice tone="danger">{fault}</Notice>}
      {became?.state === 'sent' && <Notice tone="good">{t('admin.mail.tested')}</Notice>}
      {became?.last_error && <Notice tone="danger">{t('admin.mail.testFailed', { reason: became.last_error })}</Notice>}
    </>
  );
}
