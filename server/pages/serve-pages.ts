// The built pages: landing, sign-in, the app shell for every path under /app, and what belongs to them.
// Each page carries the public settings in a meta tag, so that it need not ask for them before it can draw.

import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unlisted } from '../http/describe-routes.ts';
import { chooseLanguage, pageLanguage } from '../http/page-language.ts';
import { sharedPageHeaders } from '../http/security-headers.ts';
import { loadStaticFiles, type StaticFile, sendStaticFile, staticFile } from '../http/static-files.ts';
import { packageRoot } from '../package-root.ts';
import type { Services } from '../services.ts';
import { pagesError } from './errors.ts';
import type { PublicSettings } from './public-settings.ts';

/** Of a public link, whose token stands after #. */
const sharedPage = '/share';

const pages: Readonly<Record<string, readonly string[]>> = {
  '/index.html': ['/'],
  '/app.html': [
    ...['/app', '/app/*', '/admin', '/admin/*', '/sign-in', '/sign-up', '/forgot', '/reset'],
    ...['/invitation', '/invitation/*', '/join', '/oauth/consent', '/oauth/device', sharedPage],
  ],
};

export async function servePages(
  app: FastifyInstance,
  services: Services,
  settings: () => Promise<PublicSettings>,
): Promise<void> {
  const files = loadStaticFiles(services.config.landing.webDir ?? join(packageRoot(), 'dist', 'web'));
  const drawn = new Map<string, { readonly from: string; readonly file: StaticFile }>();
  if (files.size === 0) services.log.warn('the pages are not built: run `npm run build`');

  // English stands in `/index.html`, German in `/index.de.html`.
  const languages = ['en', ...[...files.keys()].flatMap((path) => /^\/index\.(\w+)\.html$/.exec(path)?.[1] ?? [])];
  const pageIn = (request: FastifyRequest, reply: FastifyReply, page: string): string => {
    const language = pageLanguage(request, languages);
    const path = language === 'en' ? page : page.replace(/\.html$/, `.${language}.html`);
    if (!files.has(path)) return page;
    reply.headers({ 'content-language': language, vary: 'accept-language, cookie' });
    return path;
  };

  async function sendPage(request: FastifyRequest, reply: FastifyReply, asked: string): Promise<FastifyReply> {
    if (chooseLanguage(request, reply, languages)) return reply;
    const path = pageIn(request, reply, asked);
    const page = files.get(path);
    if (page === undefined) return sendStaticFile(request, reply, notBuilt);
    let known = drawn.get(path);
    try {
      const content = JSON.stringify(await settings());
      if (known?.from !== content) {
        known = { from: content, file: staticFile(fillSettings(page.body, content), page.type) };
        drawn.set(path, known);
      }
    } catch (error) {
      if (known === undefined) throw error; // a database that is away for a moment takes no page with it
      request.log.warn({ err: error }, 'a page was drawn with the settings of before');
    }
    if (request.routeOptions.url !== sharedPage) return sendStaticFile(request, reply, known.file);
    sharedPageHeaders(reply, services.config.server);
    return sendStaticFile(request, reply, { ...known.file, cacheControl: 'no-store' });
  }

  await app.register(async (door) => {
    door.setErrorHandler((thrown, request, reply) => {
      const { statusCode, status = statusCode } = Object(thrown);
      const isFault = !(thrown instanceof Error && Number(status) < 500);
      const page = files.get(pageIn(request, reply, '/error.html'));
      if (!isFault || page === undefined || !wantsPage(request)) throw thrown;
      request.log.error({ err: thrown }, 'a page could not be drawn');
      return sendStaticFile(request, reply.code(500), page);
    });
    for (const [file, paths] of Object.entries(pages))
      for (const path of paths) door.get(path, unlisted('A page'), (request, reply) => sendPage(request, reply, file));

    // What is shared with a phone comes as a form, which the worker of the pages takes. A device without one is told to share it again.
    const again = (request: FastifyRequest, reply: FastifyReply): void => {
      if (isOfOtherSite(request, services.siteUrl))
        throw pagesError('KB603', 'A page of another site can’t share anything with this one');
      void reply.redirect('/app/share?files=lost', 303);
    };
    door.post('/app/share', { ...unlisted('A page'), onRequest: again }, () => undefined);

    door.get('/*', unlisted('Files of the pages'), async (request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '/';
      const file = files.get(path);
      if (file !== undefined && !path.endsWith('.html')) return sendStaticFile(request, reply, file);
      if (!wantsPage(request) || !files.has('/404.html')) return reply.callNotFound();
      return sendPage(request, reply.code(404), '/404.html');
    });
  });
}

/** A share sheet is nobody's page (`none`) or speaks for the app itself; without HTTPS browsers name the page in Origin alone, which it may hide. */
function isOfOtherSite({ headers, host }: FastifyRequest, siteUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'none' && site !== 'same-origin';
  const { origin = '' } = headers;
  return URL.canParse(origin) && origin !== new URL(siteUrl).origin && new URL(origin).host !== host;
}

const placeholder = /(<meta\s+name="kanbase-settings"\s+content=")[^"]*(")/;

export function fillSettings(page: Buffer, json: string): Buffer {
  const escaped = json
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  const { siteUrl = '' } = JSON.parse(json) as { siteUrl?: string };
  return Buffer.from(
    page
      .toString('utf8')
      .replace(placeholder, (_all, before: string, after: string) => before + escaped + after)
      // Social previews need whole addresses.
      .replaceAll(
        '__SITE_URL__',
        siteUrl.replace(/\/$/, '').replaceAll(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`),
      ),
  );
}

function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') ?? false;
}

const notBuilt = staticFile(
  Buffer.from(
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Kanbase</title><h1>Kanbase is running</h1>' +
      '<p>Its pages are not built yet: run <code>npm run build</code> and start it again. The API is ready.</p></html>',
  ),
  'text/html; charset=utf-8',
);
