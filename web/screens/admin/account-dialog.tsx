// Dialog of one account: its data and the administrator's actions on it. Consequences of a deletion are shown first.

import { useState } from 'react';
import { type AccountAction, changeAccount } from '../../commands/desk-requests.ts';
import { useAsk } from '../../commands.ts';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import { type DeskAccountWhole, readDeskAccount, useAsked } from '../../queries/desk/desk.ts';
import { nameDevice } from '../../queries/people/name-device.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import fieldStyles from '../../ui/fields/field.module.css';
import { TextField } from '../../ui/fields/field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Loading, Notice } from '../../ui/state.tsx';
import styles from './admin.module.css';
import { Facts } from './facts.tsx';
import { sayDeskRefusal } from './say-desk-refusal.ts';

interface AccountDialogProps {
  readonly id: string;
  readonly email: string;
  readonly onClose: () => void;
  readonly onChange: () => void;
}

export function AccountDialog({ id, email, onClose, onChange }: AccountDialogProps) {
  const ask = useAsk();
  const { data, failed, again } = useAsked(id, (sync) => readDeskAccount(sync, id));
  const [busy, setBusy] = useState<AccountAction | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [done, setDone] = useState<string | null>(null);

  async function act(action: AccountAction, typed = ''): Promise<void> {
    setBusy(action);
    setFault(null);
    setDone(null);
    try {
      await ask(changeAccount, id, action, typed);
      onChange();
      if (action === 'delete') return onClose();
      setDone(t(`desk.done.${action}`));
      again();
    } catch (reason) {
      setFault(sayDeskRefusal(reason));
    }
    setBusy(null);
  }

  return (
    <Dialog open look="wide" onClose={onClose} title={data?.name.trim() || email || t('desk.state.anonymous')}>
      <div className={styles.account}>
        {data === null && !failed && <Loading label={t('common.loading')} />}
        {(fault ?? failed) && <Notice tone="danger">{fault ?? sayDeskRefusal(failed)}</Notice>}
        {done && <Notice tone="good">{done}</Notice>}
        {data && <AccountFacts account={data} />}
        {data?.is_operator && <p>{t('desk.operatorWords')}</p>}
        {data && !data.is_operator && (
          <>
            <div className={styles.actions}>
              {data.state === 'disabled' ? (
                <Button busy={busy === 'enable'} onClick={() => void act('enable')}>
                  {t('desk.do.enable')}
                </Button>
              ) : (
                <Button busy={busy === 'disable'} onClick={() => void act('disable')}>
                  {t('desk.do.disable')}
                </Button>
              )}
              <Button disabled={data.sessions === 0} busy={busy === 'signOut'} onClick={() => void act('signOut')}>
                {t('desk.do.signOut')}
              </Button>
              <Button
                disabled={!data.has_factor}
                busy={busy === 'resetFactors'}
                onClick={() => void act('resetFactors')}
              >
                {t('desk.do.resetFactors')}
              </Button>
            </div>
            <Deletion account={data} busy={busy === 'delete'} onDelete={(typed) => void act('delete', typed)} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function AccountFacts({ account }: { account: DeskAccountWhole }) {
  const facts = [
    [t('signIn.email'), account.email],
    [t('desk.fact.state'), t(`desk.state.${account.state}`)],
    [t('desk.fact.made'), sayMoment(account.created_at)],
    [t('common.twoFactor'), account.has_factor ? t('desk.yes') : t('desk.no')],
    [t('desk.fact.ways'), account.providers.join(', ')],
    [
      t('common.nav.projects'),
      account.member_of.map(({ name, role }) => t('desk.member', { name, role: t(`common.roles.${role}`) })).join(', '),
    ],
    [
      t('desk.fact.sessions'),
      account.signed_in
        .slice(0, 5)
        .map(({ user_agent, address, last_seen_at }) =>
          [nameDevice(user_agent).browser, address, sayAgo(last_seen_at)].filter((fact) => fact !== null).join(' '),
        )
        .join(', '),
    ],
  ] as const;
  return <Facts facts={facts} />;
}

interface DeletionProps {
  readonly account: DeskAccountWhole;
  readonly busy: boolean;
  readonly onDelete: (typed: string) => void;
}

function Deletion({ account: { email, end }, busy, onDelete }: DeletionProps) {
  const [asking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const matches = typed.trim().toLowerCase() === email.toLowerCase();
  if (!asking)
    return (
      <div className={styles.actions}>
        <Button look="danger" onClick={() => setAsking(true)}>
          {t('desk.do.delete')}
        </Button>
      </div>
    );
  return (
    <form
      className={fieldStyles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (matches) onDelete(typed);
      }}
    >
      <p>{t('desk.endWords', { tasks: end.tasks, comments: end.comments })}</p>
      {end.projects.length > 0 && (
        <ul className={styles.becomes}>
          {end.projects.map(({ id, name, becomes, heir_name }) => (
            <li key={id}>{t('desk.becomes', { name, becomes, heir: heir_name?.trim() || t('common.someone') })}</li>
          ))}
        </ul>
      )}
      <TextField
        label={t('desk.typeAddress', { email })}
        autoComplete="off"
        autoFocus
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className={styles.actions}>
        <Button look="danger" type="submit" disabled={!matches} busy={busy}>
          {t('people.archive.doEnd')}
        </Button>
        <Button onClick={() => setAsking(false)}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}
