// The mapping of an issuer's groups, as a setting: value=name, separated by commas; or a JSON object of values and names, for values with commas.

import { faultOfPairs, type GroupPair, trimPairs } from '../../contract/group-pairs.ts';
import type { Setting } from './setting.ts';

const fault = 'value=name, separated by commas, or a JSON object of values and names';

export const readGroupPairs: Setting<readonly string[]>['read'] = (text) => {
  const pairs = trimPairs(text.trimStart().startsWith('{') ? fromJson(text) : text.split(',').map(pairIn));
  const wrong = faultOfPairs(pairs);
  if (wrong === 'missing') throw new Error(fault);
  if (wrong === 'equals') throw new Error(`${fault}; names have no equals sign`);
  // One that stands twice does no harm, and the server starts with it.
  return pairs.map(({ value, name }) => `${value}=${name}`);
};

function fromJson(text: string): readonly GroupPair[] {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw new Error(fault);
  }
  return Object.entries(Object(read) as Readonly<Record<string, unknown>>).map(([value, name]) => {
    if (typeof name !== 'string') throw new Error(fault);
    return { value, name };
  });
}

function pairIn(text: string): GroupPair {
  const [value, name] = splitGroupPair(text);
  return { value, name };
}

/** The name has no equals sign: values are often addresses with several. */
export function splitGroupPair(pair: string): readonly [value: string, name: string] {
  const at = pair.lastIndexOf('=');
  return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()];
}
