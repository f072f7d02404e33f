// Resolves with the first signal that asks the process to stop. A second one ends it at once.

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export function untilStopped(): Promise<string> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of signals)
      process.on(signal, () => {
        if (asked && signal === 'SIGINT') process.exit(130);
        asked = true;
        resolve(signal);
      });
  });
}
