// A line of the access log as a sentence, and as cells of a file.

import type { AccessLine } from '../../queries/people/access-log.ts';
import { t } from '../../strings/messages.ts';

export function sayAccess(line: AccessLine): string {
  const { subject, object, change, actor, actor_id: actorId } = line;
  const name = subject.name ?? t('access.gone');
  const by = {
    // An identity provider has a name and no account.
    who: actor === null && actorId === null ? 'nobody' : actorId === subject.id ? 'self' : 'other',
    actor: actor ?? t('access.gone'),
  } as const;
  if (change.operator)
    return t(`access.did.${change.operator.to ? 'operatorGiven' : 'operatorTaken'}`, { ...by, name });
  if (change.viewers_may_comment)
    return t(`access.did.${change.viewers_may_comment.to ? 'commentsAllowed' : 'commentsForbidden'}`, by);
  const task = object.name ?? '';
  const level = change.level?.to;
  if (object.kind === 'task' && level && change.named?.to !== false)
    return t(`access.did.${change.named ? 'shared' : 'sharedAs'}`, { ...by, name, task, level });
  if (object.kind === 'task' && change.level && !change.named)
    return t('access.did.sharedAs', { ...by, name, task, level: 'see' });
  if (change.named) return t(`access.did.${change.named.to ? 'named' : 'unnamed'}`, { ...by, name, task });
  if (change.restricted) return t(`access.did.${change.restricted.to ? 'restricted' : 'opened'}`, { ...by, task });
  if (object.kind === 'group') return sayGroup(change, { ...by, name, group: object.name ?? '' });
  if (change.accepted?.to) return t('access.did.invitationAccepted', { ...by, email: emailOf(line) });
  if (subject.kind === 'key' || subject.kind === 'program')
    return change.scope?.to
      ? t(`access.did.${subject.kind}Given`, { ...by, name, scope: change.scope.to })
      : t(`access.did.${subject.kind}Taken`, { ...by, name });
  const step = stepOf(change.role);
  if (subject.kind === 'invitation' && change.level)
    return sayGuestInvitation(change.level, { ...by, email: emailOf(line) });
  if (subject.kind === 'invitation') return sayInvitation(step, { ...by, email: emailOf(line) });
  if (subject.kind === 'join_link')
    return step.to === null
      ? t('access.did.linkTaken', { ...by, role: step.from })
      : t('access.did.linkCreated', { ...by, role: step.to });
  if (subject.kind === 'group') return sayRole(step, 'group', { ...by, name });
  if (change.through) return sayThrough(step, { ...by, name, group: change.through.name });
  return sayRole(step, 'role', { ...by, name });
}

type By = { readonly who: 'nobody' | 'self' | 'other'; readonly actor: string };
type Role = 'owner' | 'editor' | 'viewer';
/** From one role to another, to one, or from one to none. */
type Step = { readonly from: Role | null; readonly to: Role } | { readonly from: Role; readonly to: null };

function stepOf(role: AccessLine['change']['role']): Step {
  const { from = null, to = null } = role ?? {};
  if (to !== null) return { from, to };
  return { from: from ?? 'viewer', to };
}

const emailOf = ({ subject }: AccessLine): string => subject.email ?? t('access.goneAddress');

function sayRole({ from, to }: Step, of: 'role' | 'group', said: By & { readonly name: string }): string {
  if (to === null) return t(`access.did.${of}Taken`, { ...said, role: from });
  if (from === null) return t(`access.did.${of}Given`, { ...said, role: to });
  return t(`access.did.${of}Changed`, { ...said, from, to });
}

function sayThrough({ from, to }: Step, said: By & { readonly name: string; readonly group: string }): string {
  return to === null
    ? t('access.did.broughtOut', { ...said, role: from })
    : t('access.did.broughtIn', { ...said, role: to });
}

function sayInvitation({ from, to }: Step, said: By & { readonly email: string }): string {
  if (to === null) return t('access.did.invitationTaken', said);
  if (from === null) return t('access.did.invited', { ...said, role: to });
  return t('access.did.invitationChanged', { ...said, from, to });
}

/** To one task, which the log doesn't name. */
function sayGuestInvitation(
  { from, to }: NonNullable<AccessLine['change']['level']>,
  said: By & { readonly email: string },
): string {
  if (to === null) return t('access.did.invitationTaken', said);
  return t(`access.did.${from === null ? 'invitedGuest' : 'guestChanged'}`, { ...said, level: to });
}

function sayGroup(
  { member, manager }: AccessLine['change'],
  said: By & { readonly name: string; readonly group: string },
): string {
  if (manager) return t(`access.did.${manager.to ? 'managerGiven' : 'managerTaken'}`, said);
  return t(`access.did.${member?.to ? 'joinedGroup' : 'leftGroup'}`, said);
}

/** To what access changed. */
export const sayPlace = ({ object }: AccessLine): string => object.name ?? t('access.server');

const columns = ['time', 'person', 'change', 'place', 'address'] as const;

export const accessColumns = (): readonly string[] => columns.map((one) => t(`access.columns.${one}`));

export const accessCells = (line: AccessLine): readonly (string | null)[] => [
  ...[line.created_at, line.actor, sayAccess(line), sayPlace(line), line.address],
];
