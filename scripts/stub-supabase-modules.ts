// Leaves out of the app's pages the parts of Supabase's clients that no screen calls: a seventh of the libraries that a first visit
// fetches. Empty classes stand in their places: `Door` (web/sync/door.ts) has no word for them, so that none is called. The client for
// administration stays: signing out goes through it.

import type { Plugin } from 'vite';

/** By what is imported, and the package that imports it. */
const stubbed: readonly { readonly from: string; readonly name: string; readonly exports: readonly string[] }[] = [
  { from: 'supabase-js', name: '@supabase/storage-js', exports: ['StorageApiError', 'StorageClient'] },
  {
    from: 'supabase-js',
    name: '@supabase/functions-js',
    exports: [
      'FunctionRegion',
      'FunctionsClient',
      'FunctionsError',
      'FunctionsFetchError',
      'FunctionsHttpError',
      'FunctionsRelayError',
    ],
  },
  { from: 'auth-js', name: './lib/web3/ethereum', exports: ['createSiweMessage', 'fromHex', 'getAddress', 'toHex'] },
];

const mark = '\0left-out:';

export function stubSupabaseModules(): Plugin {
  const found = new Set<string>();
  return {
    name: 'stub-supabase-modules',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: stubbed.map(({ name }) => new RegExp(`^${name.replaceAll('.', '\\.')}$`)) },
      handler(id, importer = '') {
        const part = stubbed.find(({ from, name }) => name === id && importer.includes(`/@supabase/${from}/`));
        if (part === undefined) return null;
        found.add(id);
        return mark + id;
      },
    },
    load: {
      filter: { id: new RegExp(`^${mark}`) },
      handler(id) {
        const names = stubbed.find(({ name }) => mark + name === id)?.exports ?? [];
        const said = names.map((name) => `empty as ${name}`).join(', ');
        return { code: `class empty {}\nexport { ${said} };`, moduleSideEffects: false };
      },
    },
    buildEnd(error) {
      const lacking = stubbed.filter(({ name }) => !found.has(name)).map(({ name }) => name);
      if (error === undefined && lacking.length > 0)
        throw new Error(
          `Supabase's clients no longer import ${lacking.join(', ')}: see scripts/stub-supabase-modules.ts`,
        );
    },
  };
}
