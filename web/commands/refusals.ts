// A refusal in a person's words: what happened and what to do next.

import { words } from '../strings/words.ts';
import { Refusal } from '../sync/door.ts';

export function sayRefusal(reason: unknown): string {
  const say = words.common.refused;
  if (!(reason instanceof Refusal)) return reason instanceof Error ? reason.message : String(reason);
  if (reason.unreachable) return say.unreachable;
  if (reason.code === 'KB001') return say.blocked(reason.details?.replace(/^[^:]*:\s*/, '') ?? '');
  if (reason.code === 'KB004') return say.neighbour;
  if (reason.code === 'KB006') return say.factor;
  if (reason.code === '42501' || reason.status === 403) return say.forbidden;
  if (reason.status === 404 || reason.code === 'PGRST116' || reason.code === '23503') return say.gone;
  if (reason.status === 401) return say.signedOut;
  if (reason.code === '23505') return say.taken;
  // A rule of the table; its name is none of the reader's business.
  if (reason.code === '23514')
    return reason.message.includes('start_not_after_due') ? words.task.datesWrong : say.value;
  if (reason.status === 429 || reason.status === 503) return say.busy;
  const hint = reason.hint ? ` ${reason.hint}` : '';
  return `${capital(reason.message)}${/[.!?]$/.test(reason.message) ? '' : '.'}${hint}`;
}

function capital(sentence: string): string {
  return sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1);
}
