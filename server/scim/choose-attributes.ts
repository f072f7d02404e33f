// The parameters `attributes` and `excludedAttributes`: which attributes an answer has (RFC 7644, 3.9).

import { scimError } from './errors.ts';
import { type Found, findAttribute, type ResourceType } from './resource-types.ts';

export interface Chosen {
  /** Null: all. */
  readonly only: readonly Found[] | null;
  readonly without: readonly Found[];
}

const mostNames = 100;

export function readChosen(type: ResourceType, attributes: string, excludedAttributes: string): Chosen {
  if (attributes !== '' && excludedAttributes !== '')
    throw scimError('KB856', 'Send attributes or excludedAttributes, not both');
  return {
    only: attributes === '' ? null : foundIn(type, attributes),
    without: foundIn(type, excludedAttributes),
  };
}

/** Names that there are none of choose nothing. */
function foundIn(type: ResourceType, names: string): readonly Found[] {
  const parts = names.split(',').map((name) => name.trim());
  if (parts.length > mostNames) throw scimError('KB856', `More than ${mostNames} attributes are named`);
  return parts.flatMap((name) => {
    const found = name === '' ? null : findAttribute(type, name);
    return found === null || found === 'ignored' ? [] : [found];
  });
}

/** Whether an attribute is in the answer at all, so that it need not be read. */
export const isWanted = ({ only, without }: Chosen, name: string): boolean =>
  (only === null || only.some(({ attribute }) => attribute.name === name)) &&
  !without.some(({ attribute, sub }) => attribute.name === name && sub === null);

const always = ['schemas', 'id'];

export function chooseAttributes(
  { only, without }: Chosen,
  resource: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const chosen: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(resource)) {
    const asked = only?.filter(({ attribute }) => attribute.name === name) ?? null;
    const excluded = without.filter(({ attribute }) => attribute.name === name);
    if (always.includes(name)) chosen[name] = value;
    else if (asked?.length === 0 || excluded.some(({ sub }) => sub === null)) continue;
    else if (asked === null || asked.some(({ sub }) => sub === null))
      chosen[name] = partsOf(value, (part) => !excluded.some(({ sub }) => sub?.name === part));
    else chosen[name] = partsOf(value, (part) => asked.some(({ sub }) => sub?.name === part));
  }
  return chosen;
}

function partsOf(value: unknown, keeps: (part: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => partsOf(one, keeps));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([part]) => keeps(part)));
}
