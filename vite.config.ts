// Builds web/ into dist/web: three pages of their own (landing, app, errors) and hashed assets beside them.

import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const page = (name: string) => fileURLToPath(new URL(`./web/${name}.html`, import.meta.url));

export default defineConfig({
  root: fileURLToPath(new URL('./web', import.meta.url)),
  publicDir: fileURLToPath(new URL('./web/public', import.meta.url)),
  base: '/',
  plugins: [react()],
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
        'sign-in': page('sign-in'),
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
