// The roles one may give, by name.

import type { Role } from '../../queries.ts';
import { t } from '../../strings/messages.ts';

const roles: readonly Role[] = ['owner', 'editor', 'viewer'];

export function roleChoices() {
  return roles.map((role) => ({ value: role, label: t(`common.roles.${role}`) }));
}

/** Projects are owned by people. */
export const serviceRoles = () => roleChoices().filter(({ value }) => value !== 'owner');
