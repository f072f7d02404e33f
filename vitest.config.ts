// Tests stand in test/<room>/ or beside pure source. One embedded cluster for the whole run, a fresh database per app.
// Files share three processes, so that what they import is read three times in a run and not a hundred times.

import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { hashOf } from './scripts/build.mjs';
import { messages } from './scripts/strings.mjs';

const long = /\/(commands|database|realtime)\/|\.browser\.|crashes|policies|moving/;

/** What takes long begins first, so that both processors have something to do to the end. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => long.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Modules that were transformed in an earlier run are taken from it: by their text, and by that of the plugin above. */
const kept: Plugin = {
  name: 'kept-modules',
  configureVitest({ experimental_defineCacheKeyGenerator: addToKey }) {
    const hash = hashOf(['scripts/strings.mjs', 'vitest.config.ts']);
    const texts = hashOf(['web/strings']);
    // A text may stand for one in another file.
    addToKey(({ id }) => (/\/server\/texts\/catalogs\.ts$|\/web\/strings\/.*\.json$/.test(id) ? hash + texts : hash));
  },
};

export default defineConfig({
  plugins: [messages, kept],
  test: {
    include: ['test/**/*.test.{ts,tsx}', 'server/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
    globalSetup: ['test/helpers/cluster.ts'],
    setupFiles: [
      'test/helpers/check-leftovers.ts',
      'test/helpers/seed.ts',
      'test/helpers/english.ts',
      'test/helpers/tries.ts',
    ],
    pool: 'forks',
    isolate: false,
    // One more than the processors it is meant for: browser tests wait a fifth of their time.
    maxWorkers: 3,
    // An order that is asked for, as by `--sequence.shuffle.files`, is kept.
    sequence: process.argv.some((word) => word.includes('shuffle')) ? {} : { sequencer: LongFirst },
    // Nothing is said about speed here: what is awaited comes, or the test fails, and a busy machine is no fault.
    // Two tries more where many things run at once; `npm test` names what passed only then.
    retry: process.env.CI ? 2 : 0,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
    expect: { poll: { timeout: 45_000 } },
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/test/modules' },
    // supabase-js says so in every file on Node 20; it works there, and the smoke walk proves it.
    onConsoleLog: (text) => (text.includes('Node.js 20 and below are deprecated') ? false : undefined),
  },
});
