// List of the groups one is in or meets in projects, and a new one for those who may make it.

import { Plus, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { knownGroups, type MyGroups, useMyGroups, useQuery } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import lines from '../../ui/lines.module.css';
import { EmptyState, Loading, Notice, Skeleton } from '../../ui/list-states.tsx';
import { RowLink } from '../../ui/lists/row-link.tsx';
import pageStyles from '../../ui/page.module.css';
import { usePageTitle } from '../../ui/page-title.ts';
import styles from './groups.module.css';
import { NewGroupDialog } from './new-group-dialog.tsx';

export default function Groups() {
  const { data, failed, again } = useMyGroups();
  const [making, setMaking] = useState(false);
  const known = useQuery(knownGroups, '');
  usePageTitle(t('common.nav.groups'));
  // What is renamed or deleted here is so before the server has answered.
  const groups = (data?.groups ?? []).flatMap((group) => {
    const row = known.find(({ id }) => id === group.id);
    return row ? [{ ...group, name: row.name, description: row.description }] : [];
  });
  const newGroup = data?.may_create && (
    <Button look="main" icon={<Plus size={16} />} onClick={() => setMaking(true)}>
      {t('groups.new')}
    </Button>
  );
  return (
    <div className={pageStyles.page}>
      <header className={pageStyles.pageHead}>
        <h1>{t('common.nav.groups')}</h1>
        {groups.length > 0 && newGroup}
      </header>
      {failed && data !== null && <Notice>{t('common.stale')}</Notice>}
      {failed && data === null && (
        <EmptyState title={t('common.failed.title')} action={<Button onClick={again}>{t('common.retry')}</Button>}>
          <p>{t('common.failed.words')}</p>
        </EmptyState>
      )}
      {data === null && !failed && <Waiting />}
      {data !== null && groups.length === 0 && (
        <EmptyState art={<UsersRound size={32} />} title={t('groups.empty')} action={newGroup}>
          <p>{t('groups.emptyWords')}</p>
          {!data.may_create && <p>{t('groups.emptyAsk')}</p>}
        </EmptyState>
      )}
      {groups.length > 0 && (
        <ul className={`${shapes.stackS2} ${shapes.oneColumn}`} aria-label={t('common.nav.groups')}>
          {groups.map((group) => (
            <Line key={group.id} group={group} />
          ))}
        </ul>
      )}
      {making && <NewGroupDialog onClose={() => setMaking(false)} />}
    </div>
  );
}

function Line({ group }: { group: MyGroups['groups'][number] }) {
  return (
    <li className={`${shapes.row} ${lines.line}`}>
      <span className={`${shapes.middle} ${lines.sign}`} aria-hidden="true">
        <UsersRound size={16} />
      </span>
      <span className={`${shapes.breaks} ${lines.words}`}>
        <RowLink href={paths.group(group.id)} className={`${shapes.underlined} ${styles.name}`}>
          {group.name}
        </RowLink>
        {group.description !== '' && <span className={`${shapes.quietS} ${shapes.clamp}`}>{group.description}</span>}
      </span>
      <span className={`${shapes.quietS} ${lines.facts} ${styles.below}`}>
        {group.source !== 'hand' && <span>{t('groups.provided')}</span>}
        {group.manages && <span>{t('groups.youManage')}</span>}
        <span>{t('groups.people', { n: group.people })}</span>
        <span>{t('groups.projects', { n: group.projects })}</span>
      </span>
    </li>
  );
}

function Waiting() {
  return (
    <Loading whole label={t('common.loading')}>
      <div className={shapes.stackS3}>
        {[1, 2, 3].map((one) => (
          <Skeleton key={one} height="2.5rem" />
        ))}
      </div>
    </Loading>
  );
}
