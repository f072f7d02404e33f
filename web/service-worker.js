// The app's pages without a network, and push messages. The build puts its name and its files before this text (scripts/worker-of-pages.ts):
// `build.main` tells one build from another, `build.files` is all that the app may ask for. No row ever comes here: those are in IndexedDB.
// What is not a page of the app or a file of a build goes to the server as without a worker: the front page, every door, every write.

/* global build */

const prefix = 'kanbase-pages ';
const cacheName = prefix + build.main;
/** The one page behind every address of the app. */
const shell = '/app';
/** Kept beside it as long as the server is known to have another page there. */
const outdated = '/outdated';
/** What another app shares comes here as a form; its files wait in a cache of their own until the page has them (screens/share/shared-files.ts). */
const sharing = '/app/share';
const sharedName = 'kanbase-shared';
/** Milliseconds after which a page that is kept is better than one that may come. */
const pageTimeout = 3000;

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(keepBuild());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      await forgetOlderBuilds();
      await self.clients.claim();
    })(),
  );
});

/** All or nothing: half a build would be worse than the one before. */
async function keepBuild() {
  const cache = await caches.open(cacheName);
  try {
    const page = await fetch(shell, { cache: 'no-cache', credentials: 'omit' });
    const words = await page.text();
    if (!page.ok || page.redirected || !isOfThisBuild(words)) throw new Error('the server has another build by now');
    await cache.put(shell, new Response(words, { headers: page.headers }));
    // Files with a hash in their name may come from the browser's own cache: most of them were fetched by the page a moment ago.
    await Promise.all(build.files.map((file) => keepFile(cache, file)));
  } catch (reason) {
    await caches.delete(cacheName);
    throw reason;
  }
}

async function keepFile(cache, file) {
  const response = await fetch(file, { credentials: 'omit' });
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  await cache.put(file, response);
}

const isOfThisBuild = (page) => page.includes(`"${build.main}"`);

/** The build before stays: pages of it are still open, and ask for parts that the server may not have any more. */
async function forgetOlderBuilds() {
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // The server refuses what is not taken here.
  if (request.method === 'POST' && request.mode === 'navigate' && url.pathname === sharing && !isOfOtherSite(request))
    event.respondWith(takeShared(request));
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (url.pathname === shell || url.pathname.startsWith(`${shell}/`)) event.respondWith(openPage(event, url));
  } else if (url.pathname === shell) event.respondWith(lookForPage(request));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(openAsset(request, url.pathname));
  else if (build.files.includes(url.pathname)) event.respondWith(openFile(request, url.pathname));
});

/**
 * The kept page at once, while the server is asked for the next time. Where it is known to have another build, or the address chooses a language,
 * its own page comes first, and the kept one where nobody answers.
 */
async function openPage(event, url) {
  const cache = await caches.open(cacheName);
  const [kept, mark] = await Promise.all([cache.match(shell), cache.match(outdated)]);
  const asked = askForPage(event.request, cache);
  if (kept === undefined) return asked;
  event.waitUntil(asked.catch(() => undefined));
  if (mark === undefined && !url.searchParams.has('language')) return kept;
  const late = new Promise((resolve) => {
    setTimeout(resolve, pageTimeout);
  });
  const page = await Promise.race([asked.catch(() => undefined), late]);
  // A proxy in front of a server that is away answers for it.
  return page === undefined || page.status >= 502 ? kept : page;
}

/** A page that looks which build the server has. */
async function lookForPage(request) {
  return askForPage(request, await caches.open(cacheName));
}

async function askForPage(request, cache) {
  const page = await fetch(request);
  if (!page.ok || page.redirected) {
    // Somebody in between wants to be passed first, which the next load leads to.
    if (page.status < 502) await cache.put(outdated, new Response(''));
    return page;
  }
  const words = await page.text();
  const { status, headers } = page;
  if (isOfThisBuild(words)) {
    // The same build may have other settings by now.
    await cache.put(shell, new Response(words, { status, headers }));
    await cache.delete(outdated);
  } else await cache.put(outdated, new Response(''));
  return new Response(words, { status, headers });
}

/**
 * As far as a worker is told: it sees no Sec-Fetch-Site. Share sheets name no page, or the app itself; so does a page that hides where it is from,
 * and nothing is created before somebody presses the button.
 */
function isOfOtherSite({ headers, referrer }) {
  return [headers.get('origin'), referrer].some(
    (page) => /^https?:/.test(page) && new URL(page).origin !== self.location.origin,
  );
}

async function takeShared(request) {
  const form = await request.formData();
  const query = new URLSearchParams([...form].filter(([, value]) => typeof value === 'string'));
  const files = form.getAll('files').filter((file) => typeof file !== 'string' && file.size > 0);
  if (files.length > 0) query.set('files', await keepShared(files));
  return Response.redirect(`${sharing}?${query}`, 303);
}

/** In place of those that were shared before and never taken. How many; or that this device has no room for them. */
async function keepShared(files) {
  await caches.delete(sharedName);
  try {
    const cache = await caches.open(sharedName);
    for (const [at, file] of files.entries()) {
      const headers = { 'content-type': file.type, 'x-name': encodeURIComponent(file.name) };
      await cache.put(`${sharing}/${at}`, new Response(file, { headers }));
    }
    return String(files.length);
  } catch {
    await caches.delete(sharedName);
    return 'lost';
  }
}

async function openAsset(request, path) {
  return (await caches.match(path)) ?? fetch(request);
}

/** Its name stays while what is in it may change. */
async function openFile(request, path) {
  return fetch(request).catch(async () => (await caches.match(path)) ?? Response.error());
}

self.addEventListener('push', (event) => {
  const message = event.data?.json() ?? {};
  const { title = 'Kanbase', body = '', url = '/app/inbox', tag = '', unread = 0 } = message;
  const shown = self.registration.showNotification(title, {
    body,
    tag,
    renotify: tag !== '',
    icon: '/icons/icon-192.png',
    data: { url },
  });
  const marked = unread > 0 ? self.navigator.setAppBadge?.(unread) : undefined;
  event.waitUntil(Promise.all([shown, marked?.catch(() => undefined)]));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.url ?? '/app/inbox', self.location.origin);
  // Nothing but a page of ours.
  const target = url.origin === self.location.origin ? url.href : self.location.origin;
  event.waitUntil(
    (async () => {
      const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
      const page = pages.find((one) => new URL(one.url).pathname.startsWith('/app'));
      if (page === undefined) return self.clients.openWindow(target);
      await page.focus();
      return page.navigate(target).catch(() => self.clients.openWindow(target));
    })(),
  );
});
