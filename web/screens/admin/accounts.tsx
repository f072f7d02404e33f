// Accounts of the server: searched, narrowed, a page at a time; one opens in a dialog.

import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { type AdminAccount, readAdminAccounts } from '../../queries/admin/admin.ts';
import { sayAgo } from '../../queries/days/days.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { AccountDialog } from './account-dialog.tsx';
import styles from './admin.module.css';
import { AdminList } from './admin-list.tsx';
import { CreateAccount } from './create-account.tsx';

const kinds = ['all', 'disabled', 'waiting', 'operators', 'without_factor'] as const;

export function Accounts() {
  const [open, setOpen] = useState<AdminAccount | null>(null);
  const [making, setMaking] = useState(false);
  return (
    <AdminList
      label={t('admin.part.accounts')}
      search={t('admin.search')}
      which={t('admin.which')}
      kinds={kinds.map((value) => ({ value, label: t(`admin.kind.${value}`) }))}
      read={readAdminAccounts}
      beside={
        <Button look="main" icon={<UserPlus size={16} />} onClick={() => setMaking(true)}>
          {t('admin.create')}
        </Button>
      }
      rows={({ accounts }) =>
        accounts.map((account) => <Line key={account.id} account={account} onOpen={() => setOpen(account)} />)
      }
      dialogs={(again) => (
        <>
          {open && <AccountDialog id={open.id} email={open.email} onClose={() => setOpen(null)} onChange={again} />}
          {making && <CreateAccount onClose={() => setMaking(false)} onMade={again} />}
        </>
      )}
    />
  );
}

function Line({ account, onOpen }: { account: AdminAccount; onOpen: () => void }) {
  const name = account.name.trim() || account.email || t('admin.state.anonymous');
  const facts = [
    account.email,
    ...(account.state === 'active' ? [] : [t(`admin.state.${account.state}`)]),
    ...(account.is_operator ? [t('admin.operator')] : []),
    ...(account.has_factor ? [t('common.twoFactor')] : []),
    account.last_sign_in_at === null
      ? t('admin.neverIn')
      : t('account.signedIn', { when: sayAgo(account.last_sign_in_at) }),
    t('admin.projects', { n: account.projects }),
  ];
  return (
    <li>
      <button type="button" className={`${shapes.rowS4} ${styles.row}`} onClick={onOpen}>
        <Avatar name={name} url={null} seed={account.id} size={32} />
        <span className={`${shapes.breaks} ${shapes.fill}`}>
          <span className={`${shapes.block} ${shapes.medium}`}>{name}</span>
          <span className={`${shapes.softS} ${shapes.block}`}>{facts.filter((fact) => fact !== '').join(' · ')}</span>
        </span>
      </button>
    </li>
  );
}
