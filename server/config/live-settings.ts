// Settings that may change while the server runs: sign-up, groups, mail and backups, unless a flag or the environment sets them. Code that reads the
// configuration at the moment of use gets the newest value; code that derives something from a value listens for changes.

import { type Config, settings } from './config.ts';
import type { ReadConfig, Source } from './read-config.ts';
import type { Setting } from './setting.ts';

const changeable = {
  identity: ['signUp', 'signUpDomains', 'groupsMadeBy', 'oidcGroupsClaim', 'oidcGroups'],
  mail: ['smtpUrl', 'from', 'productName'],
  backup: ['schedule', 'keep'],
} as const satisfies { readonly [R in keyof Config]?: readonly (keyof Config[R])[] };

interface Place {
  readonly room: keyof typeof changeable;
  readonly key: string;
  readonly setting: Setting<unknown>;
}

const places: ReadonlyMap<string, Place> = new Map(
  Object.entries(changeable).flatMap(([room, keys]) =>
    keys.map((key) => {
      const ofRoom = settings[room as keyof typeof changeable] as unknown as Readonly<Record<string, Setting<unknown>>>;
      const setting = ofRoom[key] as Setting<unknown>;
      return [setting.env, { room: room as keyof typeof changeable, key, setting }] as const;
    }),
  ),
);

export interface LiveSettings {
  readonly config: Config;
  /** Where each comes from, those changed at the admin pages included. */
  readonly sources: ReadonlyMap<string, Source>;
  /** Null: not to be changed here. */
  placeOf(name: string): { readonly setting: Setting<unknown>; readonly isLocked: boolean } | null;
  /** All that is stored; what cannot be read is left out and named. */
  apply(stored: ReadonlyMap<string, string>): readonly string[];
  /** Returns how to stop listening. */
  onChange(listener: () => void): () => void;
}

export function openLiveSettings(base: Config, given: ReadConfig['sources']): LiveSettings {
  const config: Config = {
    ...base,
    identity: { ...base.identity },
    mail: { ...base.mail },
    backup: { ...base.backup },
  };
  const sources = new Map(given);
  const listeners = new Set<() => void>();
  const isLocked = (name: string): boolean => (given.get(name) ?? 'default') !== 'default';

  return {
    config,
    sources,
    placeOf(name) {
      const place = places.get(name);
      return place === undefined ? null : { setting: place.setting, isLocked: isLocked(name) };
    },
    apply(stored) {
      const unreadable: string[] = [];
      let changed = false;
      for (const [name, { room, key, setting }] of places) {
        if (isLocked(name)) continue;
        const values = config[room] as unknown as Record<string, unknown>;
        let value = (base[room] as unknown as Readonly<Record<string, unknown>>)[key];
        const text = stored.get(name);
        let source: Source = 'default';
        if (text !== undefined)
          try {
            value = setting.read(text);
            source = 'admin page';
          } catch {
            unreadable.push(name);
          }
        changed ||= JSON.stringify(values[key]) !== JSON.stringify(value);
        values[key] = value;
        sources.set(name, source);
      }
      if (changed) for (const listener of listeners) listener();
      return unreadable;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
