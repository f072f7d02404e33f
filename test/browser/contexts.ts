// Contexts to visit with. Each is like a browser nobody has used before, also one that an earlier visit had: its pages are closed, and
// cookies and all that a page can keep are cleared away. What stays is what the browser has fetched, compiled and started for these pages,
// which is most of the work of a short test.

import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core';

export interface Contexts {
  /** `options` beyond the usual ones. */
  take(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext>;
  giveBack(context: BrowserContext): Promise<void>;
  /** Closes what nobody gave back, and the rest but for what the next site with this address will use. */
  close(isLast: boolean): Promise<void>;
}

interface Kept {
  readonly context: BrowserContext;
  readonly browser: Browser;
  readonly origin: string;
  readonly options: string;
  /** Stays open, so that the process of its pages goes on. */
  readonly anchor: Page;
  readonly session: CDPSession;
  /** Something was done to it that cannot be undone, by whichever site visits with it. */
  isSpoilt: boolean;
}

/** Of this process, for all its files. */
const free: Kept[] = [];

/** All a page can keep, but for cookies. */
const storageTypes = 'local_storage,indexeddb,cache_storage,file_systems,storage_buckets';
/** What is done to a context and cannot be undone, so that it is not used again. */
const lasting = [
  ...['addInitScript', 'exposeBinding', 'exposeFunction', 'grantPermissions', 'clearPermissions', 'route'],
  ...['routeFromHAR', 'routeWebSocket', 'setExtraHTTPHeaders', 'setGeolocation', 'setOffline', 'setStorageState'],
];
const lastingOfClock = ['fastForward', 'install', 'pauseAt', 'resume', 'runFor', 'setFixedTime', 'setSystemTime'];

/** For the pages of one site. What `usual` has is what most visits are made with; `anchorPath` is one that needs no script. */
export function openContexts(usual: BrowserContextOptions & { baseURL: string }, anchorPath: string): Contexts {
  const { origin } = new URL(usual.baseURL);
  const taken = new Map<BrowserContext, Kept | null>();

  async function open(browser: Browser, options: BrowserContextOptions): Promise<Kept> {
    const context = await newContext(browser, options);
    const anchor = await context.newPage();
    await anchor.goto(anchorPath);
    const session = await context.newCDPSession(anchor);
    const kept: Kept = { context, browser, origin, options: JSON.stringify(options), anchor, session, isSpoilt: false };
    const spoil = (): void => {
      kept.isSpoilt = true;
    };
    watch(context, lasting, spoil);
    watch(context.clock, lastingOfClock, spoil);
    return kept;
  }

  async function takeKept(browser: Browser, { storageState, ...options }: BrowserContextOptions): Promise<Kept> {
    if (typeof storageState === 'string') throw new Error('storageState: give the state, not a file of it');
    const alike = JSON.stringify(options);
    const index = free.findLastIndex(
      (one) => one.browser === browser && one.origin === origin && one.options === alike,
    );
    const kept = free.splice(index, index < 0 ? 0 : 1)[0] ?? (await open(browser, options));
    const { context, anchor, session } = kept;
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
    await context.clearCookies();
    if (storageState !== undefined) {
      await context.addCookies(storageState.cookies);
      const items = storageState.origins.find((one) => one.origin === origin)?.localStorage ?? [];
      await anchor.evaluate((pairs) => {
        for (const { name, value } of pairs) localStorage.setItem(name, value);
      }, items);
    }
    return kept;
  }

  return {
    async take(browser, wanted) {
      const options = { ...usual, ...wanted };
      // What a service worker keeps outlives pages, and waits for all of them to close.
      const kept = options.serviceWorkers === 'block' ? await takeKept(browser, options) : null;
      const context = kept?.context ?? (await newContext(browser, options));
      taken.set(context, kept);
      return context;
    },
    async giveBack(context) {
      const kept = taken.get(context) ?? null;
      taken.delete(context);
      if (kept === null || kept.isSpoilt || !kept.browser.isConnected()) return context.close();
      await Promise.all(context.pages().map((page) => (page === kept.anchor ? undefined : page.close())));
      free.push(kept);
    },
    async close(isLast) {
      const most = JSON.stringify(usual);
      const over = free.filter((one) => one.origin === origin && (isLast || one.options !== most));
      for (const one of over) free.splice(free.indexOf(one), 1);
      await Promise.all([...taken.keys(), ...over.map(({ context }) => context)].map((context) => context.close()));
    },
  };
}

async function newContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  // Firefox and Safari on a desk have none; what needs it would fail there alone.
  if (!options.hasTouch) await context.addInitScript('delete window.TouchEvent');
  return context;
}

/** Tells when one of these methods is called. */
function watch(target: object, methods: readonly string[], tell: () => void): void {
  for (const name of methods) {
    const method: unknown = Reflect.get(target, name);
    if (typeof method !== 'function') throw new Error(`There is no ${name} in this version of Playwright`);
    Reflect.set(target, name, (...values: unknown[]) => {
      tell();
      return Reflect.apply(method, target, values);
    });
  }
}
