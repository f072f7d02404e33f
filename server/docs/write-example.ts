// A request one can copy: curl, with the variables $KEY and $TOKEN standing for the caller's own.

import type { Method, OpenApi, Operation, Schema } from '../http/open-api.ts';
import { resolveSchema } from './schema-parts.ts';

export function writeExample(path: string, method: Method, operation: Operation, document: OpenApi): string {
  const address = `${document.servers[0]?.url ?? ''}${path}${exampleQuery(path, method, operation)}`;
  const lines = [`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${quoted(address)}'`];
  const security = operation.security?.[0] ?? {};
  if ('apikey' in security) lines.push(`-H "apikey: $KEY"`);
  if ('token' in security) lines.push(`-H "Authorization: Bearer $TOKEN"`);
  const profile = operation.parameters?.find(({ name, required }) => required === true && name?.endsWith('-Profile'));
  if (profile !== undefined) lines.push(`-H '${profile.name}: ${quoted(String(profile.schema?.enum?.[0]))}'`);
  const body = operation.requestBody?.content['application/json']?.schema;
  if (body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`);
    if (path.startsWith('/rest/v1/') && !path.startsWith('/rest/v1/rpc/'))
      lines.push(`-H 'Prefer: return=representation'`);
    lines.push(`-d '${quoted(JSON.stringify(sample(body, document, method !== 'post')))}'`);
  }
  return lines.join(' \\\n  ');
}

const quoted = (text: string): string => text.replaceAll("'", `'\\''`);

function exampleQuery(path: string, method: Method, operation: Operation): string {
  if (path.startsWith('/rest/v1/') && !path.startsWith('/rest/v1/rpc/')) {
    if (method === 'get') return '?select=*&limit=10';
    const key = operation.parameters?.find((parameter) => parameter.in === 'query' && parameter.name !== undefined);
    return method === 'post' || key === undefined ? '' : `?${encodeURIComponent(key.name ?? '')}=eq.…`;
  }
  const required = (operation.parameters ?? []).filter(
    (parameter) => parameter.in === 'query' && parameter.required === true,
  );
  if (required.length === 0) return '';
  return `?${required.map((one) => `${encodeURIComponent(one.name ?? '')}=${String(one.schema?.enum?.[0] ?? one.schema?.examples?.[0] ?? '…')}`).join('&')}`;
}

/** Required fields, or the first one with a known value; `brief` for changes, where one field will do. */
export function sample(given: Schema, document: OpenApi, brief: boolean): unknown {
  const one = given.anyOf?.[0] ?? given;
  const schema = resolveSchema(one.items ?? one, document);
  const fields = Object.entries(schema.properties ?? {});
  const wanted = brief ? fields.slice(1, 2) : fields.filter(([name]) => schema.required?.includes(name) === true);
  const kept = wanted.length > 0 ? wanted : fields.slice(0, 2);
  return Object.fromEntries(kept.map(([name, field]) => [name, value(resolveSchema(field, document), name)]));
}

function value(schema: Schema, name: string): unknown {
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  if (schema.format === 'email') return 'ada@example.com';
  if (schema.format === 'uuid') return '0190f3a0-0000-7000-8000-000000000001';
  if (schema.format === 'uri') return 'https://example.com/';
  if (schema.format === 'date') return '2026-12-24';
  if (schema.format?.startsWith('timestamp')) return '2026-12-24T12:00:00Z';
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'array') return (schema.minItems ?? 0) > 0 ? [value(schema.items ?? {}, name)] : [];
  if (schema.type === 'object') return {};
  return name;
}
