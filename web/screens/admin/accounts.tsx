// Accounts of the server: searched, narrowed, a page at a time; one opens in a dialog.

import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { sayAgo } from '../../queries/days/days.ts';
import { type DeskAccount, readDeskAccounts } from '../../queries/desk/desk.ts';
import { t } from '../../strings/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { AccountDialog } from './account-dialog.tsx';
import styles from './admin.module.css';
import { DeskList } from './desk-list.tsx';
import { MakeAccount } from './make-account.tsx';

const kinds = ['all', 'disabled', 'waiting', 'operators', 'without_factor'] as const;

export function Accounts() {
  const [open, setOpen] = useState<DeskAccount | null>(null);
  const [making, setMaking] = useState(false);
  return (
    <DeskList
      label={t('desk.part.accounts')}
      search={t('desk.search')}
      which={t('desk.which')}
      kinds={kinds.map((value) => ({ value, label: t(`desk.kind.${value}`) }))}
      read={readDeskAccounts}
      beside={
        <Button look="main" icon={<UserPlus size={16} />} onClick={() => setMaking(true)}>
          {t('desk.make')}
        </Button>
      }
      rows={({ accounts }) =>
        accounts.map((account) => <Line key={account.id} account={account} onOpen={() => setOpen(account)} />)
      }
      dialogs={(again) => (
        <>
          {open && <AccountDialog id={open.id} email={open.email} onClose={() => setOpen(null)} onChange={again} />}
          {making && <MakeAccount onClose={() => setMaking(false)} onMade={again} />}
        </>
      )}
    />
  );
}

function Line({ account, onOpen }: { account: DeskAccount; onOpen: () => void }) {
  const name = account.name.trim() || account.email || t('desk.state.anonymous');
  const facts = [
    account.email,
    ...(account.state === 'active' ? [] : [t(`desk.state.${account.state}`)]),
    ...(account.is_operator ? [t('desk.operator')] : []),
    ...(account.has_factor ? [t('common.twoFactor')] : []),
    account.last_sign_in_at === null
      ? t('desk.neverIn')
      : t('account.signedIn', { when: sayAgo(account.last_sign_in_at) }),
    t('desk.projects', { n: account.projects }),
  ];
  return (
    <li>
      <button type="button" className={styles.row} onClick={onOpen}>
        <Avatar name={name} url={null} seed={account.id} size={32} />
        <span className={styles.words}>
          <span className={styles.name}>{name}</span>
          <span className={styles.note}>{facts.filter((fact) => fact !== '').join(' · ')}</span>
        </span>
      </button>
    </li>
  );
}
