// A rule that brings somebody into a project, as a sentence.

import { localDay, sayDay, sayMoment } from '../../queries/days/days.ts';
import type { AccessReason, NameOf } from '../../queries/people/access.ts';
import { t } from '../../strings/messages.ts';

const dayOf = (moment: string): string => sayDay(localDay(new Date(moment)));

/** `isOneOfSeveral`: the person's role may be that of another. */
export function sayReason(reason: AccessReason, nameOf: NameOf, isOneOfSeveral: boolean): string {
  const { rule, at, by, until, words = '', group_name: group = '' } = reason;
  const giver = by === undefined ? undefined : nameOf(by);
  const role = reason.role ? t(`common.roles.${reason.role}`) : t('common.guest');
  const said = {
    ...{ known: giver === undefined ? 'no' : 'yes', by: giver ?? '', day: dayOf(at) },
    role: isOneOfSeveral ? role : 'none',
    until: until === undefined ? 'never' : dayOf(until),
  } as const;
  const level = reason.level ?? 'see';
  const isGrouped = group !== '';
  if (rule === 'group') return t('reach.rule.group', { group, role });
  if (rule === 'operator_visit') return t('reach.rule.visit', { ...said, words, until: sayMoment(until ?? at) });
  if (reason.tasks !== undefined) {
    const n = reason.tasks;
    if (rule === 'guest') return t(isGrouped ? 'reach.rule.sharedGroup' : 'reach.rule.shared', { n, level, group });
    return isGrouped ? t('reach.rule.restrictedGroup', { n, group }) : t('reach.rule.restricted', { rule, n });
  }
  if (rule === 'guest') return t(isGrouped ? 'reach.rule.guestGroup' : 'reach.rule.guest', { ...said, level, group });
  if (rule === 'guest_of_part')
    return t(isGrouped ? 'reach.rule.partGroup' : 'reach.rule.guest_of_part', { ...said, level, group });
  if (rule === 'named' && isGrouped) return t('reach.rule.namedGroup', { ...said, group });
  return t(`reach.rule.${rule}`, said);
}
