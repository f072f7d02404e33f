// `kanbase serve` in words. What it does is in `run-serve.ts`, loaded only when it is asked for: other commands start quicker so.

import type { Command } from './command.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Serve everything: pages, app and API. What `npm start` does.',
  about:
    'Stops on SIGTERM, SIGINT and SIGHUP: no new connections, requests in flight finish (bounded by SHUTDOWN_TIMEOUT_MS), exit 0.',
  run: async (call) => (await import('./run-serve.ts')).runServe(call),
};
