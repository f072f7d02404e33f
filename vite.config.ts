// Builds web/ into dist/web: three pages of their own (landing, app, errors) and hashed assets beside them. `npx vite` serves them from their
// sources, and /ui, the page of all parts.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { ChunkingContext, CodeSplittingGroup } from 'rolldown';
import { defineConfig, type Plugin } from 'vite';
import { compressedFiles } from './scripts/compressed-files.ts';
import { messageKeys } from './scripts/generate/messages.ts';
import { pagesInLanguages } from './scripts/generate/pages.ts';
import { messages } from './scripts/strings.mjs';
import { stubSupabaseModules } from './scripts/stub-supabase-modules.ts';
import { layersOfStyles, nameOfClass } from './scripts/style-layers.ts';
import { workerOfPages } from './scripts/worker-of-pages.ts';
import { media } from './web/styles/media.ts';

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

const source = (path: string) => fileURLToPath(new URL(`./web/${path}`, import.meta.url));

/** All that a module imports, and what those import, at once rather than on demand. */
function reachedFrom(entry: string, context: ChunkingContext): ReadonlySet<string> {
  const reached = new Set<string>();
  const walk = (module: string): void => {
    if (reached.has(module)) return;
    reached.add(module);
    for (const next of context.getModuleInfo(module)?.importedIds ?? []) walk(next);
  };
  walk(entry);
  return reached;
}

/**
 * What the app needs at once comes in three files: forty small ones, packed each for itself, cost a twentieth more. The landing page needs
 * little, and fetches that alone.
 */
const firstLoad: CodeSplittingGroup = {
  debugName: 'first load',
  name: (id, context) => {
    const app = source('main.tsx');
    if (id === app || !reachedFrom(app, context).has(id)) return null;
    if (reachedFrom(source('landing/landing.ts'), context).has(id)) return null;
    if (/node_modules[\\/](react|react-dom|scheduler)[\\/]/.test(id)) return 'react';
    return id.includes('node_modules') ? 'libraries' : 'frame';
  },
  tags: ['$initial'],
};

/** What is fetched beside the first load; it stays as small as it is. */
const beside = ['main.tsx', 'landing/landing.ts', 'screens/projects/projects.tsx'];
/** What people who are not signed in see: it must not bring a board. */
const doors = ['screens/sign-in/sign-in.tsx', 'screens/invitation/invitation.tsx', 'screens/invitation/join.tsx'];

/** The icons that are named in what an entry reaches; the package itself reaches all it has. */
function iconsOf(entry: string, context: ChunkingContext): ReadonlySet<string> {
  const sources = [...reachedFrom(source(entry), context)].filter((id) => id.endsWith('.tsx'));
  const named = sources.flatMap((id) =>
    [...readFileSync(id, 'utf8').matchAll(/import \{([^}]*)\} from 'lucide-react'/g)].flatMap(([, names = '']) =>
      names.split(','),
    ),
  );
  return new Set(
    named.map((name) =>
      name
        .trim()
        .replaceAll(/(?<=[a-z])(?=[A-Z\d])/g, '-')
        .toLowerCase(),
    ),
  );
}

/**
 * A board is what people open most, and was forty files for each of which a request waited: what it has beyond those comes in two, with two more of what it
 * shares with the palette and a fifth of icons that other screens share.
 */
const board: CodeSplittingGroup = {
  debugName: 'board',
  name: (id, context) => {
    const icon = /node_modules[\\/]lucide-react[\\/].*[\\/]([\w-]+)\.m?js$/.exec(id)?.[1];
    if (icon) return beside.some((entry) => iconsOf(entry, context).has(icon)) ? null : 'icons';
    const isIn = (entry: string): boolean => reachedFrom(source(entry), context).has(id);
    if ([...beside, ...doors].some(isIn) || !['screens/project/project.tsx', 'screens/board/board.tsx'].some(isIn))
      return null;
    // The palette is fetched right after the first load.
    const whose = isIn('screens/search/palette.tsx') ? 'shared' : 'board';
    return id.includes('node_modules') ? `${whose}-libraries` : `${whose}-parts`;
  },
};

/** What screens with tasks ask and do beyond the first load: some twenty files of a kilobyte each otherwise. */
const rows: CodeSplittingGroup = {
  debugName: 'rows',
  name: 'rows',
  test: /[\\/]web[\\/](commands|queries|properties)[\\/]/,
  minShareCount: 8,
};

export default defineConfig({
  root: fileURLToPath(new URL('./web', import.meta.url)),
  publicDir: fileURLToPath(new URL('./web/public', import.meta.url)),
  base: '/',
  cacheDir: fileURLToPath(new URL('./.cache/vite', import.meta.url)),
  // All pages, also ui.html, which no build has: a package found later would load the page again.
  optimizeDeps: { entries: ['*.html'] },
  plugins: [
    react(),
    parts,
    { ...messages, api: { keys: messageKeys } },
    pagesInLanguages,
    workerOfPages,
    compressedFiles,
    stubSupabaseModules(),
  ],
  css: {
    postcss: { plugins: [layersOfStyles(media)] },
    modules: { localsConvention: 'dashesOnly', generateScopedName: nameOfClass },
  },
  build: {
    outDir: fileURLToPath(new URL('./dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // Inlined files would need data: in more of the content policy than images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // Nothing happens when a query or a command is loaded, so that those the first screens do not ask for come with the screens that do.
      treeshake: { moduleSideEffects: [{ test: /[\\/]web[\\/](queries|commands)([\\/]|\.ts$)/, sideEffects: false }] },
      input: {
        index: page('index'),
        app: page('app'),
        404: page('404'),
        error: page('error'),
      },
      output: { codeSplitting: { groups: [firstLoad, board, rows], includeDependenciesRecursively: false } },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/auth/v1', '/auth/callback', '/rest/v1', '/realtime/v1', '/storage/v1', '/scim/v2', '/mcp'].map(
        (path) => [path, { target: process.env.KANBASE_URL ?? 'http://localhost:3000', ws: path === '/realtime/v1' }],
      ),
    ),
  },
});
