// A refusal in a person's words: what happened and what to do next.

import { t } from '../strings/messages.ts';
import { Refusal } from '../sync/door.ts';

export function sayRefusal(reason: unknown): string {
  if (!(reason instanceof Refusal)) return reason instanceof Error ? reason.message : String(reason);
  return reason.task === null ? sayReason(reason) : t('common.pair', { name: reason.task, value: sayReason(reason) });
}

type Words = (reason: Refusal) => string;

const busy: Words = () => t('common.refused.busy');
const gone: Words = () => t('common.refused.gone');
const value: Words = () => t('common.refused.value');

/** What stands behind the colon of the details: keys of tasks, names of fields. */
const named = (reason: Refusal): string => reason.details?.replace(/^[^:]*:\s*/, '') ?? '';

/** By code, as docs/errors.md has them, and by SQLSTATE. */
const byCode: Readonly<Record<string, Words>> = {
  KB001: (reason) => t('common.refused.blocked', { keys: named(reason) || t('task.history.aTask') }),
  KB002: () => t('common.refused.circle'),
  KB003: () => t('settings.lastOwner'),
  KB004: () => t('common.refused.neighbour'),
  KB005: () => t('common.refused.member'),
  KB006: () => t('common.refused.factor'),
  KB007: () => t('common.refused.unconfirmed'),
  KB008: () => t('common.refused.outline'),
  KB009: () => t('common.refused.deep'),
  KB010: (reason) => t('common.refused.subtasks', { keys: named(reason) || t('task.history.aTask') }),
  KB011: (reason) => t('common.refused.emptyFields', { fields: named(reason) }),
  KB012: () => t('common.refused.manyFields'),
  KB014: value,
  KB015: value,
  KB020: ({ sentence }) => {
    const [, groups] = sentence.split('brings this person into the project: ');
    return groups === undefined ? t('common.refused.taken') : t('common.refused.brought', { groups });
  },
  KB022: gone,
  KB021: () => t('common.refused.restricted'),
  KB429: () => t('common.refused.budget'),
  KB016: () => t('common.refused.manyTemplates'),
  KB017: () => t('common.refused.overtaken'),
  KB018: () => t('common.refused.manyReactions'),
  PT402: sayLimit,
  provider: sayOther,
  PT409: () => t('common.refused.subscribed'),
  PGRST116: gone,
  42501: () => t('common.refused.forbidden'),
  23503: gone,
  23505: () => t('common.refused.taken'),
  // A rule of the table; its name, which the data door says nowhere but in the message, is none of the reader's business.
  23514: (reason) =>
    reason.message.includes('start_not_after_due') ? t('task.datesWrong') : t('common.refused.value'),
  // Values that are missing, too long, too large or none of their type.
  22001: value,
  22003: value,
  22007: value,
  22008: value,
  22021: value,
  '22P02': value,
  23502: value,
  // It took too long, or others held what it needed.
  40001: busy,
  '40P01': busy,
  '55P03': busy,
  57014: busy,
};

const byStatus: Readonly<Record<number, Words>> = {
  401: () => t('common.refused.signedOut'),
  403: () => t('common.refused.forbidden'),
  404: gone,
  413: () => t('common.refused.large'),
  429: busy,
  500: () => t('common.refused.broken'),
  502: busy,
  503: busy,
  504: busy,
};

function sayReason(reason: Refusal): string {
  if (reason.unreachable) return t('common.refused.unreachable');
  return (byCode[reason.code] ?? byStatus[reason.status] ?? sayOther)(reason);
}

/** Its figures are in the details: "projects: 3". */
function sayLimit(reason: Refusal): string {
  const [, what, limit] = /^(projects|members_per_project): (\d+)$/.exec(reason.details ?? '') ?? [];
  if (what === undefined) return sayOther(reason);
  return t('common.refused.plan', { n: Number(limit), what });
}

/** A mistake of ours rather than of the reader's: in the server's own words, for whoever mends it. */
function sayOther({ sentence, hint }: Refusal): string {
  const stop = /[.!?]$/.test(sentence) ? '' : '.';
  return t('common.refused.other', { words: `${capital(sentence)}${stop}${hint ? ` ${hint}` : ''}` });
}

function capital(sentence: string): string {
  return sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1);
}
