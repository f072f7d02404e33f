// Dialog of one account: its data and the administrator's actions on it. Consequences of a deletion are shown first.

import { useState } from 'react';
import { type AccountAction, changeAccount } from '../../commands/admin-requests.ts';
import { useAsk } from '../../commands.ts';
import { type AdminAccountWhole, readAdminAccount, useAsked } from '../../queries/admin/admin.ts';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import { nameDevice } from '../../queries/people/name-device.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import styles from './admin.module.css';
import { Facts } from './facts.tsx';
import { sayAdminRefusal } from './say-admin-refusal.ts';

interface AccountDialogProps {
  readonly id: string;
  readonly email: string;
  readonly onClose: () => void;
  readonly onChange: () => void;
}

export function AccountDialog({ id, email, onClose, onChange }: AccountDialogProps) {
  const ask = useAsk();
  const { data, failed, again } = useAsked(id, (sync) => readAdminAccount(sync, id));
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
      setDone(t(`admin.done.${action}`));
      again();
    } catch (reason) {
      setFault(sayAdminRefusal(reason));
    }
    setBusy(null);
  }

  return (
    <Dialog open look="wide" onClose={onClose} title={data?.name.trim() || email || t('admin.state.anonymous')}>
      <div className={shapes.stackS5}>
        {data === null && !failed && <Loading label={t('common.loading')} />}
        {(fault ?? failed) && <Notice tone="danger">{fault ?? sayAdminRefusal(failed)}</Notice>}
        {done && <Notice tone="good">{done}</Notice>}
        {data && <AccountFacts account={data} />}
        {data?.is_operator && <p>{t('admin.operatorWords')}</p>}
        {data && !data.is_operator && (
          <>
            <div className={shapes.flowS3}>
              {data.state === 'disabled' ? (
                <Button busy={busy === 'enable'} onClick={() => void act('enable')}>
                  {t('admin.do.enable')}
                </Button>
              ) : (
                <Button busy={busy === 'disable'} onClick={() => void act('disable')}>
                  {t('admin.do.disable')}
                </Button>
              )}
              <Button disabled={data.sessions === 0} busy={busy === 'signOut'} onClick={() => void act('signOut')}>
                {t('admin.do.signOut')}
              </Button>
              <Button
                disabled={!data.has_factor}
                busy={busy === 'resetFactors'}
                onClick={() => void act('resetFactors')}
              >
                {t('admin.do.resetFactors')}
              </Button>
            </div>
            <Deletion account={data} busy={busy === 'delete'} onDelete={(typed) => void act('delete', typed)} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function AccountFacts({ account }: { account: AdminAccountWhole }) {
  const facts = [
    [t('signIn.email'), account.email],
    [t('admin.fact.state'), t(`admin.state.${account.state}`)],
    [t('admin.fact.created'), sayMoment(account.created_at)],
    [t('common.twoFactor'), account.has_factor ? t('admin.yes') : t('admin.no')],
    [t('admin.fact.ways'), account.providers.join(', ')],
    [
      t('common.nav.projects'),
      account.member_of
        .map(({ name, role }) => t('admin.member', { name, role: t(`common.roles.${role}`) }))
        .join(', '),
    ],
    [
      t('account.sessions'),
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
  readonly account: AdminAccountWhole;
  readonly busy: boolean;
  readonly onDelete: (typed: string) => void;
}

function Deletion({ account: { email, end }, busy, onDelete }: DeletionProps) {
  const [asking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const matches = typed.trim().toLowerCase() === email.toLowerCase();
  if (!asking)
    return (
      <div className={shapes.flowS3}>
        <Button look="danger" onClick={() => setAsking(true)}>
          {t('admin.do.delete')}
        </Button>
      </div>
    );
  return (
    <form
      className={shapes.stackS5}
      onSubmit={(event) => {
        event.preventDefault();
        if (matches) onDelete(typed);
      }}
    >
      <p>{t('admin.endWords', { tasks: end.tasks, comments: end.comments })}</p>
      {end.projects.length > 0 && (
        <ul className={`${shapes.stackS2} ${styles.becomes}`}>
          {end.projects.map(({ id, name, becomes, heir_name }) => (
            <li key={id}>
              {t('admin.becomes', { name, becomes, newOwner: heir_name?.trim() || t('common.someone') })}
            </li>
          ))}
        </ul>
      )}
      <TextField
        label={t('admin.typeAddress', { email })}
        autoComplete="off"
        autoFocus
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className={shapes.flowS3}>
        <Button look="danger" type="submit" disabled={!matches} busy={busy}>
          {t('people.archive.doEnd')}
        </Button>
        <Button onClick={() => setAsking(false)}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}
