// Links and access: everything that opens without signing in, with when it was created and last used, and its end.

import { Link2 } from 'lucide-react';
import { type AccessGrant, endAccessGrant, listAccessGrants } from '../../commands.ts';
import { sayAgo } from '../../queries/days/days.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { FactRow } from '../../ui/fact-row.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Section } from '../../ui/section.tsx';
import { useFetchedList } from '../people/use-fetched-list.ts';

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
  const { list: grants, fault, busy, run } = useFetchedList(listAccessGrants, undefined);
  return (
    <Section title={t('account.access.title')} hint={t('account.access.hint')}>
      {grants?.length === 0 && <p className={shapes.quietS}>{t('account.access.none')}</p>}
      {grants !== null && grants.length > 0 && (
        <ul className={shapes.stackS5} aria-label={t('account.access.title')}>
          {grants.map((grant) => (
            <FactRow key={grant.id} icon={Link2} name={nameOf(grant)} facts={[sayUse(grant)]}>
              <Button
                disabled={busy}
                aria-label={t('account.access.endOf', { name: nameOf(grant) })}
                onClick={() => void run((ask) => ask(endAccessGrant, grant.id))}
              >
                {t('account.access.end')}
              </Button>
            </FactRow>
          ))}
        </ul>
      )}
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
    </Section>
  );
}

function sayUse({ created_at: made, last_used_at: used }: AccessGrant): string {
  const when = sayAgo(made);
  return used === null ? t('account.access.unused', { when }) : t('account.access.used', { when, used: sayAgo(used) });
}
