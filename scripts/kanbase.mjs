#!/usr/bin/env node
// The `kanbase` command of the package. In a checkout it installs what is missing and builds what is stale first, so that
// `npx kanbase …` is one and the same line everywhere; in the package there is nothing to build.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { whenParentsGo } from './when-parents-go.mjs';

const here = dirname(fileURLToPath(import.meta.url));

if (existsSync(join(here, 'start.mjs'))) await import('./start.mjs');
else {
  // npx passes a signal to its shell alone: this process learns of it by losing its parents, and stops as it does for any other.
  whenParentsGo(() => process.kill(process.pid, 'SIGTERM'));
  await import('../dist/server/main.js');
}
