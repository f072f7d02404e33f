// Tests stand in test/<room>/ or beside pure source. One embedded cluster for the whole run, a fresh database per app.
// Files share two processes, so that what they import is read twice in a run and not a hundred times.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}', 'server/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
    globalSetup: ['test/helpers/cluster.ts'],
    setupFiles: ['test/helpers/left-as-found.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    // supabase-js says so in every file on Node 20; it works there, and the smoke walk proves it.
    onConsoleLog: (text) => (text.includes('Node.js 20 and below are deprecated') ? false : undefined),
  },
});
