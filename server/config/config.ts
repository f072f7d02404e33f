// Every setting of the service, grouped by the room that obeys it. Read once at start by `read-config.ts`.

import { backupSettings } from './backup.ts';
import { billingSettings } from './billing.ts';
import { dataSettings } from './data.ts';
import { databaseSettings } from './database.ts';
import { docsSettings } from './docs.ts';
import { filesSettings } from './files.ts';
import { identitySettings } from './identity.ts';
import { importsSettings } from './imports.ts';
import { landingSettings } from './landing.ts';
import { mailSettings } from './mail.ts';
import { pushSettings } from './push.ts';
import { realtimeSettings } from './realtime.ts';
import { serverSettings } from './server.ts';
import type { ValuesOf } from './setting.ts';
import { tracingSettings } from './tracing.ts';
import { webhooksSettings } from './webhooks.ts';

export const settings = {
  server: serverSettings,
  database: databaseSettings,
  data: dataSettings,
  docs: docsSettings,
  realtime: realtimeSettings,
  files: filesSettings,
  identity: identitySettings,
  backup: backupSettings,
  imports: importsSettings,
  mail: mailSettings,
  push: pushSettings,
  webhooks: webhooksSettings,
  tracing: tracingSettings,
  landing: landingSettings,
  billing: billingSettings,
} as const;

export type Config = { readonly [Room in keyof typeof settings]: ValuesOf<(typeof settings)[Room]> };
