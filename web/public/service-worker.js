// Shows push messages and opens what they are about. It answers no requests of pages: those go to the server as without it.

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const message = event.data?.json() ?? {};
  const { title = 'Kanbase', body = '', url = '/app/inbox', tag = '', unread = 0 } = message;
  const shown = self.registration.showNotification(title, {
    body,
    tag,
    renotify: tag !== '',
    icon: '/favicon.svg',
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
