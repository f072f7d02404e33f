// Builds web/ into dist/web: three pages of their own (landing, app, errors) and hashed assets beside them.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const page = (name: string) => fileURLToPath(new URL(`./web/${name}.html`, import.meta.url));

/** What several pages have in common stands once, in web/landing/parts: `<!-- part: head -->` is replaced by head.html. */
const parts: Plugin = {
  name: 'parts-of-pages',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html.replace(/<!-- part: ([\w-]+) -->/g, (_all, name: string) =>
        readFileSync(new URL(`./web/landing/parts/${name}.html`, import.meta.url), 'utf8').trimEnd(),
      ),
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('./web', import.meta.url)),
  publicDir: fileURLToPath(new URL('./web/public', import.meta.url)),
  base: '/',
  plugins: [react(), parts],
  build: {
    outDir: fileURLToPath(new URL('./dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Inlined files would need data: in more of the content policy than images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        index: page('index'),
        app: page('app'),
        404: page('404'),
        error: page('error'),
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/auth/v1', '/auth/callback', '/rest/v1'].map((path) => [
        path,
        process.env.KANBASE_URL ?? 'http://localhost:3000',
      ]),
    ),
  },
});
