// Fetches a part of the app. Browsers remember for as long as the page stands that a module could not be fetched, so it is asked for again under
// another address; what it imports keeps its own.

/** How the next attempt is told from those before, by address. */
const attempts = new Map<string, number>();

export async function loadModule<M>(load: () => Promise<M>): Promise<M> {
  try {
    return await load();
  } catch (error) {
    const address = /https?:\S+/.exec(error instanceof TypeError ? error.message : '')?.[0];
    if (address === undefined) throw error;
    return again(address);
  }
}

/** Whoever comes later gets what came, at the same address. */
async function again<M>(address: string): Promise<M> {
  const attempt = attempts.get(address) ?? 1;
  attempts.set(address, attempt);
  try {
    return (await import(/* @vite-ignore */ `${address}?attempt=${attempt}`)) as M;
  } catch (error) {
    if (attempts.get(address) === attempt) attempts.set(address, attempt + 1);
    throw error;
  }
}
