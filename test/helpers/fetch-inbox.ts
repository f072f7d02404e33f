// Asks /dev/inbox with its secret, as a browser does that opened the link of the start banner.

import { inboxSecret } from '../../server/mail/inbox-secret.ts';
import type { TestApp } from './app.ts';

export function fetchInbox(app: TestApp, path = '/dev/inbox', accept = 'text/html'): Promise<Response> {
  const authorization = `Bearer ${inboxSecret(app.services)}`;
  return fetch(app.url + path, { headers: { accept, authorization } });
}
