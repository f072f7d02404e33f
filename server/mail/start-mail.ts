// No mail leaves the house yet.

import type { House } from '../house.ts';

export async function startMail(_house: House): Promise<{ stop(): Promise<void> }> {
  return { stop: async () => undefined };
}
