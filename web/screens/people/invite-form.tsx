// Inviting: one field for many addresses, and for colleagues and groups, who are members at once. What became of each address stands above it, where it
// is seen, with the link to hand over.

import { Check, CircleAlert } from 'lucide-react';
import type { FormEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import { addToProject, type Invited, inviteMembers, Refusal, sayRefusal, useAct, useAsk } from '../../commands.ts';
import type { Role } from '../../queries.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import dialogStyles from '../../ui/overlays/dialog.module.css';
import { type Addition, ColleagueField } from './colleague-field.tsx';
import { LinkField } from './link-field.tsx';
import styles from './people.module.css';
import { readAddresses } from './read-addresses.ts';
import { roleChoices } from './role-choices.ts';

interface InviteFormProps {
  readonly projectId: string;
  /** What the button that ends it says. */
  readonly close: string;
  readonly onClose: () => void;
}

export function InviteForm({ projectId, close, onClose }: InviteFormProps) {
  const act = useAct();
  const ask = useAsk();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<readonly Addition[]>([]);
  const [role, setRole] = useState<Role>('editor');
  const [fault, setFault] = useState<string | null>(null);
  const [results, setResults] = useState<readonly Invited[]>([]);
  const [busy, setBusy] = useState(false);
  const { good } = readAddresses(typed);

  async function invite(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const read = readAddresses(typed);
    if (read.wrong.length > 0) return setFault(t('people.invite.wrong', { what: read.wrong.join(', ') }));
    if (read.good.length + chosen.length === 0) return setFault(t('people.invite.missing'));
    setFault(null);
    if (chosen.length > 0) {
      const idsOf = (kind: Addition['kind']) => chosen.filter((one) => one.kind === kind).map(({ id }) => id);
      void act(addToProject, projectId, { userIds: idsOf('person'), groupIds: idsOf('group') }, role);
      setChosen([]);
      if (read.good.length === 0) return onClose();
    }
    setBusy(true);
    const made = await ask(inviteMembers, projectId, read.good, role);
    setBusy(false);
    setResults(made);
    setTyped(
      made
        .filter((one) => one.link === null && !isMember(one))
        .map((one) => one.email)
        .join('\n'),
    );
  }

  return (
    <form className={shapes.stackS5} onSubmit={(event) => void invite(event)} noValidate>
      {results.length > 0 && <Results results={results} />}
      <ColleagueField
        projectId={projectId}
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
      <SelectField
        label={t('people.invite.role')}
        hint={t(`common.roleMeaning.${role}`)}
        value={role}
        choices={roleChoices()}
        onPick={setRole}
      />
      <div className={dialogStyles.dialogActions}>
        <Button onClick={onClose}>{results.length > 0 ? t('common.close') : close}</Button>
        <Button look="main" type="submit" busy={busy}>
          {t('people.invite.send', { n: Math.max(good.length + chosen.length, 1) })}
        </Button>
      </div>
    </form>
  );
}

export const isMember = ({ reason }: Invited): boolean => reason instanceof Refusal && reason.code === 'KB005';

export function Results({ results }: { results: readonly Invited[] }) {
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
