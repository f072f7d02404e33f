// Writes the start banner: addresses, keys, data directory and warnings.

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
  return [
    '',
    '  Kanbase is ready.',
    '',
    `  Address      ${services.siteUrl}`,
    `  Anon key     ${services.sessions.anonKey}`,
    `  Data         ${data}`,
    '  Service key  kanbase keys   (in a checkout: npm run kanbase keys)',
    ...(place.operatorLink === null
      ? []
      : [
          '',
          `  Operator     ${place.operatorLink}`,
          '               Nobody runs this server from its desk yet: the account that opens this link does. It works once, for a day.',
        ]),
    ...warnOfOpenSignUp(services.config),
    '',
  ].join('\n');
}

/** Handy on one's own machine, and not meant for a network: whoever reaches the port has an account at once. */
function warnOfOpenSignUp({ server, identity, mail }: Services['config']): string[] {
  const confirmed = !(identity.autoconfirm ?? mail.smtpUrl === null);
  if (!['0.0.0.0', '::'].includes(server.host) || identity.disableSignup || identity.signUp === 'off' || confirmed)
    return [];
  const whose = { open: 'any', invited: 'an invited', domains: 'an accepted' } as const;
  return [
    '',
    `  Open         Whoever reaches port ${server.port} of this machine can sign up, under ${whose[identity.signUp]} address, unconfirmed.`,
    '               For this machine alone: HOST=127.0.0.1. For others: SMTP_URL, so that addresses are confirmed, or AUTH_SIGN_UP=off.',
  ];
}
