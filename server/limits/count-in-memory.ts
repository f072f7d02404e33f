// One token bucket per name and key, in a map that forgets the oldest when it is full: someone who comes from very many
// addresses can make us forget, but not make us run out of memory.

import { bucketName } from './bucket-name.ts';
import type { Limit, LimitResult, Limits } from './types.ts';

interface Bucket {
  points: number;
  readAt: number;
}

const mostBuckets = 100_000;

export function countInMemory(now: () => number = Date.now): Limits {
  const buckets = new Map<string, Bucket>();

  function count(limit: Limit, key: string, cost: 0 | 1): LimitResult {
    const name = bucketName(limit, key);
    const at = now();
    const perMs = limit.points / (limit.windowSeconds * 1000);
    const bucket = buckets.get(name) ?? { points: limit.points, readAt: at };
    // A clock that was set back takes nothing away.
    bucket.points = Math.min(limit.points, bucket.points + Math.max(0, at - bucket.readAt) * perMs);
    bucket.readAt = at;
    buckets.delete(name);
    buckets.set(name, bucket);
    if (buckets.size > mostBuckets) {
      const oldest = buckets.keys().next().value;
      if (oldest !== undefined) buckets.delete(oldest);
    }
    if (bucket.points >= 1) {
      bucket.points -= cost;
      return { allowed: true, retryAfterSeconds: 0 };
    }
    return { allowed: false, retryAfterSeconds: Math.ceil((1 - bucket.points) / perMs / 1000) };
  }

  return {
    give: async (limit, key) => {
      const bucket = buckets.get(bucketName(limit, key));
      if (bucket !== undefined) bucket.points = Math.min(limit.points, bucket.points + 1);
    },
    take: async (limit, key) => count(limit, key, 1),
    look: async (limit, key) => count(limit, key, 0),
  };
}
