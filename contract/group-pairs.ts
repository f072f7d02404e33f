// Mapping of an issuer's groups: pairs of a value of its claim and the name of a group, and what is wrong with them. The admin pages, their API and
// the setting ask here.

export interface GroupPair {
  /** Of the claim. */
  readonly value: string;
  /** Of the group. */
  readonly name: string;
}

/** Nobody means the spaces around. */
export const trimPairs = (pairs: readonly GroupPair[]): readonly GroupPair[] =>
  pairs.map(({ value, name }) => ({ value: value.trim(), name: name.trim() }));

/** Null: nothing. In names an equals sign would divide the pair elsewhere, where the setting is written as value=name. */
export function faultOfPairs(pairs: readonly GroupPair[]): 'missing' | 'equals' | 'twice' | null {
  if (pairs.some(({ value, name }) => value === '' || name === '')) return 'missing';
  if (pairs.some(({ name }) => name.includes('='))) return 'equals';
  const isTwice = (all: readonly string[]): boolean => new Set(all).size < all.length;
  if (isTwice(pairs.map(({ value }) => value)) || isTwice(pairs.map(({ name }) => name.toLowerCase()))) return 'twice';
  return null;
}
