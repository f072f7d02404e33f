// The session's ports on the official client: cookies, /auth/v1 and the profile row.

import { storedName } from '../sync/device-storage.ts';
import type { Door } from '../sync/door.ts';
import { dataOf, sessionCookie } from '../sync/door.ts';
import { forgetPerson } from '../sync/sync.ts';
import type { LiveSession, ProfileColumns, SessionPorts } from './session.ts';
import { isExpired, isServerThere, readStoredSession } from './stored-session.ts';

/** Milliseconds for the profile at the start: without a network the app opens without it. */
const profileTimeout = 5000;

/** `hearLanguage`: what the account says of the language it wants, when a session begins. */
export function sessionPorts(door: Door, hearLanguage: (language: unknown) => void): SessionPorts {
  /** The token is over, and nobody was there to renew it. */
  let unrenewed = false;
  return {
    async restore() {
      const kept = await readStoredSession(document.cookie);
      unrenewed = kept !== null && isExpired(kept) && !(await isServerThere());
      if (unrenewed) return live(kept);
      const { data } = await door.auth.getSession();
      hearLanguage(data.session?.user.user_metadata.language);
      return live(data.session);
    },
    async readProfile(userId) {
      if (unrenewed) return null;
      const asked = door.from('profiles').select('id,display_name,avatar_url').eq('id', userId);
      const row = dataOf(await within(profileTimeout, asked.maybeSingle<ProfileColumns>()));
      rememberProfile(userId, row);
      return row;
    },
    rememberedProfile,
    listen(listener) {
      const { data } = door.auth.onAuthStateChange((event, session) => {
        // The client has no session to announce as long as it cannot renew it; that it is over is said by another event.
        if (unrenewed && event === 'INITIAL_SESSION' && session === null) return;
        unrenewed = false;
        if (event === 'SIGNED_IN') hearLanguage(session?.user.user_metadata.language);
        listener(event, live(session));
      });
      return () => data.subscription.unsubscribe();
    },
    async signOutRemotely() {
      const { error } = await door.auth.signOut({ scope: 'local' });
      if (error) throw error;
    },
    async clearLocally() {
      dropSessionCookies(document);
      for (const name of Object.keys(localStorage)) if (name.startsWith(sessionCookie)) localStorage.removeItem(name);
    },
    forget: forgetPerson,
    setTimer: (work, ms) => setTimeout(work, ms),
    clearTimer: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
  };
}

const profileName = (userId: string): string => storedName(userId, 'profile');

function rememberedProfile(userId: string): ProfileColumns | null {
  try {
    return JSON.parse(localStorage.getItem(profileName(userId)) ?? 'null') as ProfileColumns | null;
  } catch {
    return null;
  }
}

function rememberProfile(userId: string, row: ProfileColumns | null): void {
  try {
    localStorage.setItem(profileName(userId), JSON.stringify(row));
  } catch {
    // A full device waits for the server.
  }
}

function within<T>(ms: number, work: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('nobody has answered in time')), ms);
    work.then(resolve, reject).then(() => clearTimeout(timer));
  });
}

interface ClientSession {
  readonly access_token: string;
  readonly user: {
    readonly id: string;
    readonly email?: string;
    readonly factors?: readonly { readonly status: string }[];
    readonly app_metadata?: Readonly<Record<string, unknown>>;
  };
}

export function live(session: ClientSession | null): LiveSession | null {
  if (session === null) return null;
  const { id, email = '', factors = [], app_metadata: hints } = session.user;
  const { aal, mfa_pending } = claimsOf(session.access_token);
  const enrolled = factors.some((factor) => factor.status === 'verified');
  const user = { id, email, ...(hints?.operator === true ? { operator: true as const } : {}) };
  return { user, factorDue: mfa_pending === true || (enrolled && aal !== 'aal2') };
}

/** What the token says of its session. Only for showing the right page: the server decides by itself, whatever we read. */
function claimsOf(token: string): { readonly aal?: string; readonly mfa_pending?: boolean } {
  try {
    return JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))) as object;
  } catch {
    return {};
  }
}

/** The session may span several cookies (`name.0`, `name.1`, …). */
export function dropSessionCookies(page: { cookie: string }): void {
  for (const pair of page.cookie.split(';')) {
    const name = pair.split('=')[0]?.trim() ?? '';
    if (name === sessionCookie || name.startsWith(`${sessionCookie}.`) || name.startsWith(`${sessionCookie}-`))
      page.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Lax`;
  }
}
