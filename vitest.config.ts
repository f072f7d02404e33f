// Tests stand in test/<room>/ or beside pure source. One embedded cluster for the whole run, a fresh database per app.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.{ts,tsx}', 'server/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
    globalSetup: ['test/helpers/cluster.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    // supabase-js says so in every file on Node 20; it works there, and the smoke walk proves it.
    onConsoleLog: (text) => (text.includes('Node.js 20 and below are deprecated') ? false : undefined),
  },
});
