// Detects a request to stop: a signal, the end of the parent process (`npm start` holds a channel open), or an uncaught fault, which is
// logged (scrubbed, unlike Node's own output). A second Ctrl-C or fault ends the process at once.

import type { Logger } from 'pino';

export interface Stop {
  readonly reason: string;
  readonly exitCode: number;
}

const signals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
/** One Ctrl-C arrives up to three times: from the terminal, from npm, and from the start script. */
const sameKeyMs = 1000;

/**
 * Calls back once, at the first request to stop; `exitCode` is what a shell expects of a command that was interrupted. Returns
 * how to stop listening.
 */
export function onStopRequest(callback: (stop: Stop) => void): () => void {
  let askedAt: number | null = null;
  const ask = (reason: string, exitCode: number): void => {
    if (askedAt !== null) return;
    askedAt = performance.now();
    callback({ reason, exitCode });
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    const exitCode = signals[signal as keyof typeof signals];
    if (signal === 'SIGINT' && askedAt !== null && performance.now() - askedAt > sameKeyMs) process.exit(exitCode);
    ask(signal, exitCode);
  };
  for (const signal of Object.keys(signals)) process.on(signal, onSignal);
  const abandoned = (): void => ask('the process that started this one has ended', signals.SIGTERM);
  if (process.connected === false) abandoned();
  else process.on('disconnect', abandoned);
  // The channel alone is no reason to stay.
  process.channel?.unref();
  return () => {
    for (const signal of Object.keys(signals)) process.off(signal, onSignal);
    process.off('disconnect', abandoned);
    // Whoever reads messages from it needs it again.
    if (process.listenerCount('message') > 0) process.channel?.ref();
  };
}

export function waitForStop(log: Logger): Promise<Stop> {
  return new Promise((resolve) => {
    onStopRequest(({ reason }) => resolve({ reason, exitCode: 0 }));
    let faults = 0;
    process.on('uncaughtException', (error) => {
      log.fatal({ err: error }, 'a fault that nobody caught');
      faults += 1;
      if (faults > 1) process.exit(1);
      resolve({ reason: 'a fault', exitCode: 1 });
    });
  });
}
