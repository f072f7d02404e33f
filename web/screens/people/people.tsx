// Members of a project: role, last activity, workload; groups, the join link and pending invitations.

import { Globe, UserPlus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { perform } from '../../actions/registry.tsx';
import { usePeopleOfProject } from '../../queries/figures/person-figures.ts';
import { groupsIn, membersOf, roleIn, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Loading, Skeleton } from '../../ui/list-states.tsx';
import pageStyles from '../../ui/page.module.css';
import { usePageTitle } from '../../ui/page-title.ts';
import { useExplainsAccess } from '../access/use-explains-access.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import { CollapsibleList } from './collapsible-list.tsx';
import { GroupSection } from './group-section.tsx';
import { GuestSection } from './guest-section.tsx';
import { InvitationList } from './invitation-list.tsx';
import { JoinLink } from './join-link.tsx';
import { MemberList } from './member-list.tsx';
import { OperatorEntries } from './operator-entries.tsx';
import styles from './people.module.css';
import { TransferNotice } from './transfer-notice.tsx';
import { usePersonCards } from './use-person-cards.tsx';

export default function People({ project, loading }: ProjectViewProps) {
  const userId = useUserId();
  const explains = useExplainsAccess(project.id);
  const owner = useQuery(roleIn, project.id, userId) === 'owner';
  const members = useQuery(membersOf, project.id);
  const { data, again } = usePeopleOfProject(project.id);
  // Whoever has come since has figures too.
  const asked = useRef('');
  const who = members.map((member) => member.userId).join(' ');
  useEffect(() => {
    if (asked.current !== '' && asked.current !== who) again();
    asked.current = who;
  }, [who, again]);
  usePageTitle(`${t('projects.views.people')} · ${project.name}`);
  const groups = useQuery(groupsIn, project.id);
  const owners = members.filter((member) => member.ownRole === 'owner').length;
  const cards = usePersonCards(project.id);
  if (loading) return <PeopleSkeleton />;
  return (
    <div className={`${shapes.scroll} ${shapes.unrolled} ${shapes.holder}`}>
      <div className={pageStyles.page}>
        <header className={pageStyles.pageHead}>
          <h2>{t('common.members', { n: members.length })}</h2>
          <span className={shapes.wrapS3}>
            {explains && <Button onClick={() => perform('project-access')}>{t('common.canSee')}</Button>}
            {owner && (
              <Button icon={<Globe size={16} />} onClick={() => perform('share-project')}>
                {t('common.publicLink')}
              </Button>
            )}
            {owner && (
              <Button look="main" icon={<UserPlus size={16} />} onClick={() => perform('invite')}>
                {t('projects.invite')}
              </Button>
            )}
          </span>
        </header>
        <TransferNotice projectId={project.id} />
        <MemberList
          projectId={project.id}
          owner={owner}
          figures={data ?? []}
          aria-label={t('projects.views.people')}
          {...cards.handlers}
        />
        {cards.over}
        {owner && owners === 1 && members.length > 1 && (
          <p className={`${shapes.quiet} ${styles.hint}`}>{t('settings.lastOwner')}</p>
        )}
        <GroupSection projectId={project.id} groups={groups} owner={owner} />
        {owner && <GuestSection projectId={project.id} />}
        {owner && <JoinLink projectId={project.id} />}
        {owner && <InvitationList projectId={project.id} />}
        {owner && <CollapsibleList of="keys" projectId={project.id} />}
        {owner && <CollapsibleList of="programs" projectId={project.id} />}
        <OperatorEntries projectId={project.id} />
        {owner && <CollapsibleList of="access" projectId={project.id} />}
      </div>
    </div>
  );
}

function PeopleSkeleton() {
  return (
    <Loading whole label={t('common.loading')}>
      <div className={pageStyles.page}>
        <div className={`${shapes.stackS2} ${shapes.oneColumn}`}>
          {[1, 2, 3].map((one) => (
            <Skeleton key={one} height="2.5rem" />
          ))}
        </div>
      </div>
    </Loading>
  );
}
