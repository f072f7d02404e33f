// A refusal in a person's words: what happened and what to do next.

import { t } from '../strings/messages.ts';
import { Refusal } from '../sync/door.ts';

export function sayRefusal(reason: unknown): string {
  if (!(reason instanceof Refusal)) return reason instanceof Error ? reason.message : String(reason);
  return reason.task === null ? sayReason(reason) : `${reason.task}: ${sayReason(reason)}`;
}

function sayReason(reason: Refusal): string {
  if (reason.unreachable) return t('common.refused.unreachable');
  if (reason.code === 'KB001')
    return t('common.refused.blocked', { keys: reason.details?.replace(/^[^:]*:\s*/, '') || t('task.history.aTask') });
  if (reason.code === 'KB002') return t('common.refused.circle');
  if (reason.code === 'KB003') return t('settings.lastOwner');
  if (reason.code === 'KB005') return t('common.refused.member');
  if (reason.code === 'KB007') return t('common.refused.unconfirmed');
  if (reason.code === 'KB004') return t('common.refused.neighbour');
  if (reason.code === 'KB006') return t('common.refused.factor');
  if (reason.code === '42501' || reason.status === 403) return t('common.refused.forbidden');
  if (reason.status === 404 || reason.code === 'PGRST116' || reason.code === '23503') return t('common.refused.gone');
  if (reason.status === 401) return t('common.refused.signedOut');
  if (reason.code === '23505') return t('common.refused.taken');
  // A rule of the table; its name, which the data door says nowhere but in the message, is none of the reader's business.
  if (reason.code === '23514')
    return reason.message.includes('start_not_after_due') ? t('task.datesWrong') : t('common.refused.value');
  if (reason.status === 429 || reason.status === 503) return t('common.refused.busy');
  const hint = reason.hint ? ` ${reason.hint}` : '';
  const { sentence } = reason;
  return `${capital(sentence)}${/[.!?]$/.test(sentence) ? '' : '.'}${hint}`;
}

function capital(sentence: string): string {
  return sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1);
}
