// What a person sees when the service is up.

import type { House } from '../house.ts';

export function writeBanner(house: House, place: { embedded: boolean; dataDir: string }): string {
  const { serverVersion } = house.database;
  const version = `Postgres ${Math.floor(serverVersion / 10_000)}.${serverVersion % 10_000}`;
  const data = place.embedded
    ? `${place.dataDir} (${version})`
    : `your own ${version}; files and secrets in ${place.dataDir}`;
  return [
    '',
    '  Kanbase is ready.',
    '',
    `  Address      ${house.siteUrl}`,
    `  Anon key     ${house.sessions.anonKey}`,
    `  Data         ${data}`,
    '  Service key  kanbase keys   (in a checkout: npm run kanbase keys)',
    '',
  ].join('\n');
}
