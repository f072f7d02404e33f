// Scopes of a program as a person is asked about them: what it sees of them, and one level of what it may do in projects.

const personScopes = ['profile', 'email', 'phone'] as const;
const levels = ['none', 'read', 'comment', 'write'] as const;
export type Level = (typeof levels)[number];

/** Who somebody is comes with every sign-in. */
export function personScopesOf(scopes: readonly string[]): readonly (typeof personScopes)[number][] {
  return personScopes.filter((one) => scopes.includes(one) || (one === 'profile' && scopes.includes('openid')));
}

/** Up to what is asked for, the least first; none at all where it asks for no project. */
export function levelsOf(scopes: readonly string[]): readonly Level[] {
  const most = levels.findLast((one) => scopes.includes(one));
  return most === undefined ? [] : levels.slice(0, levels.indexOf(most) + 1);
}

/** What is granted: everything about the person, and projects up to a level. */
export function scopesUpTo(scopes: readonly string[], level: Level): readonly string[] {
  const reach: readonly string[] = levels.slice(0, levels.indexOf(level) + 1);
  return scopes.filter((one) => !(levels as readonly string[]).includes(one) || reach.includes(one));
}
