// Media types: what a client accepts, in its order of preference, and what it sends.

export type PlanOption = 'analyze' | 'verbose' | 'settings' | 'buffers' | 'wal';

export type MediaType =
  | { readonly kind: 'json' | 'geojson' | 'csv' | 'text' | 'xml' | 'openapi' | 'form' | 'binary' | 'any' }
  | { readonly kind: 'stripped-array' }
  | { readonly kind: 'object'; readonly stripped: boolean }
  | {
      readonly kind: 'plan';
      readonly of: MediaType;
      readonly format: 'json' | 'text';
      readonly options: readonly PlanOption[];
    }
  | { readonly kind: 'other'; readonly name: string };

export const JSON_TYPE: MediaType = { kind: 'json' };
export const ANY_TYPE: MediaType = { kind: 'any' };
const ONLY_ANY: readonly MediaType[] = [ANY_TYPE];
const ONLY_JSON: readonly MediaType[] = [JSON_TYPE];

const PLAIN: Readonly<Record<string, MediaType>> = {
  'application/json': JSON_TYPE,
  'application/geo+json': { kind: 'geojson' },
  'text/csv': { kind: 'csv' },
  'text/plain': { kind: 'text' },
  'text/xml': { kind: 'xml' },
  'application/openapi+json': { kind: 'openapi' },
  'application/x-www-form-urlencoded': { kind: 'form' },
  'application/octet-stream': { kind: 'binary' },
  '*/*': ANY_TYPE,
};

const NAMES: Readonly<Record<string, string>> = {
  json: 'application/json',
  geojson: 'application/geo+json',
  csv: 'text/csv',
  text: 'text/plain',
  xml: 'text/xml',
  openapi: 'application/openapi+json',
  form: 'application/x-www-form-urlencoded',
  binary: 'application/octet-stream',
  any: '*/*',
};

const OPTIONS: readonly PlanOption[] = ['analyze', 'verbose', 'settings', 'buffers', 'wal'];
const PARAMETER = /\s*;\s*([A-Za-z0-9-]+)\s*=\s*(?:"([^"]*)"|([A-Za-z0-9|-]+))/y;

export function parseMediaType(text: string): MediaType {
  const direct = PLAIN[text];
  if (direct !== undefined) return direct;
  const main = /^[A-Za-z0-9.*]+\/[A-Za-z0-9.*+-]+/.exec(text)?.[0];
  if (main === undefined) return { kind: 'other', name: text };
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = main.length;
  for (let match = PARAMETER.exec(text); match !== null; match = PARAMETER.exec(text))
    parameters.set((match[1] ?? '').toLowerCase(), match[2] ?? match[3] ?? '');
  const stripped = parameters.get('nulls') === 'stripped';
  const name = main.toLowerCase();
  const plain = PLAIN[name];
  if (plain !== undefined) return plain;
  switch (name) {
    case 'application/vnd.pgrst.object':
    case 'application/vnd.pgrst.object+json':
      return { kind: 'object', stripped };
    case 'application/vnd.pgrst.array':
    case 'application/vnd.pgrst.array+json':
      return stripped ? { kind: 'stripped-array' } : JSON_TYPE;
    case 'application/vnd.pgrst.plan':
    case 'application/vnd.pgrst.plan+text':
    case 'application/vnd.pgrst.plan+json': {
      const chosen = (parameters.get('options') ?? '').split('|');
      const of = parameters.get('for') ?? 'application/json';
      return {
        kind: 'plan',
        of: of.includes('vnd.pgrst.plan') ? JSON_TYPE : parseMediaType(of),
        format: name.endsWith('json') ? 'json' : 'text',
        options: OPTIONS.filter((option) => chosen.includes(option)),
      };
    }
    default:
      return { kind: 'other', name: text.toLowerCase() };
  }
}

/** The type as it is named in Content-Type, without charset. */
export function mediaTypeName(type: MediaType): string {
  switch (type.kind) {
    case 'stripped-array':
      return 'application/vnd.pgrst.array+json;nulls=stripped';
    case 'object':
      return `application/vnd.pgrst.object+json${type.stripped ? ';nulls=stripped' : ''}`;
    case 'plan': {
      const options = type.options.length === 0 ? '' : `; options=${type.options.join('|')}`;
      return `application/vnd.pgrst.plan+${type.format}; for="${mediaTypeName(type.of)}"${options}`;
    }
    case 'other':
      return type.name;
    default:
      return NAMES[type.kind] ?? 'application/octet-stream';
  }
}

export function contentTypeOf(type: MediaType): string {
  const name = mediaTypeName(type);
  return type.kind === 'binary' || type.kind === 'other' ? name : `${name}; charset=utf-8`;
}

/** Sorted by quality, then by how exactly the type is named. */
export function parseAccept(header: string | undefined): readonly MediaType[] {
  if (header === undefined) return ONLY_ANY;
  if (header === '*/*') return ONLY_ANY;
  if (header === 'application/json') return ONLY_JSON;
  if (!header.includes(',') && !header.includes(';q=')) return [parseMediaType(header.trim())];
  return header
    .split(',')
    .map((part) => {
      const text = part.trim();
      const quality = /;\s*q=([0-9.]+)/i.exec(text);
      const name = quality === null ? text : text.replace(quality[0], '');
      const exact = name.split(';').length - name.split('*').length;
      return { type: parseMediaType(name.trim()), quality: quality === null ? 1 : Number(quality[1]), exact };
    })
    .sort((a, b) => b.quality - a.quality || b.exact - a.exact)
    .map(({ type }) => type);
}
