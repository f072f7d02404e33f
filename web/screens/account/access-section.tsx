// Links and access: everything that opens without signing in, with when it was created and last used, and its end.

import { Link2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type AccessGrant, endAccessGrant, listAccessGrants, sayRefusal, useAsk } from '../../commands.ts';
import { sayAgo } from '../../queries/days/days.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Section } from '../../ui/section.tsx';
import styles from './account.module.css';

function nameOf({ kind, bucket_id: bucket, feed, project }: AccessGrant): string {
  const place = project?.name ?? (bucket === null || bucket === 'attachments' ? '' : bucket);
  switch (kind) {
    case 'calendar_feed':
      return t('account.access.calendar', { name: feed?.name ?? '' });
    case 'file_link':
      return bucket === 'exports' ? t('account.access.exports') : t('account.access.files', { place });
    case 'folder_link':
      return t('account.access.folders', { place });
    case 'upload_link':
      return t('account.access.uploads', { place });
    case 'unsubscribe_link':
      return t('account.access.unsubscribe');
  }
}

export function AccessSection() {
  const ask = useAsk();
  const [grants, setGrants] = useState<readonly AccessGrant[] | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    ask(listAccessGrants).then(setGrants, (reason) => setFault(sayRefusal(reason)));
  }, [ask]);

  async function end(id: string): Promise<void> {
    setBusy(true);
    setFault(null);
    try {
      await ask(endAccessGrant, id);
      setGrants(await ask(listAccessGrants));
    } catch (reason) {
      setFault(sayRefusal(reason));
    }
    setBusy(false);
  }

  return (
    <Section title={t('account.access.title')} hint={t('account.access.hint')}>
      {grants?.length === 0 && (
        <p className={`${shapes.quietS} ${shapes.block} ${shapes.plain}`}>{t('account.access.none')}</p>
      )}
      {grants !== null && grants.length > 0 && (
        <ul className={`${shapes.stackS5} ${styles.sessionList}`} aria-label={t('account.access.title')}>
          {grants.map((grant) => (
            <li key={grant.id} className={`${shapes.rowS4} ${styles.accountRow}`}>
              <Link2 size={18} aria-hidden="true" />
              <span className={`${shapes.breaks} ${shapes.fill} ${shapes.medium} ${styles.accountRowWords}`}>
                {nameOf(grant)}
                <span className={`${shapes.quietS} ${shapes.block} ${shapes.plain}`}>
                  {grant.last_used_at === null
                    ? t('account.access.unused', { when: sayAgo(grant.created_at) })
                    : t('account.access.used', {
                        when: sayAgo(grant.created_at),
                        used: sayAgo(grant.last_used_at),
                      })}
                </span>
              </span>
              <Button
                disabled={busy}
                aria-label={t('account.access.endOf', { name: nameOf(grant) })}
                onClick={() => void end(grant.id)}
              >
                {t('account.access.end')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
    </Section>
  );
}
