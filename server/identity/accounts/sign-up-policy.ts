// Sign-up policy: everybody, invited people, addresses of some mail domains, or nobody. Every door that creates accounts asks here, except
// for the service key, whose holder decides.

import { sql } from '../../database/sql.ts';
import { refuse } from '../errors.ts';
import type { IdentityContext, Settings } from '../identity-context.ts';
import type { Db } from '../types.ts';

export type SignUpPolicy = 'open' | 'invited' | 'domains' | 'off';

export function signUpPolicy(settings: Settings): SignUpPolicy {
  return settings.disableSignup ? 'off' : settings.signUp;
}

/** An account without an address (an anonymous one) is made only where everybody may have one. */
export async function maySignUp(context: IdentityContext, db: Db, email: string | null): Promise<boolean> {
  const policy = signUpPolicy(context.settings);
  if (policy === 'open') return true;
  if (policy === 'off' || email === null) return false;
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (context.settings.signUpDomains.includes(domain)) return true;
  if (policy === 'domains') return false;
  const [row] = await db.query<{ invited: boolean }>(sql`select auth.is_invited(${email}) as invited`);
  return row?.invited === true;
}

export async function requireSignUp(context: IdentityContext, db: Db, email: string | null): Promise<void> {
  if (!(await maySignUp(context, db, email))) throw signUpRefused(context.settings);
}

/** GoTrue's words, and after them what would be accepted. */
export function signUpRefused(settings: Settings): Error {
  const { signUpDomains: domains } = settings;
  const named = domains.map((domain) => `@${domain}`).join(', ');
  const accepted = {
    open: '',
    off: '',
    domains: named === '' ? '' : `: only for addresses at ${named}`,
    invited: named === '' ? ': only for invited addresses' : `: only for invited addresses and those at ${named}`,
  }[signUpPolicy(settings)];
  return refuse('signup_disabled', `Signups not allowed for this instance${accepted}`);
}
