// Members of a project: role, last activity, workload; the join link and pending invitations.

import { Trash2, UserPlus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { perform } from '../../actions/registry.tsx';
import { removeMember, setRole, useAct } from '../../commands.ts';
import { sayMoment } from '../../queries/days/days.ts';
import { type PersonFigures, usePeopleOfProject } from '../../queries/figures/person-figures.ts';
import { type Member, membersOf, roleIn, useQuery, useUserId } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import { Loading, Skeleton } from '../../ui/list-states.tsx';
import pageStyles from '../../ui/page.module.css';
import { usePageTitle } from '../../ui/page-title.ts';
import type { ProjectViewProps } from '../project/view-props.ts';
import { InvitationList } from './invitation-list.tsx';
import { JoinLink } from './join-link.tsx';
import { OperatorEntries } from './operator-entries.tsx';
import styles from './people.module.css';
import cardStyles from './person-card.module.css';
import { roleChoices } from './role-choices.ts';
import { sayLastActive } from './say-last-active.ts';
import { TransferNotice } from './transfer-notice.tsx';
import { usePersonCards } from './use-person-cards.tsx';

export default function People({ project, loading }: ProjectViewProps) {
  const userId = useUserId();
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
  const owners = members.filter((member) => member.role === 'owner').length;
  const cards = usePersonCards(project.id);
  if (loading) return <PeopleSkeleton />;
  return (
    <div className={`${shapes.scroll} ${shapes.unrolled} ${shapes.holder}`}>
      <div className={pageStyles.page}>
        <header className={pageStyles.pageHead}>
          <h2>{t('common.members', { n: members.length })}</h2>
          {owner && (
            <Button look="main" icon={<UserPlus size={16} />} onClick={() => perform('invite')}>
              {t('projects.invite')}
            </Button>
          )}
        </header>
        <TransferNotice projectId={project.id} />
        <ul className={`${shapes.stackS2} ${styles.rows}`} aria-label={t('projects.views.people')} {...cards.handlers}>
          {members.map((member) => (
            <Line
              key={member.userId}
              projectId={project.id}
              member={member}
              figures={data?.find((one) => one.user_id === member.userId)}
              owner={owner}
              fixed={member.role === 'owner' && owners === 1}
            />
          ))}
        </ul>
        {cards.over}
        {owner && owners === 1 && members.length > 1 && (
          <p className={`${shapes.quiet} ${styles.hint}`}>{t('settings.lastOwner')}</p>
        )}
        {owner && <JoinLink projectId={project.id} />}
        {owner && <InvitationList projectId={project.id} />}
        <OperatorEntries projectId={project.id} />
      </div>
    </div>
  );
}

interface LineProps {
  readonly projectId: string;
  readonly member: Member;
  readonly figures: PersonFigures | undefined;
  readonly owner: boolean;
  /** The last owner can be neither removed nor made anything else. */
  readonly fixed: boolean;
}

function Line({ projectId, member, figures, owner, fixed }: LineProps) {
  const act = useAct();
  const me = member.userId === useUserId();
  const { name } = member;
  return (
    <li className={`${shapes.row} ${styles.member}`}>
      <Avatar name={name} url={member.avatarUrl} seed={member.userId} size={32} />
      <span className={`${shapes.breaks} ${styles.words}`}>
        <Link href={paths.person(member.userId)} className={cardStyles.personLink} data-face={member.userId}>
          {name}
        </Link>
        {me && <span className={shapes.quiet}> ({t('common.you').toLocaleLowerCase()})</span>}
        {figures && (
          <span className={`${shapes.quietS} ${styles.facts}`}>
            {figures.last_active_at === null || me ? (
              <span>{sayLastActive(figures.last_active_at, me)}</span>
            ) : (
              <time dateTime={figures.last_active_at} title={sayMoment(figures.last_active_at)}>
                {sayLastActive(figures.last_active_at, me)}
              </time>
            )}
            <span>{t('people.open', { n: figures.open_tasks })}</span>
          </span>
        )}
      </span>
      {owner ? (
        <span className={styles.role}>
          <SelectField
            label={t('settings.role', { name })}
            bare
            value={member.role}
            disabled={fixed}
            title={fixed ? t('settings.lastOwner') : t(`common.roleMeaning.${member.role}`)}
            choices={roleChoices()}
            onPick={(role) => void act(setRole, projectId, member.userId, role)}
          />
        </span>
      ) : (
        <span className={shapes.quiet}>{t(`common.roles.${member.role}`)}</span>
      )}
      {owner && !me && (
        <IconButton
          label={t('settings.removeMember', { name })}
          onClick={() => void act(removeMember, projectId, member.userId)}
        >
          <Trash2 size={15} />
        </IconButton>
      )}
    </li>
  );
}

function PeopleSkeleton() {
  return (
    <Loading whole label={t('common.loading')}>
      <div className={pageStyles.page}>
        <div className={`${shapes.stackS2} ${styles.rows}`}>
          {[1, 2, 3].map((one) => (
            <Skeleton key={one} height="2.5rem" />
          ))}
        </div>
      </div>
    </Loading>
  );
}
