// Scopes of keys, the projects that one reaches, and the line that says until when it works and when it was last used.

import { localDay, sayAgo, sayDay } from '../../queries/days/days.ts';
import { t } from '../../strings/messages.ts';

export const scopes = ['read', 'comment', 'write'] as const;

export function sayKeyUse(key: {
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly last_used_address?: string | null;
}): string {
  const { expires_at: until, last_used_at: used, last_used_address: address } = key;
  return [
    used === null ? t('keys.unused') : t('keys.used', { when: sayAgo(used) }),
    ...(address ? [address] : []),
    until === null ? t('keys.unlimited') : t('keys.until', { day: sayDay(localDay(new Date(until))) }),
  ].join(' · ');
}

export function sayReach(
  { project_ids: ids }: { readonly project_ids: readonly string[] | null },
  projects: readonly { readonly id: string; readonly name: string }[],
  all = t('keys.allProjects'),
): string {
  if (ids === null) return all;
  const names = projects.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  return names.length > 0 ? names.join(', ') : t('keys.projects', { n: ids.length });
}
