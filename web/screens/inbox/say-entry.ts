// Sentences of an inbox entry: one for the most important of a person's actions, one for each of the others.

import { sayDay, sayMoment } from '../../queries/days/days.ts';
import { nameThrough } from '../../queries/people/name-through.ts';
import { dataOfEntry, type NotificationRow, nameOf, type Reader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';

export function sayEntry(entry: NotificationRow, store: Reader): string[] {
  return [entry.kind, ...(dataOfEntry(entry).also ?? [])].map((kind) => sayKind(kind, entry, store)).filter(Boolean);
}

function sayKind(kind: string, entry: NotificationRow, store: Reader): string {
  const data = dataOfEntry(entry);
  const profile = entry.actor_id === null ? undefined : store.get('profiles', entry.actor_id);
  const who =
    profile === undefined ? (data.inviter_name ?? nameOf(undefined)) : nameThrough(nameOf(profile), entry.program);
  const project = data.project_name ?? '';
  switch (kind) {
    case 'state_changed':
      return data.count === undefined
        ? t('inbox.lines.state_changed', { who, from: data.from ?? '', to: data.to ?? '' })
        : t('inbox.lines.many', { who, n: data.count, to: data.to ?? '' });
    case 'due_soon':
      return t('inbox.lines.due_soon', { day: sayDay(data.due_date ?? '') });
    case 'overdue':
      return t('inbox.lines.overdue', { day: sayDay(data.due_date ?? '') });
    case 'unblocked':
      return t('inbox.lines.unblocked');
    case 'added':
      return t('inbox.lines.added', { who, project });
    case 'backup_failed':
      return t('inbox.lines.backup_failed', { reason: data.excerpt ?? '' });
    case 'webhook_off':
      return t('inbox.lines.webhook_off', { name: data.excerpt ?? '', project });
    case 'invited':
      return data.task
        ? t('inbox.lines.invitedTask', { who, project, task: data.task })
        : t('inbox.lines.invited', { who, project });
    case 'mentioned':
      return t('inbox.lines.mentioned', { who });
    case 'assigned':
      return t('inbox.lines.assigned', { who });
    case 'unassigned':
      return t('inbox.lines.unassigned', { who });
    case 'commented':
      return data.answers_id !== undefined ? t('inbox.lines.answered', { who }) : t('inbox.lines.commented', { who });
    case 'transfer':
      return t('inbox.lines.transfer', {
        state: data.state ?? '',
        operator: data.operator ?? '',
        owner: data.new_owner ?? '',
        project,
        when: sayMoment(data.due_at ?? ''),
        by: data.ended_by ?? '',
        reason: data.reason ?? '',
      });
    default:
      // A newer server knows more kinds than this page.
      return '';
  }
}
