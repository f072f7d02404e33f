import type { Settings } from './room.ts';
export interface Providers {
  readonly names: readonly string[];
}
export function openProviders(_settings: Settings, _siteUrl: string): Providers {
  return { names: [] };
}
