// The one way out: the official client for /auth/v1 and /rest/v1 on our own origin, and how a refusal is put in words.

import { createBrowserClient } from '@supabase/ssr';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { PageSettings } from './page-settings.ts';
import { type Database, readingProcedures } from './procedures.ts';

type Client = SupabaseClient<Database>;

/** Knows every table and procedure the server has, and nothing that scripts/stub-supabase-modules.ts leaves out. */
export type Door = Omit<Client, 'auth' | 'functions' | 'storage'> & {
  readonly auth: Omit<Client['auth'], 'signInWithWeb3'>;
  /** Where something is sent again: the versions, by table and key, of the rows that it changes. */
  readonly basedOn?: ReadonlyMap<string, number>;
};

export type Procedures = Database['public']['Functions'];

export const sessionCookie = 'sb-kanbase-auth-token';

/** With this a procedure that counts from today counts from the day it is here. */
export const asOfHere = `timezone=${Intl.DateTimeFormat().resolvedOptions().timeZone}`;

/** What the data door answers to a session that still owes its second factor. */
const needsSecondFactor = 'KB006';

/** Asked without a session: an invitation or a join link is shown to whoever holds it. */
const publicPaths = ['/rest/v1/rpc/invitation_details', '/rest/v1/rpc/join_link_details'];

const readingPaths: ReadonlySet<string> = new Set(readingProcedures.map((name) => `/rest/v1/rpc/${name}`));

/** What Postgres says when others were in the way: a deadlock, a conflict of transactions, a lock that was not had in time. */
const transactionConflict = /^(40\w{3}|55P03)$/;

/** Milliseconds for an answer to come in full. Writes are small, and whoever waits for one wants to know that it hangs. */
const timeouts = { read: 60_000, write: 20_000 } as const;

const isReading = (method: string, path: string): boolean => method === 'GET' || readingPaths.has(path);

export const timeoutFor = (method: string, path: string): number =>
  timeouts[isReading(method, path) ? 'read' : 'write'];

/** So often a question is asked of a server that is too busy and says in how many seconds it may be asked again. */
const triesWhileBusy = 3;

async function askUntilServed(ask: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await ask();
    const seconds = response.status === 503 ? response.headers.get('retry-after') : null;
    if (seconds === null || tries === triesWhileBusy) return response;
    // Whoever was sent away in the same moment doesn't come back in the same moment.
    const wait = Math.min(Number(seconds) || 0, 5) * 1000 * (1 + Math.random());
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

export function openDoor(settings: PageSettings, origin: string): Door {
  let isChecking = false;
  const checkOnce = (check: (door: Door) => Promise<void>): void => {
    if (isChecking) return;
    isChecking = true;
    void check(door).finally(() => {
      isChecking = false;
    });
  };
  const door: Door = createBrowserClient<Database>(origin, settings.anonKey, {
    isSingleton: false,
    // Whoever asks here asks again by itself, and says meanwhile that nobody answers.
    db: { retry: false },
    global: {
      fetch: askAsOurselves(settings.anonKey, (asked, init) => fetch(asked, init), {
        onRefused: () => checkOnce(renew),
        onNoSession: () => checkOnce(signOutIfEnded),
      }),
    },
    cookieOptions: { name: sessionCookie, secure: origin.startsWith('https:'), sameSite: 'lax', path: '/' },
  });
  return door;
}

/** Whoever listens to the session learns what became of it: a new token, or that it is over. */
async function renew(door: Door): Promise<void> {
  const { error } = await door.auth.refreshSession();
  const refused = error?.status !== undefined && error.status >= 400 && error.status < 500 && error.status !== 429;
  // The client keeps a token that looks good for as long as it would be; the server has just refused it.
  if (refused) await door.auth.signOut({ scope: 'local' });
}

/** A session that could not be refreshed stays here and may be yet; one that is gone from this browser was ended by another window. */
async function signOutIfEnded(door: Door): Promise<void> {
  const { data, error } = await door.auth.getSession();
  if (data.session === null && error === null) await door.auth.signOut({ scope: 'local' });
}

/**
 * Rows are only ever asked for with a session. When a token could not be refreshed the client would ask without a session, and get
 * no rows: that counts as not reached. A request without a response in time does, too. A busy server is asked again when it says so, unless
 * something is written: that may have been done.
 */
export function askAsOurselves(
  anonKey: string,
  ask: typeof fetch,
  { onRefused, onNoSession }: { readonly onRefused: () => void; readonly onNoSession: () => void },
): typeof fetch {
  return async (asked, init) => {
    const address = asked instanceof Request ? asked.url : String(asked);
    const withoutSession = new Headers(init?.headers).get('authorization') === `Bearer ${anonKey}`;
    const path = new URL(address).pathname;
    const rows = path.startsWith('/rest/v1/');
    const open = publicPaths.includes(path);
    if (withoutSession && rows && !open) {
      onNoSession();
      throw new TypeError('The session could not be refreshed');
    }
    const method = init?.method ?? 'GET';
    const signal = init?.signal ?? AbortSignal.timeout(timeoutFor(method, path));
    const once = (): Promise<Response> => ask(asked, { ...init, signal });
    const response = await (rows && isReading(method, path) ? askUntilServed(once) : once());
    // The session has ended elsewhere, or owes its second factor now.
    if (rows && (response.status === 401 || response.headers.get('proxy-status')?.includes(needsSecondFactor)))
      onRefused();
    return response;
  };
}

/** How `apply_changes` begins a refusal, in every language: the data door leaves no other room for the task beside code, details and hint. */
const namedTask = /^([A-Z0-9]{2,6}-\d+): /;

/** A mutation or request that the server refused, with its reason as the data API gives it. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly status: number,
    readonly details: string | null = null,
    readonly hint: string | null = null,
  ) {
    super(message);
    this.name = 'Refusal';
  }

  /** Of many things at once, the task that could not be changed: "WEB-12". */
  get task(): string | null {
    return namedTask.exec(this.message)?.[1] ?? null;
  }

  /** The message without it. */
  get sentence(): string {
    return this.message.replace(namedTask, '');
  }

  /** Nobody answered: the network, not the server, is the reason. */
  get unreachable(): boolean {
    return this.status === 0;
  }

  /** Says nothing about what was asked: the same may well be accepted later, or after signing in again. */
  get isTemporary(): boolean {
    const isConflict = this.code === needsSecondFactor || transactionConflict.test(this.code);
    return this.unreachable || isConflict || [401, 429, 502, 503, 504].includes(this.status);
  }
}

interface ClientResult<T> {
  readonly data: T | null;
  readonly error: { message: string; code?: string; details?: string | null; hint?: string | null } | null;
  readonly status: number;
  readonly count?: number | null;
}

/** The data of a result, or its refusal thrown. */
export function dataOf<T>(result: ClientResult<T>): T {
  if (result.error) {
    const { message, code, details, hint } = result.error;
    throw new Refusal(message, code ?? '', result.status, details ?? null, hint ?? null);
  }
  return result.data as T;
}
