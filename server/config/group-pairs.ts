// The mapping of an issuer's groups, as a setting: value=name, separated by commas; or a JSON object of values and names, for values with commas.

import type { Setting } from './setting.ts';

const fault = 'value=name, separated by commas, or a JSON object of values and names';

export const readGroupPairs: Setting<readonly string[]>['read'] = (text) => {
  const pairs = text.trimStart().startsWith('{') ? fromJson(text) : text.split(',').map((part) => part.trim());
  for (const pair of pairs) {
    const [value, name] = splitGroupPair(pair);
    if (value === '' || name === '') throw new Error(fault);
  }
  return pairs;
};

function fromJson(text: string): readonly string[] {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw new Error(fault);
  }
  return Object.entries(Object(read) as Readonly<Record<string, unknown>>).map(([value, name]) => {
    if (typeof name !== 'string' || name.includes('=')) throw new Error(`${fault}; names have no equals sign`);
    return `${value}=${name}`;
  });
}

/** The name has no equals sign: values are often addresses with several. */
export function splitGroupPair(pair: string): readonly [value: string, name: string] {
  const at = pair.lastIndexOf('=');
  return [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()];
}
