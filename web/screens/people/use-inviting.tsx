// Inviting: one field for many addresses, and for people and groups who are let in at once. What became of each address stands above it, where it
// is seen, with the link to hand over. Forms add what those they let in may do.

import { Check, CircleAlert } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { type Invited, Refusal, sayRefusal } from '../../commands.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { type Addition, ColleagueField, type Offered } from './colleague-field.tsx';
import { LinkField } from './link-field.tsx';
import styles from './people.module.css';
import { readAddresses } from './read-addresses.ts';

interface InvitingOptions extends Offered {
  readonly add: (chosen: readonly Addition[]) => void;
  readonly invite: (emails: readonly string[]) => Promise<readonly Invited[]>;
  /** Those who were chosen are in, and nobody else was named. */
  readonly onAdded?: () => void;
}

interface Inviting {
  readonly submit: (event: FormEvent) => void;
  /** The field, below what became of those invited before. */
  readonly head: ReactNode;
  readonly busy: boolean;
  /** How many are named, at least one. */
  readonly n: number;
  readonly isDone: boolean;
}

export function useInviting({ add, invite, onAdded, ...offered }: InvitingOptions): Inviting {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<readonly Addition[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  const [results, setResults] = useState<readonly Invited[]>([]);
  const [busy, setBusy] = useState(false);
  const { good } = readAddresses(typed);

  async function send(): Promise<void> {
    if (busy) return;
    const { good, wrong } = readAddresses(typed);
    if (wrong.length > 0) return setFault(t('people.invite.wrong', { what: wrong.join(', ') }));
    if (good.length + chosen.length === 0) return setFault(t('people.invite.missing'));
    setFault(null);
    if (chosen.length > 0) {
      add(chosen);
      setChosen([]);
      setTyped(good.join('\n'));
      if (good.length === 0) return onAdded?.();
    }
    setBusy(true);
    const made = await invite(good);
    setBusy(false);
    setResults(made);
    const failed = made.filter((one) => one.link === null && !isMember(one));
    setTyped(failed.map(({ email }) => email).join('\n'));
  }

  return {
    submit(event) {
      event.preventDefault();
      void send();
    },
    head: (
      <>
        {results.length > 0 && <Results results={results} />}
        <ColleagueField
          {...offered}
          typed={typed}
          chosen={chosen}
          hint={good.length > 0 ? t('people.invite.count', { n: good.length }) : t('people.invite.emailsHint')}
          error={fault}
          onType={(next) => {
            setTyped(next);
            setFault(null);
          }}
          onChoose={setChosen}
        />
      </>
    ),
    busy,
    n: Math.max(good.length + chosen.length, 1),
    isDone: results.length > 0,
  };
}

const isMember = ({ reason }: Invited): boolean => reason instanceof Refusal && reason.code === 'KB005';

function Results({ results }: { results: readonly Invited[] }) {
  const { settings } = useApp();
  const top = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer is looked at anew
  useEffect(() => {
    top.current?.focus({ preventScroll: true });
    top.current?.scrollIntoView({ block: 'nearest' });
  }, [results]);
  const invited = results.filter((one) => one.link !== null).length;
  return (
    <section
      className={`${shapes.stackS4} ${shapes.panel} ${styles.results}`}
      ref={top}
      tabIndex={-1}
      aria-label={t('people.invite.results')}
    >
      {invited > 0 && (
        <p role="status">
          <strong>{t('people.invite.invited', { n: invited })}</strong>{' '}
          {settings.mail ? t('people.invite.mailed') : t('people.invite.notMailed')}
        </p>
      )}
      <ul>
        {results.map((one) => (
          <li key={one.email}>
            {one.link === null ? (
              <>
                <CircleAlert size={16} aria-hidden="true" />
                <p role="alert">
                  <strong>{one.email}</strong> {isMember(one) ? t('people.invite.member') : sayRefusal(one.reason)}
                </p>
              </>
            ) : (
              <>
                <Check size={16} className={styles.good} aria-hidden="true" />
                <div className={`${shapes.stackS2} ${shapes.fill}`}>
                  <strong>{one.email}</strong>
                  <LinkField
                    link={one.link}
                    label={t('people.invitation.linkOf', { email: one.email })}
                    copyLabel={t('people.invitation.copy', { email: one.email })}
                  />
                </div>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
