// A real Chromium for tests: the one `npm test` found, or the one Debian installs. Each test takes a context of its own,
// which is a browser nobody has used before. Most take Chromium as it is built without windows: the same pages with a third
// less work, but without what belongs to the window, such as the viewer of PDFs. One may also be had whose machine falls asleep.

import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const whole = () => process.env.KANBASE_BROWSER ?? '/usr/bin/chromium';
const debians = '/usr/bin/chromium-headless-shell';
const shell = () =>
  process.env.KANBASE_BROWSER_SHELL ??
  (process.env.KANBASE_BROWSER === undefined && existsSync(debians) ? debians : whole());

// Without listeners for signals: those of all browsers go with the last one, and the kept one lives as long as the process. It goes too when
// the pipe to it is closed.
const options = (executablePath: string) => ({
  executablePath,
  headless: true,
  handleSIGINT: false,
  handleSIGTERM: false,
  handleSIGHUP: false,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-sync',
    '--no-first-run',
    // A page that follows another one of the same site takes over its process, with all that is compiled in it.
    '--process-per-site',
    // A page lives for seconds here: making its script quick costs a fifth more work than it saves.
    '--js-flags=--no-opt --no-maglev',
  ],
});

export function openBrowser(): Promise<Browser> {
  return chromium.launch(options(shell()));
}

let kept: Promise<Browser> | null = null;

/** One for all files of this process. It ends with it. */
export async function keptBrowser(): Promise<Browser> {
  const one = await kept;
  if (one?.isConnected()) return one;
  kept = chromium.launch(options(shell()));
  return kept;
}

/** With all that a person's browser has. */
export function openWholeBrowser(): Promise<Browser> {
  return chromium.launch(options(whole()));
}

export interface Laptop {
  readonly browser: Browser;
  /** None of its processes runs any more, and none has been told. */
  closeLid(): void;
  openLid(): void;
  /** Its sockets are closed by the system, and nobody says goodbye. */
  crash(): void;
  close(): Promise<void>;
}

export async function openLaptop(): Promise<Laptop> {
  const server = await chromium.launchServer(options(whole()));
  const browser = await chromium.connect(server.wsEndpoint());
  const group = -(server.process().pid ?? 0);
  return {
    browser,
    closeLid: () => void process.kill(group, 'SIGSTOP'),
    openLid: () => void process.kill(group, 'SIGCONT'),
    crash: () => void process.kill(group, 'SIGKILL'),
    async close() {
      await browser.close().catch(() => undefined);
      await server.close();
    },
  };
}
