// Line of a member: last activity, open tasks, where the role comes from, and for owners the role and removing.

import { Info, Trash2 } from 'lucide-react';
import { Link } from 'wouter';
import { removeMember, setOwnRole, setRole, useAct } from '../../commands.ts';
import { AgentWord } from '../../pieces/agent-tag.tsx';
import { sayMoment } from '../../queries/days/days.ts';
import type { PersonFigures } from '../../queries/figures/person-figures.ts';
import { type BroughtGroup, isStronger, type Member, type Role, useUserId } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import lines from '../../ui/lines.module.css';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import cardStyles from './person-card.module.css';
import { roleChoices, serviceRoles } from './role-choices.ts';
import { sayLastActive } from './say-last-active.ts';

interface MemberLineProps {
  readonly projectId: string;
  readonly member: Member;
  readonly figures: PersonFigures | undefined;
  /** The groups that bring them, the strongest first. */
  readonly brought: readonly BroughtGroup[];
  readonly owner: boolean;
  /** The last owner can be neither removed nor made anything else. */
  readonly fixed: boolean;
}

export function MemberLine({ projectId, member, figures, brought, owner, fixed }: MemberLineProps) {
  const me = member.userId === useUserId();
  const { name } = member;
  const role = roleOf(member, brought);
  return (
    <li className={`${shapes.row} ${lines.line}`}>
      <Avatar name={name} url={member.avatarUrl} seed={member.userId} size={32} />
      <span className={`${shapes.breaks} ${lines.words}`}>
        <Link href={paths.person(member.userId)} className={cardStyles.personLink} data-face={member.userId}>
          {name}
        </Link>
        {member.isAgent && ' '}
        {member.isAgent && <AgentWord />}
        {me && <span className={shapes.quiet}> ({t('common.you').toLocaleLowerCase()})</span>}
        {(figures || brought.length > 0 || member.isService) && (
          <span className={`${shapes.quietS} ${lines.facts}`}>
            {member.isService && !member.isAgent && <span>{t('people.service')}</span>}
            {figures && <Activity at={figures.last_active_at} me={me} />}
            {figures && <span>{t('people.open', { n: figures.open_tasks })}</span>}
            {brought.length > 0 && <span>{sayThrough(role, brought)}</span>}
          </span>
        )}
      </span>
      {owner ? (
        <span className={lines.role}>
          <RoleSelect projectId={projectId} member={member} role={role} brought={brought} fixed={fixed} />
        </span>
      ) : (
        <span className={shapes.quiet}>{t(`common.roles.${role}`)}</span>
      )}
      {owner && !me && <RemoveButton projectId={projectId} member={member} brought={brought} />}
    </li>
  );
}

const namesOf = (groups: readonly BroughtGroup[]): string => groups.map(({ name }) => name).join(', ');

/** Where the role comes from. */
function sayThrough(role: Role, brought: readonly BroughtGroup[]): string {
  const groups = namesOf(brought);
  return brought[0]?.role === role ? t('groups.through', { groups }) : t('groups.alsoThrough', { groups });
}

/** At once, where one of both has changed here and the server has not answered yet. */
function roleOf({ role, ownRole }: Member, [strongest]: readonly BroughtGroup[]): Role {
  if (strongest === undefined) return role;
  return ownRole !== null && isStronger(ownRole, strongest.role) ? ownRole : strongest.role;
}

function Activity({ at, me }: { at: string | null; me: boolean }) {
  if (at === null || me) return <span>{sayLastActive(at, me)}</span>;
  return (
    <time dateTime={at} title={sayMoment(at)}>
      {sayLastActive(at, me)}
    </time>
  );
}

interface RoleSelectProps extends Pick<MemberLineProps, 'projectId' | 'member' | 'brought' | 'fixed'> {
  readonly role: Role;
}

/** Somebody whom a group brings can be given more than it gives, never less. */
function RoleSelect({ projectId, member, role, brought: [strongest], fixed }: RoleSelectProps) {
  const act = useAct();
  const { name, userId } = member;
  const choices = (member.isService ? serviceRoles() : roleChoices()).map((choice) => {
    if (strongest === undefined || isStronger(choice.value, strongest.role)) return choice;
    if (choice.value === strongest.role) return choice;
    return { ...choice, label: t('groups.weaker', { role: choice.label, group: strongest.name }), disabled: true };
  });
  return (
    <SelectField
      label={t('settings.role', { name })}
      bare
      value={role}
      disabled={fixed}
      title={fixed ? t('settings.lastOwner') : t(`common.roleMeaning.${role}`)}
      choices={choices}
      onPick={(picked) => {
        if (strongest === undefined) void act(setRole, projectId, userId, picked);
        else void act(setOwnRole, projectId, userId, picked === strongest.role ? null : picked);
      }}
    />
  );
}

/** Whom groups bring, only the groups take away; what was given beside them ends alone. */
function RemoveButton({ projectId, member, brought }: Pick<MemberLineProps, 'projectId' | 'member' | 'brought'>) {
  const act = useAct();
  const { name, userId } = member;
  if (brought.length === 0)
    return (
      <IconButton
        label={t('settings.removeMember', { name })}
        onClick={() => void act(removeMember, projectId, userId)}
      >
        <Trash2 size={15} />
      </IconButton>
    );
  if (member.ownRole !== null)
    return (
      <IconButton
        label={t('groups.endOwnRole', { name })}
        onClick={() => void act(setOwnRole, projectId, userId, null)}
      >
        <Trash2 size={15} />
      </IconButton>
    );
  const hint = t('groups.onlyThrough', { name, groups: namesOf(brought) });
  return (
    <IconButton label={hint} onClick={() => showMessage(hint)}>
      <Info size={15} />
    </IconButton>
  );
}
