// Accounts of the server: searched, narrowed, a page at a time; one opens in a dialog.

import { UserPlus } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { sayAgo } from '../../queries/days/days.ts';
import { type DeskAccount, readDeskAccounts, useAsked } from '../../queries/desk/desk.ts';
import { t } from '../../strings/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { Loading, Notice, Skeleton } from '../../ui/state.tsx';
import { AccountDialog } from './account-dialog.tsx';
import styles from './admin.module.css';
import { MakeAccount } from './make-account.tsx';
import { sayDeskRefusal } from './say-desk-refusal.ts';

const kinds = ['all', 'disabled', 'waiting', 'operators', 'without_factor'] as const;
type Kind = (typeof kinds)[number];
const pageSize = 50;

export function Accounts() {
  const [words, setWords] = useState('');
  const [kind, setKind] = useState<Kind>('all');
  const [skip, setSkip] = useState(0);
  const [open, setOpen] = useState<DeskAccount | null>(null);
  const [making, setMaking] = useState(false);
  const asked = useDeferredValue(words.trim());
  const { data, failed, again } = useAsked(`${asked} ${kind} ${skip}`, (sync) =>
    readDeskAccounts(sync, asked, kind, skip),
  );
  const last = data ? Math.min(skip + pageSize, data.total) : 0;
  return (
    <>
      <div className={styles.narrow}>
        <TextField
          label={t('desk.search')}
          bare
          type="search"
          placeholder={t('desk.search')}
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setSkip(0);
          }}
        />
        <SelectField
          label={t('desk.which')}
          bare
          value={kind}
          choices={kinds.map((value) => ({ value, label: t(`desk.kind.${value}`) }))}
          onPick={(picked) => {
            setKind(picked);
            setSkip(0);
          }}
        />
        <Button look="main" icon={<UserPlus size={16} />} onClick={() => setMaking(true)}>
          {t('desk.make')}
        </Button>
      </div>
      {failed && (
        <Notice tone="warn">
          {sayDeskRefusal(failed)} <Button onClick={again}>{t('common.retry')}</Button>
        </Notice>
      )}
      {data === null && !failed && (
        <Loading label={t('common.loading')}>
          <Skeleton width="60%" />
        </Loading>
      )}
      {data?.total === 0 && <p>{t('common.nothingFound')}</p>}
      {data && data.total > 0 && (
        <ul className={styles.rows} aria-label={t('desk.part.accounts')}>
          {data.accounts.map((account) => (
            <Line key={account.id} account={account} onOpen={() => setOpen(account)} />
          ))}
        </ul>
      )}
      {data && data.total > pageSize && (
        <div className={styles.pages}>
          <Button disabled={skip === 0} onClick={() => setSkip(Math.max(0, skip - pageSize))}>
            {t('desk.newer')}
          </Button>
          <span className="numbers">{t('desk.shown', { from: skip + 1, to: last, total: data.total })}</span>
          <Button disabled={last >= data.total} onClick={() => setSkip(skip + pageSize)}>
            {t('desk.older')}
          </Button>
        </div>
      )}
      {open && <AccountDialog id={open.id} email={open.email} onClose={() => setOpen(null)} onChange={again} />}
      {making && <MakeAccount onClose={() => setMaking(false)} onMade={again} />}
    </>
  );
}

function Line({ account, onOpen }: { account: DeskAccount; onOpen: () => void }) {
  const name = account.name.trim() || account.email || t('desk.state.anonymous');
  const facts = [
    account.email,
    ...(account.state === 'active' ? [] : [t(`desk.state.${account.state}`)]),
    ...(account.is_operator ? [t('desk.operator')] : []),
    ...(account.has_factor ? [t('desk.hasFactor')] : []),
    account.last_sign_in_at === null ? t('desk.neverIn') : t('desk.lastIn', { when: sayAgo(account.last_sign_in_at) }),
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
