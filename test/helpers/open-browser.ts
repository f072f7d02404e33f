// A real Chromium for tests: the one `npm test` found, or the one Debian installs. Each test takes a context of its own,
// which is a browser nobody has used before.

import { type Browser, chromium } from 'playwright-core';

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.KANBASE_BROWSER ?? '/usr/bin/chromium',
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-default-apps',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}
