// Applies the operations of a PATCH (RFC 7644, 3.5.2) to a resource, with what Entra and Okta make of them: operations in capitals, booleans as
// texts, dotted names in a value without a path, a member removed by its value.

import { scimError } from './errors.ts';
import { predicateOf } from './match-filter.ts';
import { type Filter, parsePath } from './parse-filter.ts';
import { type Doc, readValue, unfit } from './read-resource.ts';
import { type Attribute, findAttribute, type ResourceType } from './resource-types.ts';

interface Operation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string | null;
  readonly value: unknown;
}

type Item = Record<string, unknown>;

const mostOperations = 500;

export function applyPatch(type: ResourceType, before: Doc, body: Readonly<Record<string, unknown>>): Doc {
  const doc = structuredClone(before);
  for (const operation of readOperations(body)) apply(type, doc, operation);
  for (const { name, required } of type.attributes)
    if (required && doc[name] === undefined) throw scimError('KB858', `${name} cannot be removed`);
  return doc;
}

function readOperations(body: Readonly<Record<string, unknown>>): readonly Operation[] {
  const sent = fieldOf(body, 'operations');
  if (!Array.isArray(sent) || sent.length === 0)
    throw scimError('KB861', 'A PATCH needs Operations, a list of what to do');
  if (sent.length > mostOperations) throw scimError('KB861', `A PATCH has ${mostOperations} operations at most`);
  return sent.map((one) => {
    const op = String(fieldOf(one, 'op')).toLowerCase();
    const path = fieldOf(one, 'path') ?? null;
    if (op !== 'add' && op !== 'replace' && op !== 'remove')
      throw scimError('KB861', `op must be add, replace or remove: ${op.slice(0, 40)}`);
    if (path !== null && typeof path !== 'string') throw scimError('KB855', 'path must be a text');
    return { op, path: path?.trim() || null, value: fieldOf(one, 'value') };
  });
}

function fieldOf(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined;
  return Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1];
}

function apply(type: ResourceType, doc: Doc, { op, path, value }: Operation): void {
  if (path !== null) {
    applyAt(type, doc, op, path, value, true);
    return;
  }
  if (op === 'remove') throw scimError('KB857', 'A removal needs a path');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw scimError('KB856', 'Without a path, value must be an object of attributes');
  for (const [name, one] of Object.entries(value)) applyAt(type, doc, op, name, one, false);
}

/** `strict`: the path was given as one. Beside others in a value, what is read-only or unknown is passed over. */
function applyAt(type: ResourceType, doc: Doc, op: Operation['op'], path: string, value: unknown, strict: boolean) {
  if (/^urn:/i.test(path) && path.toLowerCase() === type.schema.toLowerCase()) {
    apply(type, doc, { op, path: null, value });
    return;
  }
  const { path: name, filter, sub: subName } = parsePath(path);
  const found = findAttribute(type, name);
  if (found === 'ignored') return;
  if (found === null) {
    if (strict) throw scimError('KB855', `There is no attribute ${name}`);
    return;
  }
  const { attribute } = found;
  if (attribute.readOnly) {
    if (strict) throw scimError('KB858', `${attribute.name} is kept here`);
    return;
  }
  const sub = subName === null ? found.sub : subOf(attribute, subName);
  if (filter !== null && (!attribute.multi || found.sub !== null))
    throw scimError('KB855', `${name} has one value, which no filter chooses`);
  if (attribute.multi) applyToMany(doc, op, attribute, { filter, sub, value });
  else if (sub === null) applyToOne(doc, op, attribute, value);
  else applyToPart(doc, op, attribute, sub, value);
}

function subOf(attribute: Attribute, name: string): Attribute {
  const sub = attribute.sub?.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (sub === undefined) throw scimError('KB855', `${attribute.name} has no ${name}`);
  return sub;
}

function set(doc: Doc, name: string, value: unknown): void {
  if (value === undefined) delete doc[name];
  else doc[name] = value;
}

function applyToOne(doc: Doc, op: Operation['op'], attribute: Attribute, value: unknown): void {
  const read = op === 'remove' ? undefined : readValue(attribute, value);
  // Of a complex value, the parts that are sent.
  const merged =
    attribute.type === 'complex' && read !== undefined
      ? { ...(doc[attribute.name] as Item | undefined), ...(read as Item) }
      : read;
  set(doc, attribute.name, merged);
}

