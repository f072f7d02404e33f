// Accounts, tokens and how people sign in.

import { readGroupPairs } from './group-pairs.ts';
import { networks } from './networks.ts';
import { choice, flag, list, optionalFlag, optionalText, text, whole } from './setting.ts';

const day = 86_400;
const year = 365 * day;

function hostName(value: string): string {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(value)) throw new Error('a host name in small letters, such as example.com');
  return value;
}

function hostNames(value: string): readonly string[] {
  const names = value.split(',').map((part) => part.trim().replace(/^@/, '').toLowerCase());
  for (const name of names)
    if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name)) throw new Error('mail domains such as example.com, example.org');
  return names;
}

function origins(value: string): readonly string[] {
  const parts = value.split(',').map((part) => part.trim());
  for (const part of parts) {
    const page = URL.canParse(part) && /^https?:$/.test(new URL(part).protocol) && new URL(part).origin === part;
    if (!page && !/^android:apk-key-hash:[\w-]+$/.test(part))
      throw new Error('origins such as https://app.example.com, without a path, and android:apk-key-hash:…');
  }
  return parts;
}

function pagePath(value: string): string {
  if (!/^\/[\w./~-]*$/.test(value) || value.startsWith('//')) throw new Error('a path such as /oauth/consent');
  return value;
}

