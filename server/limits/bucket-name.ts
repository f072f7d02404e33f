// Under which name a bucket is kept: a long key by its hash, so that nobody fills the memory with what they ask to be counted by.

import { createHash } from 'node:crypto';
import type { Limit } from './types.ts';

const longestKey = 300;

export function bucketName(limit: Limit, key: string): string {
  return `${limit.name} ${key.length > longestKey ? createHash('sha256').update(key).digest('hex') : key}`;
}
