// Answers that are the same for every address must also take the same time: what is done for an account (a few more rows
// written) would be heard otherwise. They leave on the beat after the work is done.

const beatMs = 50;

export async function onTheBeat<T>(work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await work();
  } finally {
    const wait = beatMs - ((performance.now() - started) % beatMs);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
