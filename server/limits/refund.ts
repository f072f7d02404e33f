// A ration taken before a body is read, given back where the body turns out to ask for nothing that is counted.

import type { Limit, Limits } from './types.ts';

export async function refundUnless<T>(limits: Limits, limit: Limit, key: string, read: () => T): Promise<T> {
  try {
    return read();
  } catch (error) {
    await limits.give(limit, key);
    throw error;
  }
}
