// Public settings of the service for our pages: the doors that are open, never a secret. Read through the same public doors as everybody's,
// and cached for a few seconds.

import type { Price } from '../../contract/price.ts';
import { roomRoles } from '../database/room-roles.ts';
import { sql, statement } from '../database/sql.ts';
import { hasDevInbox } from '../http/has-dev-inbox.ts';
import type { Services } from '../services.ts';

export interface PublicSettings {
  readonly anonKey: string;
  readonly siteUrl: string;
  /** Null: payments are not configured, and no prices are shown. */
  readonly billing: { readonly prices: readonly Price[] } | null;
  /** Outside providers people can sign in with. */
  readonly providers: readonly string[];
  /** What the buttons of some say. */
  readonly providerNames: Readonly<Record<string, string>>;
  /** There is a mail server. */
  readonly mail: boolean;
  /** There is none, and what would have been sent can be read at /dev/inbox by who has its link. */
  readonly mailKept: boolean;
  /** The landing page asks for addresses. */
  readonly leads: boolean;
  readonly magicLink: boolean;
  readonly passkeys: boolean;
  readonly signup: boolean;
  /** Who may sign up, where that is not everybody. */
  readonly signupFor: { readonly invited: boolean; readonly domains: readonly string[] } | null;
  readonly passwordMin: number;
}

const cacheMs = 5000;

export function openPublicSettings(services: Services): () => Promise<PublicSettings> {
  let cached: { readonly until: number; readonly settings: Promise<PublicSettings> } | null = null;
  return () => {
    const now = Date.now();
    if (cached === null || cached.until < now) {
      const settings = readPublicSettings(services);
      cached = { until: now + cacheMs, settings };
      settings.catch(() => {
        cached = null; // the next one asks again
      });
    }
    return cached.settings;
  };
}

async function readPublicSettings(services: Services): Promise<PublicSettings> {
  const { config, sessions, siteUrl } = services;
  const [identity, billing] = await Promise.all([readIdentity(services), readBilling(services)]);
  const mail = config.mail.smtpUrl !== null;
  const mailKept = hasDevInbox(services);
  return {
    anonKey: sessions.anonKey,
    siteUrl,
    billing,
    providers: Object.entries(identity.external ?? {})
      .filter(([name, isOn]) => isOn && !notOutside.has(name))
      .map(([name]) => name),
    providerNames: Object.fromEntries((identity.custom_providers ?? []).map((one) => [one.identifier, one.name])),
    mail,
    mailKept,
    leads: config.landing.leadForm ?? mail,
    magicLink: mail && identity.external?.email !== false,
    passkeys: config.identity.passkeys,
    signup: identity.disable_signup !== true,
    signupFor:
      identity.sign_up === undefined || identity.sign_up.policy === 'open' || identity.sign_up.policy === 'off'
        ? null
        : { invited: identity.sign_up.policy === 'invited', domains: identity.sign_up.domains },
    passwordMin: config.identity.passwordMin,
  };
}

const notOutside = new Set(['email', 'phone', 'anonymous_users']);

interface IdentitySettings {
  readonly external?: Readonly<Record<string, boolean>>;
  readonly custom_providers?: readonly { readonly identifier: string; readonly name: string }[];
  readonly disable_signup?: boolean;
  readonly sign_up?: { readonly policy: string; readonly domains: readonly string[] };
}

async function readIdentity(services: Services): Promise<IdentitySettings> {
  const response = await services.fetch(`${services.siteUrl}/auth/v1/settings`, {
    headers: { apikey: services.sessions.anonKey },
  });
  if (!response.ok) throw new Error(`The identity door answered ${response.status} when asked for its settings`);
  return (await response.json()) as IdentitySettings;
}

async function readBilling(services: Services): Promise<PublicSettings['billing']> {
  if (services.config.billing.secretKey === null) return null;
  const prices = await services.database.objectsAs<Price>(
    roomRoles.pages,
    statement(sql`
      select price_id as id, name, mode, amount, currency, "interval", interval_count as "intervalCount"
      from billing.plans
      where is_offered and price_id <> 'free'
      order by position, amount nulls last, price_id
    `),
    { readOnly: true },
  );
  return { prices };
}
