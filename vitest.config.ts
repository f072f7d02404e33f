// Tests stand in test/<room>/ or beside pure source. One embedded cluster for the whole run, a fresh database per app.
// Files share three processes, so that what they import is read three times in a run and not a hundred times.

import { defineConfig } from 'vitest/config';
import { messages } from './scripts/generate/messages.ts';

export default defineConfig({
  plugins: [messages],
  test: {
    include: ['test/**/*.test.{ts,tsx}', 'server/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
    globalSetup: ['test/helpers/cluster.ts'],
    setupFiles: [
      'test/helpers/left-as-found.ts',
      'test/helpers/seed.ts',
      'test/helpers/english.ts',
      'test/helpers/tries.ts',
    ],
    pool: 'forks',
    isolate: false,
    // One more than the processors it is meant for: browser tests wait a fifth of their time.
    maxWorkers: 3,
    // Nothing is said about speed here: what is awaited comes, or the test fails, and a busy machine is no fault.
    // Two tries more where many things run at once; `npm test` names what passed only then.
    retry: process.env.CI ? 2 : 0,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
    expect: { poll: { timeout: 45_000 } },
    // supabase-js says so in every file on Node 20; it works there, and the smoke walk proves it.
    onConsoleLog: (text) => (text.includes('Node.js 20 and below are deprecated') ? false : undefined),
  },
});
