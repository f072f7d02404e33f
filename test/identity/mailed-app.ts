// An app that sends its mail to a catcher, and the few things tests do with links.

import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';
import { startMail } from '../../server/mail/start-mail.ts';
import { type AppOptions, startApp, type TestApp } from '../helpers/app.ts';
import { type CaughtMail, catchMail, type MailCatcher } from './mail-catcher.ts';

export interface MailedApp extends TestApp {
  readonly post: MailCatcher;
  /** The official client in the PKCE flow, with a memory of its own. */
  pkceClient(): SupabaseClient;
  /** Opens the link of a mail as its reader does: the page, then its button. Resolves with where that leads. */
  follow(mail: CaughtMail | string): Promise<URL>;
}

export async function startMailedApp(options: AppOptions = {}): Promise<MailedApp> {
  const post = await catchMail();
  const app = await startApp({
    ...options,
    settings: { SMTP_URL: post.url, AUTH_MAIL_INTERVAL: '0', ...options.settings },
  });
  const mail = await startMail(app.services);
  return {
    ...app,
    post,
    pkceClient: () => pkceClient(app),
    async follow(mail) {
      const link = new URL(typeof mail === 'string' ? mail : mail.link);
      const answer = await fetch(`${app.url}${link.pathname.replace('/confirm', '/verify')}${link.search}`, {
        redirect: 'manual',
      });
      const location = answer.headers.get('location');
      if (answer.status !== 303 || location === null) throw new Error(`${answer.status} ${await answer.text()}`);
      return new URL(location);
    },
    async close() {
      await mail.stop();
      await app.close();
      await post.close();
    },
  };
}

/** What a fragment carries. */
export function fragmentOf(url: URL): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(url.hash.slice(1)));
}

export function pkceClient(app: TestApp): SupabaseClient {
  const kept = new Map<string, string>();
  return createClient(app.url, app.anonKey, {
    auth: {
      flowType: 'pkce',
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storage: {
        getItem: (name) => kept.get(name) ?? null,
        setItem: (name, value) => void kept.set(name, value),
        removeItem: (name) => void kept.delete(name),
      },
    },
    realtime: { transport: WebSocket as never },
  });
}
