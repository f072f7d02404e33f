// A Chromium for the browser tests: one that is installed, else Debian's through apt where that is possible,
// else Playwright's own download. Returns a path, or a message that says what to do; and the same Chromium built without
// windows where there is one, which runs the pages with a third less work.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptInstall } from './apt.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome', 'microsoft-edge'];
const shellName = 'chromium-headless-shell';
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
];

export async function findBrowser({ fetch = true } = {}) {
  const given = process.env.KANBASE_BROWSER;
  if (given)
    return existsSync(given) ? { path: given } : { message: `KANBASE_BROWSER is ${given}, but there is no such file.` };
  if (fetch && onPath([shellName]) === undefined) aptInstall([shellName]);
  const shell = onPath([shellName]);
  const installed = onPath() ?? places.find((place) => existsSync(place)) ?? (await playwrights());
  if (installed) return { path: installed, shell };
  if (fetch) {
    if (aptInstall(['chromium'])) {
      const fromApt = onPath();
      if (fromApt) return { path: fromApt, shell };
    }
    console.error('Downloading a browser for the tests (once) …');
    spawnSync(process.execPath, [join('node_modules', 'playwright-core', 'cli.js'), 'install', shellName], {
      stdio: ['ignore', 2, 2],
      timeout: 300_000,
    });
    const downloaded = await playwrights();
    if (downloaded) return { path: downloaded };
  }
  return { message: 'No browser can be had: install Chromium or Chrome, or set KANBASE_BROWSER to the path of one.' };
}

function onPath(wanted = names) {
  const directories = (process.env.PATH ?? '').split(delimiter);
  for (const name of wanted)
    for (const directory of directories)
      if (directory && existsSync(join(directory, name))) return join(directory, name);
  return undefined;
}

async function playwrights() {
  try {
    const { chromium } = await import('playwright-core');
    const path = chromium.executablePath();
    return path && existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
