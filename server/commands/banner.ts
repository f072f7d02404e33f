// Writes the start banner: addresses, keys, data directory, links that hold a secret, and warnings.

import { inboxLink } from '../mail/inbox-secret.ts';
import type { Services } from '../services.ts';

export function writeBanner(
  services: Services,
  place: { embedded: boolean; dataDir: string; operatorLink: string | null },
): string {
  const { serverVersion } = services.database;
  const version = `Postgres ${Math.floor(serverVersion / 10_000)}.${serverVersion % 10_000}`;
  const data = place.embedded
    ? `${place.dataDir} (${version})`
    : `your own ${version}; files and secrets in ${place.dataDir}`;
  const inbox = inboxLink(services);
  return [
    '',
    '  Kanbase is ready.',
    '',
    `  Address      ${services.siteUrl}`,
    `  Anon key     ${services.sessions.anonKey}`,
    `  Data         ${data}`,
    '  Service key  npx kanbase keys',
    ...(place.operatorLink === null
      ? []
      : [
          '',
          `  Admin        ${place.operatorLink}`,
          '               No administrator yet. Open this link while signed in to become the administrator (works once, valid 24 hours).',
        ]),
    ...(inbox === null
      ? []
      : [
          '',
          `  Inbox        ${inbox}`,
          '               No mail server is set (SMTP_URL), so email is kept there. This link opens it: keep it to yourself.',
        ]),
    ...warnOfOpenSignUp(services.config),
    '',
  ].join('\n');
}

/** Handy on one's own machine, and not meant for a network: an account needs no confirmed address. */
function warnOfOpenSignUp({ server, identity, mail }: Services['config']): string[] {
  const confirmed = !(identity.autoconfirm ?? mail.smtpUrl === null);
  if (!['0.0.0.0', '::'].includes(server.host) || identity.disableSignup || identity.signUp === 'off' || confirmed)
    return [];
  const whose = { open: 'any', invited: 'an invited', domains: 'an accepted' } as const;
  return [
    '',
    `  Sign-up      Anyone who reaches port ${server.port} can sign up with ${whose[identity.signUp]} address, without confirming it.`,
    '               Set HOST=127.0.0.1 to serve only this machine, SMTP_URL to confirm addresses, or AUTH_SIGN_UP=off.',
  ];
}
