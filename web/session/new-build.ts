// The build this page belongs to and the one the server has: keeps the pages for a time without a network (web/service-worker.js), and says when
// the server has others.

const worker = '/service-worker.js';

/** Milliseconds between two looks, whatever happens meanwhile; a server that came back is asked at once. */
const calm = 10 * 60_000;
/** And to the next one after one that nobody answered. */
const soon = 15_000;

/** What the page itself was started with. */
const ours = (): string =>
  new URL(document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? location.href).pathname;

export interface BuildWatch {
  /** Asks now. */
  look(): void;
  end(): void;
}

/** Calls back once, when the server has another build than this page: at the first look, this page came from what the device keeps. */
export function watchBuild(onNewBuild: (isFirstLook: boolean) => void): BuildWatch {
  let lookedAt = Date.now();
  let isFirst = true;
  let ended = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  const registered = keepPages();

  async function look(): Promise<void> {
    if (ended) return;
    lookedAt = Date.now();
    clearTimeout(again);
    const answer = await askServer();
    if (ended) return;
    // Without a network `online` asks again.
    if (answer === 'none' && navigator.onLine) again = setTimeout(lookNow, soon);
    const isFirstLook = isFirst;
    if (answer !== 'none') isFirst = false;
    if (answer !== 'another') return;
    ended = true;
    // What it needs without a network is fetched before the page is loaded anew; nobody waits for it where the page is in use.
    const renewed = registered.then(renew).catch(() => undefined);
    if (isFirstLook) await Promise.race([renewed, new Promise((resolve) => setTimeout(resolve, soon))]);
    onNewBuild(isFirstLook);
  }
  const lookSometimes = (): void => {
    if (document.visibilityState === 'visible' && Date.now() - lookedAt > calm) void look();
  };
  const lookNow = (): void => void look();

  const ticking = setInterval(lookSometimes, calm);
  window.addEventListener('focus', lookSometimes);
  window.addEventListener('online', lookNow);
  return {
    look: lookNow,
    end() {
      ended = true;
      clearInterval(ticking);
      clearTimeout(again);
      window.removeEventListener('focus', lookSometimes);
      window.removeEventListener('online', lookNow);
    },
  };
}

/** Until the worker of the new build has taken the place of the one before. */
async function renew(registration: ServiceWorkerRegistration | undefined): Promise<void> {
  await registration?.update();
  const coming = registration?.installing ?? registration?.waiting;
  if (!coming) return;
  await new Promise<void>((resolve) => {
    coming.addEventListener('statechange', () => {
      if (coming.state === 'activated' || coming.state === 'redundant') resolve();
    });
  });
}

async function keepPages(): Promise<ServiceWorkerRegistration | undefined> {
  // Without a safe connection there is none; the app works as it did.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return undefined;
  try {
    return await navigator.serviceWorker.register(worker);
  } catch {
    return undefined;
  }
}

/** False also where nobody answers. */
export async function hasServerAnother(): Promise<boolean> {
  return (await askServer()) === 'another';
}

/** Which build the server has; `none` where nobody answers. */
async function askServer(): Promise<'ours' | 'another' | 'none'> {
  try {
    const page = await fetch('/app', {
      cache: 'no-cache',
      headers: { accept: 'text/html' },
      signal: AbortSignal.timeout(10_000),
    });
    if (!page.ok) return 'none';
    return (await page.text()).includes(`"${ours()}"`) ? 'ours' : 'another';
  } catch {
    return 'none';
  }
}

const reloadedFrom = 'kanbase-reloaded-from';

/** Once for each build: a page that is old again after it would load itself for ever. */
export function reloadOnce(): boolean {
  try {
    if (sessionStorage.getItem(reloadedFrom) === ours()) return false;
    sessionStorage.setItem(reloadedFrom, ours());
  } catch {
    return false;
  }
  location.reload();
  return true;
}