function applyToPart(doc: Doc, op: Operation['op'], attribute: Attribute, sub: Attribute, value: unknown): void {
  const parts = { ...(doc[attribute.name] as Item | undefined) };
  set(parts, sub.name, op === 'remove' ? undefined : readValue(sub, value));
  set(doc, attribute.name, Object.keys(parts).length === 0 ? undefined : parts);
}

interface Change {
  readonly filter: Filter | null;
  readonly sub: Attribute | null;
  readonly value: unknown;
}

function applyToMany(doc: Doc, op: Operation['op'], attribute: Attribute, change: Change): void {
  const items = (doc[attribute.name] ?? []) as readonly Item[];
  const next =
    op === 'remove'
      ? removeFrom(items, attribute, change)
      : change.filter === null && change.sub === null
        ? addTo(op === 'replace' ? [] : items, attribute, change.value)
        : changeIn(items, op, attribute, change);
  set(doc, attribute.name, next.length === 0 ? undefined : next);
}

function chosenBy(attribute: Attribute, filter: Filter | null): (item: Item) => boolean {
  if (filter === null) return () => true;
  return predicateOf(filter, (path) => {
    const sub = subOf(attribute, path);
    return { name: sub.name, caseExact: sub.caseExact ?? false };
  });
}

function removeFrom(items: readonly Item[], attribute: Attribute, { filter, sub, value }: Change): readonly Item[] {
  if (sub === null && filter === null && value !== undefined && value !== null) {
    const gone = new Set(((readValue(attribute, value) ?? []) as readonly Item[]).map((one) => one.value));
    return items.filter((item) => !gone.has(item.value));
  }
  const chosen = chosenBy(attribute, filter);
  if (sub === null || sub.name === 'value') return items.filter((item) => !chosen(item));
  return items.map((item) => {
    if (!chosen(item)) return item;
    const { [sub.name]: _gone, ...rest } = item;
    return rest;
  });
}

function addTo(items: readonly Item[], attribute: Attribute, value: unknown): readonly Item[] {
  const added = (readValue(attribute, value) ?? []) as readonly Item[];
  const byValue = new Map(items.map((item) => [item.value, item]));
  for (const item of added) byValue.set(item.value, { ...byValue.get(item.value), ...item });
  return withOnePrimary([...byValue.values()], added);
}

/** Values that a filter chooses; where it chooses none, `add` makes one as the filter describes it. */
function changeIn(items: readonly Item[], op: Operation['op'], attribute: Attribute, change: Change): readonly Item[] {
  const { filter, sub, value } = change;
  const chosen = chosenBy(attribute, filter);
  const parts = sub === null ? partsIn(attribute, value) : { [sub.name]: readValue(sub, value) };
  const touched = items.filter(chosen);
  if (touched.length > 0) {
    const changed = items.map((item) => (touched.includes(item) ? { ...item, ...parts } : item));
    return withOnePrimary(
      changed,
      changed.filter((_, at) => touched.includes(items[at] as Item)),
    );
  }
  if (op === 'replace' && filter !== null) {
    // Entra replaces an address that there was none of.
    if (typeof parts.value !== 'string') throw scimError('KB857', `No value of ${attribute.name} fits the filter`);
  }
  const made = { ...(filter === null ? {} : describedBy(filter, attribute)), ...parts };
  if (typeof made.value !== 'string') throw unfit(attribute.name, 'needs a value');
  return addTo(items, attribute, made);
}

function partsIn(attribute: Attribute, value: unknown): Item {
  if (typeof value !== 'object' || value === null) throw unfit(attribute.name, 'must be an object');
  const one = Array.isArray(value) ? value[0] : value;
  const parts: Item = {};
  for (const sub of attribute.sub ?? []) {
    const read = readValue(sub, fieldOf(one, sub.name.toLowerCase()));
    if (read !== undefined) parts[sub.name] = read;
  }
  return parts;
}

function describedBy(filter: Filter, attribute: Attribute): Item {
  if (filter.kind === 'and') return Object.assign({}, ...filter.items.map((one) => describedBy(one, attribute)));
  if (filter.kind !== 'compare' || filter.how !== 'eq') return {};
  const sub = subOf(attribute, filter.path);
  return { [sub.name]: readValue(sub, filter.value) };
}

/** A value that is made the primary one takes that from the others. */
function withOnePrimary(items: readonly Item[], latest: readonly Item[]): readonly Item[] {
  const primary = latest.find((item) => item.primary === true);
  return primary === undefined
    ? items
    : items.map((item) => (item.primary === true && item.value !== primary.value ? { ...item, primary: false } : item));
}
