// A plugin of Vite that writes service-worker.js: web/service-worker.js behind the name of the build and all files that the app's
// page may ever ask for, at once or on demand. The landing page's own files are not among them.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { OutputBundle } from 'rolldown';
import type { Plugin } from 'vite';
import { manifests } from './generate/pages.ts';

const source = fileURLToPath(new URL('../web/service-worker.js', import.meta.url));
const icons = fileURLToPath(new URL('../web/public/icons', import.meta.url));

export const workerOfPages: Plugin = {
  name: 'worker-of-pages',
  // After Vite's own plugins have said which sheets and files a chunk brings.
  enforce: 'post',
  generateBundle(_options, bundle) {
    const entry = Object.values(bundle).find(
      (part) => part.type === 'chunk' && part.isEntry && part.facadeModuleId?.endsWith('/app.html'),
    );
    if (entry === undefined) throw new Error('The app has no page in this build');
    this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: worker(entry.fileName, bundle) });
  },
  configureServer(server) {
    // While developing nothing is kept; push messages come all the same.
    server.middlewares.use('/service-worker.js', (_request, response) => {
      response.setHeader('content-type', 'text/javascript').end(text({ main: 'development', files: [] }));
    });
  },
};

function worker(main: string, bundle: OutputBundle): string {
  const files = [...filesOf(main, bundle)].map((file) => `/${file}`);
  const always = ['favicon.svg', ...manifests, ...readdirSync(icons).map((name) => `icons/${name}`)];
  return text({ main: `/${main}`, files: [...files, ...always.map((name) => `/${name}`)].sort() });
}

function text(build: { readonly main: string; readonly files: readonly string[] }): string {
  return `const build = ${JSON.stringify(build)};\n${readFileSync(source, 'utf8')}`;
}

/** All that a chunk imports, at once or on demand, with sheets, fonts and pictures. */
function filesOf(main: string, bundle: OutputBundle): ReadonlySet<string> {
  const files = new Set<string>();
  const walk = (name: string): void => {
    if (files.has(name)) return;
    files.add(name);
    const part = bundle[name];
    if (part?.type === 'asset') {
      // A sheet names its fonts and pictures.
      for (const [, file = ''] of String(part.source).matchAll(/url\(["']?\/?(assets\/[^"')?#]+)/g)) walk(file);
      return;
    }
    if (part === undefined) return;
    const brought = part.viteMetadata;
    for (const next of [...part.imports, ...part.dynamicImports]) walk(next);
    for (const next of [...(brought?.importedCss ?? []), ...(brought?.importedAssets ?? [])]) walk(next);
  };
  walk(main);
  return files;
}
