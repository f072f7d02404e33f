// Settings that the server puts into every page, in a meta tag: the public key and the enabled features.

import type { Price } from '../../contract/price.ts';

export interface PageSettings {
  readonly anonKey: string;
  readonly billing: { readonly prices: readonly Price[] } | null;
  readonly providers: readonly string[];
  /** What the buttons of some say. */
  readonly providerNames?: Readonly<Record<string, string>>;
  /** There is a mail server. */
  readonly mail: boolean;
  /** There is none, and what would have been sent can be read at /dev/inbox by who has its link. */
  readonly mailKept: boolean;
  /** The landing page asks for addresses. */
  readonly leads: boolean;
  readonly magicLink: boolean;
  readonly passkeys: boolean;
  readonly passwordMin: number;
  readonly siteUrl: string;
  /** False: no new accounts are made by signing up. */
  readonly signup: boolean;
  /** Who may sign up, where that is not everybody. */
  readonly signupFor: { readonly invited: boolean; readonly domains: readonly string[] } | null;
}

const silence: PageSettings = {
  anonKey: '',
  billing: null,
  providers: [],
  mail: false,
  mailKept: false,
  leads: false,
  magicLink: false,
  passkeys: false,
  passwordMin: 6,
  siteUrl: '',
  signup: true,
  signupFor: null,
};

export function readPageSettings(page: Document): PageSettings {
  const content = page.querySelector('meta[name="kanbase-settings"]')?.getAttribute('content') ?? '{}';
  const given = JSON.parse(content) as Partial<PageSettings>;
  return { ...silence, ...given };
}
