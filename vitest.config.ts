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
  },
});
