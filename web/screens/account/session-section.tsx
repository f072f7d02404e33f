// Sessions of the account, and signing out: one device, all others, or here. A device leaves the list at once and comes back, with the
// reason, if the server refuses.

import { CircleHelp, Monitor, Smartphone, Tablet } from 'lucide-react';
import { Fragment, useId, useRef, useState } from 'react';
import { perform } from '../../actions/registry.tsx';
import { endSession, sayRefusal, useAsk } from '../../commands.ts';
import { localDay, sayAgo, sayDay, sayMoment } from '../../queries/days/days.ts';
import { nameDevice } from '../../queries/people/name-device.ts';
import { type MySession, useMySessions } from '../../queries/people/sessions.ts';
import { signOutOthers } from '../../session/account.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { FactRow } from '../../ui/fact-row.tsx';
import { Loading, Notice, Skeleton } from '../../ui/list-states.tsx';
import { ShowAll } from '../../ui/lists/show-all.tsx';
import { Section } from '../../ui/section.tsx';
import styles from './account.module.css';
import { useRequest } from './use-request.ts';

const pictures = { computer: Monitor, phone: Smartphone, tablet: Tablet, unknown: CircleHelp } as const;
/** So many stand there before one asks for all. */
const few = 6;

const none: ReadonlySet<string> = new Set();

function nameOf({ user_agent }: MySession): string {
  const { browser, system } = nameDevice(user_agent);
  const named = browser ?? t('account.unknownBrowser');
  return system === null ? named : t('account.device', { browser: named, system });
}

const week = 7 * 86_400_000;

/** How long ago, or the day where that says more. */
function sayWhen(timestamp: string): string {
  const moment = new Date(timestamp);
  return Date.now() - moment.getTime() < week ? sayAgo(timestamp) : sayDay(localDay(moment));
}

const capital = (words: string): string => words.charAt(0).toLocaleUpperCase() + words.slice(1);

export function SessionSection() {
  const { door } = useApp();
  const ask = useAsk();
  const { data, failed, again } = useMySessions();
  /** Signed out by a press here, whether or not the server has said so. */
  const [ended, setEnded] = useState(none);
  const [all, setAll] = useState(false);
  const [endingOthers, setEndingOthers] = useState(false);
  const request = useRequest();
  const list = useRef<HTMLUListElement>(null);
  const sessions = data?.filter(({ id }) => !ended.has(id)) ?? null;
  const shown = all ? sessions : sessions?.slice(0, few);

  async function end(session: MySession, button: HTMLButtonElement): Promise<void> {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(button);
    (buttons[at + 1] ?? buttons[at - 1] ?? list.current)?.focus();
    setEnded((old) => new Set(old).add(session.id));
    const name = nameOf(session);
    let reason: unknown;
    const worked = await request.run(
      async () => {
        try {
          await ask(endSession, session.id);
        } catch (thrown) {
          reason = thrown;
          throw thrown;
        }
      },
      t('account.sessionEnded', { device: name }),
      () => t('account.sessionKept', { device: name, reason: sayRefusal(reason) }),
    );
    if (worked) again();
    else setEnded((old) => new Set([...old].filter((id) => id !== session.id)));
  }

  async function endOthers(): Promise<void> {
    setEndingOthers(true);
    const worked = await request.run(() => signOutOthers(door), t('account.othersOut'));
    setEndingOthers(false);
    if (!worked) return;
    setEnded((old) => new Set([...old, ...(data ?? []).filter((one) => !one.is_current).map(({ id }) => id)]));
    again();
  }

  return (
    <Section title={t('account.sessions')} hint={t('account.sessionsHint')}>
      {failed && (
        <Notice tone="warn">
          {t('account.sessionsFailed')} <Button onClick={again}>{t('common.retry')}</Button>
        </Notice>
      )}
      {sessions === null && !failed && (
        <Loading label={t('account.sessionsLoading')}>
          <Skeleton width="60%" />
        </Loading>
      )}
      {shown && (
        <ul className={shapes.stackS5} ref={list} tabIndex={-1} aria-label={t('account.sessions')}>
          {shown.map((session) => (
            <SessionLine key={session.id} session={session} onEnd={(button) => void end(session, button)} />
          ))}
        </ul>
      )}
      {sessions && shown && shown.length < sessions.length && (
        <div>
          <ShowAll list={list} onShow={() => setAll(true)}>
            {t('account.allSessions', { count: sessions.length })}
          </ShowAll>
        </div>
      )}
      {request.fault && <Notice tone="danger">{request.fault}</Notice>}
      {request.done && <Notice tone="good">{request.done}</Notice>}
      <p className={styles.accountWords}>
        {sessions && !failed && sessions.every(({ is_current }) => is_current)
          ? t('account.onlyHere')
          : t('account.signOutOthersWords')}
      </p>
      <div className={shapes.wrapS3}>
        <Button busy={endingOthers} onClick={() => void endOthers()}>
          {t('account.signOutOthers')}
        </Button>
        <Button look="quiet" onClick={() => perform('sign-out')}>
          {t('account.signOut')}
        </Button>
      </div>
    </Section>
  );
}

function SessionLine({ session, onEnd }: { session: MySession; onEnd: (button: HTMLButtonElement) => void }) {
  const note = useId();
  const name = nameOf(session);
  const facts = [
    ...(session.is_current ? [] : [t('account.lastSeen', { when: sayWhen(session.last_seen_at) })]),
    t('account.signedIn', { when: sayMoment(session.created_at) }),
    ...(session.address === null ? [] : [session.address]),
    ...(session.aal === 'aal2' ? [t('account.withFactor')] : []),
  ];
  return (
    <FactRow
      icon={pictures[nameDevice(session.user_agent).kind]}
      factsId={note}
      name={
        <>
          {name}{' '}
          {session.is_current && (
            <span className={`${shapes.chip} ${styles.sessionHere}`}>{t('account.thisDevice')}</span>
          )}
        </>
      }
      facts={[
        facts.map((fact, at) => (
          <Fragment key={fact}>
            {at > 0 && ' · '}
            <span className={styles.sessionFact}>{at === 0 ? capital(fact) : fact}</span>
          </Fragment>
        )),
      ]}
    >
      {!session.is_current && (
        <Button
          aria-label={t('account.endSessionOf', { device: name })}
          aria-describedby={note}
          onClick={(event) => onEnd(event.currentTarget)}
        >
          {t('account.endSession')}
        </Button>
      )}
    </FactRow>
  );
}
