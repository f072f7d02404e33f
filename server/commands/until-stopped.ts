// Resolves with what asks the process to stop: a signal, or a fault that nobody caught, which is logged (scrubbed, unlike
// what Node would print) and ends the service in the orderly way. A second Ctrl-C or fault ends it at once.

import type { Logger } from 'pino';

export interface Stop {
  readonly reason: string;
  readonly exitCode: number;
}

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export function untilStopped(log: Logger): Promise<Stop> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of signals)
      process.on(signal, () => {
        if (asked && signal === 'SIGINT') process.exit(130);
        asked = true;
        resolve({ reason: signal, exitCode: 0 });
      });
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'a fault that nobody caught');
      if (asked) process.exit(1);
      asked = true;
      resolve({ reason: 'a fault', exitCode: 1 });
    });
  });
}
