// Where I am signed in, and signing out: one device, all others, or here. A device leaves the list at once and comes back,
// with the reason, if the server refuses.

import { CircleHelp, Monitor, Smartphone, Tablet } from 'lucide-react';
import { Fragment, useId, useRef, useState } from 'react';
import { endSession, sayRefusal } from '../../commands.ts';
import { localDay, sayAgo, sayDay, sayMoment } from '../../queries/days.ts';
import { nameDevice } from '../../queries/name-device.ts';
import { type MySession, useMySessions } from '../../queries/sessions.ts';
import { signOutOthers } from '../../session/account.ts';
import { useHouse } from '../../session/react.tsx';
import { perform } from '../../shell/navigation.tsx';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { ShowAll } from '../../ui/show-all.tsx';
import { Loading, Notice, Skeleton } from '../../ui/state.tsx';
import { useErrand } from './use-errand.ts';

const say = words.account;
const pictures = { computer: Monitor, phone: Smartphone, tablet: Tablet, unknown: CircleHelp } as const;
/** So many stand there before one asks for all. */
const few = 6;

const none: ReadonlySet<string> = new Set();

function nameOf({ user_agent }: MySession): string {
  const { browser, system } = nameDevice(user_agent);
  const named = browser ?? say.unknownBrowser;
  return system === null ? named : say.device(named, system);
}

const week = 7 * 86_400_000;

/** How long ago, or the day where that says more. */
function sayWhen(timestamp: string): string {
  const moment = new Date(timestamp);
  return Date.now() - moment.getTime() < week ? sayAgo(timestamp) : sayDay(localDay(moment));
}

const capital = (words: string): string => words.charAt(0).toLocaleUpperCase() + words.slice(1);

export function SessionSection() {
  const { door } = useHouse();
  const sync = useSync();
  const { data, failed, again } = useMySessions();
  /** Signed out by a press here, whether or not the server has said so. */
  const [ended, setEnded] = useState(none);
  const [all, setAll] = useState(false);
  const [endingOthers, setEndingOthers] = useState(false);
  const errand = useErrand();
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
    const worked = await errand.run(
      async () => {
        try {
          await endSession(sync, session.id);
        } catch (thrown) {
          reason = thrown;
          throw thrown;
        }
      },
      say.sessionEnded(name),
      () => say.sessionKept(name, sayRefusal(reason)),
    );
    if (worked) again();
    else setEnded((old) => new Set([...old].filter((id) => id !== session.id)));
  }

  async function endOthers(): Promise<void> {
    setEndingOthers(true);
    const worked = await errand.run(() => signOutOthers(door), say.othersOut);
    setEndingOthers(false);
    if (!worked) return;
    setEnded((old) => new Set([...old, ...(data ?? []).filter((one) => !one.is_current).map(({ id }) => id)]));
    again();
  }

  return (
    <Section title={say.sessions} hint={say.sessionsHint}>
      {failed && (
        <Notice tone="warn">
          {say.sessionsFailed} <Button onClick={again}>{words.common.retry}</Button>
        </Notice>
      )}
      {sessions === null && !failed && (
        <Loading label={say.sessionsLoading}>
          <Skeleton width="60%" />
        </Loading>
      )}
      {shown && (
        <ul className="session-list" ref={list} tabIndex={-1} aria-label={say.sessions}>
          {shown.map((session) => (
            <SessionLine key={session.id} session={session} onEnd={(button) => void end(session, button)} />
          ))}
        </ul>
      )}
      {sessions && shown && shown.length < sessions.length && (
        <div>
          <ShowAll list={list} onShow={() => setAll(true)}>
            {say.allSessions(sessions.length)}
          </ShowAll>
        </div>
      )}
      {errand.fault && <Notice tone="danger">{errand.fault}</Notice>}
      {errand.done && <Notice tone="good">{errand.done}</Notice>}
      <p className="account-words">
        {sessions && !failed && sessions.every(({ is_current }) => is_current) ? say.onlyHere : say.signOutOthersWords}
      </p>
      <div className="account-actions">
        <Button busy={endingOthers} onClick={() => void endOthers()}>
          {say.signOutOthers}
        </Button>
        <Button look="quiet" onClick={() => perform('sign-out')}>
          {say.signOut}
        </Button>
      </div>
    </Section>
  );
}

function SessionLine({ session, onEnd }: { session: MySession; onEnd: (button: HTMLButtonElement) => void }) {
  const note = useId();
  const name = nameOf(session);
  const Picture = pictures[nameDevice(session.user_agent).kind];
  const facts = [
    ...(session.is_current ? [] : [say.lastSeen(sayWhen(session.last_seen_at))]),
    say.signedIn(sayMoment(session.created_at)),
    ...(session.address === null ? [] : [session.address]),
    ...(session.aal === 'aal2' ? [say.withFactor] : []),
  ];
  return (
    <li className="account-row">
      <Picture size={18} aria-hidden="true" />
      <span className="account-row-words">
        {name} {session.is_current && <span className="session-here">{say.thisDevice}</span>}
        <span className="account-note" id={note}>
          {facts.map((fact, at) => (
            <Fragment key={fact}>
              {at > 0 && ' · '}
              <span className="session-fact">{at === 0 ? capital(fact) : fact}</span>
            </Fragment>
          ))}
        </span>
      </span>
      {!session.is_current && (
        <Button
          aria-label={say.endSessionOf(name)}
          aria-describedby={note}
          onClick={(event) => onEnd(event.currentTarget)}
        >
          {say.endSession}
        </Button>
      )}
    </li>
  );
}
