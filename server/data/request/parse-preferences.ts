// The Prefer header (RFC 7240): the first of each kind counts, what is unknown is noted for `handling=strict`.

export interface Preferences {
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | null;
  readonly representation: 'representation' | 'minimal' | 'headers-only' | null;
  readonly count: 'exact' | 'planned' | 'estimated' | null;
  readonly transaction: 'commit' | 'rollback' | null;
  readonly missing: 'default' | 'null' | null;
  readonly handling: 'strict' | 'lenient' | null;
  /** Ours: who may answer a read. */
  readonly read: 'replica' | 'primary' | null;
  readonly timezone: string | null;
  readonly maxAffected: number | null;
  readonly invalid: readonly string[];
}

export const NO_PREFERENCES: Preferences = {
  resolution: null,
  representation: null,
  count: null,
  transaction: null,
  missing: null,
  handling: null,
  read: null,
  timezone: null,
  maxAffected: null,
  invalid: [],
};

type Choice = 'resolution' | 'representation' | 'count' | 'transaction' | 'missing' | 'handling' | 'read';

const KNOWN = new Map<string, readonly [Choice, string]>([
  ['resolution=merge-duplicates', ['resolution', 'merge-duplicates']],
  ['resolution=ignore-duplicates', ['resolution', 'ignore-duplicates']],
  ['return=representation', ['representation', 'representation']],
  ['return=minimal', ['representation', 'minimal']],
  ['return=headers-only', ['representation', 'headers-only']],
  ['count=exact', ['count', 'exact']],
  ['count=planned', ['count', 'planned']],
  ['count=estimated', ['count', 'estimated']],
  ['tx=commit', ['transaction', 'commit']],
  ['tx=rollback', ['transaction', 'rollback']],
  ['missing=default', ['missing', 'default']],
  ['missing=null', ['missing', 'null']],
  ['handling=strict', ['handling', 'strict']],
  ['handling=lenient', ['handling', 'lenient']],
  ['read=replica', ['read', 'replica']],
  ['read=primary', ['read', 'primary']],
]);

export function parsePreferences(header: string | undefined, allowTransaction: boolean): Preferences {
  if (header === undefined || header === '') return NO_PREFERENCES;
  const chosen: { -readonly [K in keyof Preferences]: Preferences[K] } = { ...NO_PREFERENCES };
  const found: Partial<Record<Choice, string>> = {};
  const invalid: string[] = [];
  for (const part of header.split(',')) {
    const preference = part.trim();
    const known = KNOWN.get(preference);
    if (known !== undefined) found[known[0]] ??= known[1];
    else if (preference.startsWith('timezone=')) chosen.timezone ??= preference.slice(9);
    else if (preference.startsWith('max-affected=')) {
      if (/^-?[0-9]{1,15}$/.test(preference.slice(13))) chosen.maxAffected ??= Number(preference.slice(13));
    } else invalid.push(preference);
  }
  if (!allowTransaction) delete found.transaction;
  return { ...chosen, ...found, invalid } as Preferences;
}

/** For Preference-Applied; the caller blanks what did not apply. */
export function appliedPreferences(applied: Preferences): string | null {
  const parts: string[] = [];
  if (applied.resolution !== null) parts.push(`resolution=${applied.resolution}`);
  if (applied.missing !== null) parts.push(`missing=${applied.missing}`);
  if (applied.representation !== null) parts.push(`return=${applied.representation}`);
  if (applied.count !== null) parts.push(`count=${applied.count}`);
  if (applied.transaction !== null) parts.push(`tx=${applied.transaction}`);
  if (applied.handling !== null) parts.push(`handling=${applied.handling}`);
  if (applied.read !== null) parts.push(`read=${applied.read}`);
  if (applied.timezone !== null) parts.push(`timezone=${applied.timezone}`);
  if (applied.maxAffected !== null && applied.handling === 'strict') parts.push(`max-affected=${applied.maxAffected}`);
  return parts.length === 0 ? null : parts.join(', ');
}