export const identitySettings = {
  passwordMin: whole('AUTH_PASSWORD_MIN', { min: 6, max: 72 }, { meaning: 'Shortest password accepted.', fallback: 6 }),
  refuseCommonPasswords: flag('AUTH_REFUSE_COMMON_PASSWORDS', {
    meaning: 'Refuses the passwords that guessers try first.',
    fallback: false,
  }),
  signUp: choice('AUTH_SIGN_UP', ['open', 'invited', 'domains', 'off'], {
    meaning:
      'Who can create their own account: everybody; people with an open invitation; addresses of AUTH_SIGN_UP_DOMAINS; nobody.',
    fallback: 'open',
  }),
  signUpDomains: {
    ...list('AUTH_SIGN_UP_DOMAINS', {
      meaning: 'Email domains whose addresses can sign up: alone (domains) or besides invited people (invited).',
      fallback: [],
    }),
    read: hostNames,
  },
  disableSignup: flag('AUTH_DISABLE_SIGNUP', {
    meaning: 'The same as AUTH_SIGN_UP=off; the service key can still create and invite accounts.',
    fallback: false,
  }),
  groupsMadeBy: choice('GROUPS_MADE_BY', ['operators', 'everyone'], {
    meaning: 'Who makes groups of people: administrators; everybody who is signed in.',
    fallback: 'operators',
  }),
  autoconfirm: optionalFlag('AUTH_AUTOCONFIRM', {
    meaning: 'New accounts don’t have to confirm their address.',
    fallbackText: 'true only when no email can be sent',
  }),
  anonymous: flag('AUTH_ANONYMOUS', { meaning: 'Allows anonymous sign-in.', fallback: false }),
  manualLinking: flag('AUTH_MANUAL_LINKING', { meaning: 'People may link and unlink identities.', fallback: false }),
  redirectUrls: list('AUTH_REDIRECT_URLS', {
    meaning:
      'Addresses beside SITE_URL that a sign-in may return to; * is a part between dots and slashes, ** anything, ? one character, [a-z] one of those.',
    fallback: [],
  }),
  tokenLifetime: whole(
    'AUTH_TOKEN_LIFETIME',
    { min: 30, max: 7 * day },
    { meaning: 'Seconds an access token is valid.', fallback: 3600 },
  ),
  refreshGrace: whole(
    'AUTH_REFRESH_GRACE',
    { min: 0, max: 300 },
    {
      meaning:
        'Seconds in which a session’s earlier refresh tokens may be used again (racing tabs); the one before the last, until its successor is used.',
      fallback: 10,
    },
  ),
  sessionLifetime: whole(
    'AUTH_SESSION_LIFETIME',
    { min: 0, max: 10 * year },
    {
      meaning: 'Seconds after which a session ends in any case; 0: never.',
      fallback: 0,
    },
  ),
  sessionInactivity: whole(
    'AUTH_SESSION_INACTIVITY',
    { min: 0, max: 10 * year },
    {
      meaning: 'Seconds without a refresh after which a session ends; 0: never.',
      fallback: 0,
    },
  ),
  mailTokenLifetime: whole(
    'AUTH_MAIL_TOKEN_LIFETIME',
    { min: 60, max: 7 * day },
    {
      meaning: 'Seconds a link or code in an email is valid.',
      fallback: 3600,
    },
  ),
  codeLength: whole(
    'AUTH_CODE_LENGTH',
    { min: 6, max: 10 },
    { meaning: 'Digits of the codes in emails.', fallback: 6 },
  ),
  flowLifetime: whole(
    'AUTH_FLOW_LIFETIME',
    { min: 60, max: 3600 },
    {
      meaning: 'Seconds a sign-in may take between leaving and coming back.',
      fallback: 300,
    },
  ),
  mailInterval: whole(
    'AUTH_MAIL_INTERVAL',
    { min: 0, max: day },
    {
      meaning: 'Seconds between two emails of one kind to one address.',
      fallback: 60,
    },
  ),
  mailConfirmPage: flag('AUTH_MAIL_CONFIRM_PAGE', {
    meaning: 'Emailed links open a page with one button, so that scanners don’t use them up.',
    fallback: true,
  }),
  secureEmailChange: flag('AUTH_SECURE_EMAIL_CHANGE', {
    meaning: 'A new email address is confirmed at the old one too.',
    fallback: true,
  }),
  reauthenticate: flag('AUTH_REAUTHENTICATE', {
    meaning: 'A session older than a day needs a code from an email to change the password.',
    fallback: false,
  }),
  providerMetadata: flag('AUTH_PROVIDER_METADATA', {
    meaning:
      'Puts provider and providers into app_metadata of every account, as Supabase does, not only with an outside provider.',
    fallback: false,
  }),
  mfaMaxFactors: whole(
    'AUTH_MFA_MAX_FACTORS',
    { min: 1, max: 100 },
    { meaning: 'Authenticators an account may have for two-factor authentication.', fallback: 10 },
  ),
  passkeys: flag('AUTH_PASSKEYS', { meaning: 'Allows sign-in with passkeys.', fallback: true }),
  relyingPartyName: text('AUTH_RELYING_PARTY_NAME', {
    meaning: 'The name authenticator apps and passkeys show.',
    fallback: 'Kanbase',
  }),
  relyingPartyId: {
    ...optionalText('AUTH_RELYING_PARTY_ID', {
      meaning: 'The host name passkeys belong to: that of the pages, or a domain above it.',
      fallbackText: 'the host of SITE_URL',
    }),
    read: hostName,
  },
  relyingPartyOrigins: {
    ...list('AUTH_RELYING_PARTY_ORIGINS', {
      meaning: 'Origins of pages (and android:apk-key-hash:… of apps) that may use passkeys.',
      fallback: [],
      fallbackText: 'SITE_URL',
    }),
    read: origins,
  },
  oauthClients: choice('AUTH_OAUTH_CLIENTS', ['registered', 'documents', 'open'], {
    meaning:
      'Programs that may ask people for access: those an administrator registered; also those whose client id is the address of their metadata document; also those that register themselves.',
    fallback: 'documents',
  }),
  oauthDocumentNetworks: {
    ...list('AUTH_OAUTH_DOCUMENT_NETWORKS', {
      meaning:
        'Networks of your own where metadata documents of programs and custom providers may be, beside the public internet.',
      fallback: [],
    }),
    read: networks,
  },
  oauthConsentPath: {
    ...text('AUTH_OAUTH_CONSENT_PATH', {
      meaning: 'Page below SITE_URL where people let programs in; authorization_id is added to it.',
      fallback: '/oauth/consent',
    }),
    read: pagePath,
  },
  claimsHook: optionalText('AUTH_CLAIMS_HOOK', {
    meaning: 'A Postgres function (schema.name) that may add claims to tokens: jsonb in, jsonb out.',
  }),
  googleClientId: optionalText('GOOGLE_CLIENT_ID', {
    meaning: 'Sign-in with Google: client id; further ids after a comma are accepted in ID tokens (mobile apps).',
    fallbackText: 'off',
  }),
  googleClientSecret: optionalText('GOOGLE_CLIENT_SECRET', {
    meaning: 'Sign-in with Google: client secret.',
    secret: true,
  }),
  googleIssuer: optionalText('GOOGLE_ISSUER', {
    meaning: 'Another OpenID Connect issuer in place of Google (a test issuer).',
    fallbackText: 'https://accounts.google.com',
  }),
  oidcName: text('AUTH_OIDC_NAME', {
    meaning: 'Name of your own OpenID Connect provider, as clients ask for it.',
    fallback: 'oidc',
  }),
  oidcIssuer: optionalText('AUTH_OIDC_ISSUER', {
    meaning: 'Issuer address of your own OpenID Connect provider.',
    fallbackText: 'off',
  }),
  oidcClientId: optionalText('AUTH_OIDC_CLIENT_ID', { meaning: 'Client id at your OpenID Connect provider.' }),
  oidcClientSecret: optionalText('AUTH_OIDC_CLIENT_SECRET', {
    meaning: 'Client secret at your OpenID Connect provider.',
    secret: true,
  }),
  oidcScopes: text('AUTH_OIDC_SCOPES', {
    meaning: 'Scopes asked for at your OpenID Connect provider.',
    fallback: 'openid email profile',
  }),
  oidcTrustEmail: flag('AUTH_OIDC_TRUST_EMAIL', {
    meaning: 'Takes email addresses from your OpenID Connect provider as verified, even if it doesn’t say so.',
    fallback: false,
  }),
  oidcGroupsClaim: optionalText('AUTH_OIDC_GROUPS_CLAIM', {
    meaning: 'Claim of your own OpenID Connect provider that lists the groups of a person; dots lead into objects.',
    fallbackText: 'off',
  }),
  oidcGroups: {
    ...list('AUTH_OIDC_GROUPS', {
      meaning:
        'Which of those count, as value=name of the group, separated by commas, or as a JSON object; empty: all, by their values.',
      fallback: [],
    }),
    read: readGroupPairs,
  },
  oidcMore: optionalText('AUTH_OIDC_MORE', {
    meaning:
      'Further OpenID Connect providers: a JSON list of {name, issuer, clientId, clientSecret, scopes, trustEmail, groupsClaim, groups}.',
    secret: true,
  }),
  signUpLimit: whole(
    'AUTH_LIMIT_SIGN_UP',
    { min: 0, max: 1_000_000 },
    {
      meaning: 'Sign-ups per address in five minutes; 0: no limit.',
      fallback: 30,
    },
  ),
  signInLimit: whole(
    'AUTH_LIMIT_SIGN_IN',
    { min: 0, max: 1_000_000 },
    {
      meaning: 'Sign-ins per address in five minutes; 0: no limit.',
      fallback: 150,
    },
  ),
  failureLimit: whole(
    'AUTH_LIMIT_FAILURES',
    { min: 0, max: 1_000_000 },
    {
      meaning: 'Wrong passwords for one account from one address in five minutes; 0: no limit.',
      fallback: 10,
    },
  ),
  guessLimit: whole(
    'AUTH_LIMIT_GUESSES',
    { min: 0, max: 1_000_000 },
    {
      meaning:
        'Wrong passwords or codes for one account in a day, all addresses together; devices and networks its owner was signed in on count apart. 0: no limit.',
      fallback: 100,
    },
  ),
  refreshLimit: whole(
    'AUTH_LIMIT_REFRESH',
    { min: 0, max: 1_000_000 },
    {
      meaning: 'Token refreshes per address, and tokens per client of a service account, in five minutes; 0: no limit.',
      fallback: 150,
    },
  ),
  verifyLimit: whole(
    'AUTH_LIMIT_VERIFY',
    { min: 0, max: 1_000_000 },
    {
      meaning: 'Codes and links tried per address in five minutes; 0: no limit.',
      fallback: 30,
    },
  ),
  anonymousLimit: whole(
    'AUTH_LIMIT_ANONYMOUS',
    { min: 0, max: 1_000_000 },
    {
      meaning: 'Anonymous sign-ins per address in an hour; 0: no limit.',
      fallback: 30,
    },
  ),
  mailLimit: whole(
    'AUTH_LIMIT_MAIL',
    { min: 0, max: 1_000_000 },
    {
      meaning: 'Emails asked for per address in an hour; 0: no limit.',
      fallback: 30,
    },
  ),
  factorLimit: whole(
    'AUTH_LIMIT_FACTOR',
    { min: 0, max: 1_000_000 },
    {
      meaning: 'Two-factor challenges and codes per account in a minute; 0: no limit.',
      fallback: 15,
    },
  ),
  limitExempt: {
    ...list('AUTH_LIMIT_EXEMPT', {
      meaning: 'Addresses or networks exempt from limits by address; never one that a proxy asks from.',
      fallback: [],
    }),
    read: networks,
  },
  sharedLimits: optionalFlag('AUTH_SHARED_LIMITS', {
    meaning: 'Counts in Postgres, so that several nodes count together.',
    fallbackText: 'true with DATABASE_URL',
  }),
  auditDays: whole(
    'AUTH_AUDIT_DAYS',
    { min: 0, max: 3650 },
    { meaning: 'Days the audit log is kept; 0: no limit.', fallback: 90 },
  ),
  sessionIdleDays: whole(
    'AUTH_SESSION_IDLE_DAYS',
    { min: 0, max: 3650 },
    {
      meaning: 'Days after which a session nobody refreshed is deleted; 0: never.',
      fallback: 180,
    },
  ),
  anonymousDays: whole(
    'AUTH_ANONYMOUS_DAYS',
    { min: 0, max: 3650 },
    {
      meaning: 'Days after which an anonymous account nobody used is deleted; 0: never.',
      fallback: 0,
    },
  ),
} as const;
