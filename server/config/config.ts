// Every setting of the service, grouped by the room that obeys it. Read once at start by `read-config.ts`.

import { billingSettings } from './billing.ts';
import { dataSettings } from './data.ts';
import { databaseSettings } from './database.ts';
import { docsSettings } from './docs.ts';
import { identitySettings } from './identity.ts';
import { landingSettings } from './landing.ts';
import { mailSettings } from './mail.ts';
import { serverSettings } from './server.ts';
import type { ValuesOf } from './setting.ts';

export const settings = {
  server: serverSettings,
  database: databaseSettings,
  data: dataSettings,
  docs: docsSettings,
  identity: identitySettings,
  mail: mailSettings,
  landing: landingSettings,
  billing: billingSettings,
} as const;

export type Config = { readonly [Room in keyof typeof settings]: ValuesOf<(typeof settings)[Room]> };
