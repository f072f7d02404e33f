// Answers that people and groups share: resources with their version, lists in pages, preconditions.

import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Fragment, sql } from '../database/sql.ts';
import { type Chosen, chooseAttributes, readChosen } from './choose-attributes.ts';
import { scimError } from './errors.ts';
import { parseFilter } from './parse-filter.ts';
import { mostResults, type ResourceType } from './resource-types.ts';
import type { ScimDb, ScimRequest } from './scim-context.ts';
import { type Columns, writeFilter } from './write-filter.ts';

export const mediaType = 'application/scim+json; charset=utf-8';

/** Without `meta.version`, which is made of all the rest. */
export type Resource = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly meta: Readonly<Record<string, unknown>>;
};

export interface Times {
  readonly created_at: string;
  readonly updated_at: string;
}

export function resourceOf(
  base: string,
  type: ResourceType,
  id: string,
  times: Times,
  rest: Record<string, unknown>,
): Resource {
  return {
    schemas: [type.schema],
    id,
    ...rest,
    meta: {
      resourceType: type.name,
      created: times.created_at,
      lastModified: times.updated_at,
      location: `${base}${type.endpoint}/${id}`,
    },
  };
}

/** Made of the whole resource, whatever part of it an answer has. */
function versionOf(resource: Resource): string {
  return `W/"${createHash('sha256').update(JSON.stringify(resource)).digest('base64url').slice(0, 22)}"`;
}

function withVersion(resource: Resource, chosen: Chosen, version: string): Record<string, unknown> {
  return chooseAttributes(chosen, { ...resource, meta: { ...resource.meta, version } });
}

const tagsIn = (header: string): readonly string[] => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
const includes = (header: string, version: string): boolean =>
  header.trim() === '*' || tagsIn(header).includes(version.replace(/^W\//, ''));

/** Before a change: If-Match names the version that the caller has read. */
export function checkPrecondition({ headers }: FastifyRequest, resource: Resource): void {
  const wanted = headers['if-match'];
  if (wanted !== undefined && !includes(wanted, versionOf(resource)))
    throw scimError('KB860', 'The resource has changed since it was read');
}

export function sendResource(
  { request }: ScimRequest,
  reply: FastifyReply,
  resource: Resource,
  chosen: Chosen,
  status = 200,
): FastifyReply {
  const version = versionOf(resource);
  reply.header('etag', version);
  if (request.method === 'GET' && includes(request.headers['if-none-match'] ?? '', version))
    return reply.code(304).send();
  reply.header('location', String(resource.meta.location));
  return sendJson(reply, withVersion(resource, chosen, version), status);
}

export function sendJson(reply: FastifyReply, body: unknown, status = 200): FastifyReply {
  return reply.code(status).type(mediaType).send(JSON.stringify(body));
}

/** From the query of a GET or the body of a search. */
export interface ListRequest {
  readonly filter: string;
  readonly startIndex: number;
  readonly count: number;
  readonly chosen: Chosen;
}

const defaultCount = 100;

export function readListRequest(type: ResourceType, said: Readonly<Record<string, unknown>>): ListRequest {
  const text = (name: string): string => {
    const value = said[name] ?? '';
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(',');
    if (typeof value !== 'string' && typeof value !== 'number') throw scimError('KB856', `${name} is sent once`);
    return String(value);
  };
  const whole = (name: string, fallback: number): number => {
    const value = text(name);
    if (value === '') return fallback;
    if (!/^-?\d{1,9}$/.test(value)) throw scimError('KB856', `${name} must be a whole number`);
    return Number(value);
  };
  return {
    filter: text('filter').trim(),
    startIndex: Math.max(1, whole('startIndex', 1)),
    count: Math.min(Math.max(0, whole('count', defaultCount)), mostResults),
    chosen: readChosen(type, text('attributes'), text('excludedAttributes')),
  };
}

export interface ListSource<Row> {
  readonly type: ResourceType;
  readonly columns: Columns;
  /** `private.scim_users r`. */
  readonly from: Fragment;
  read(db: ScimDb, where: Fragment, page: Fragment, chosen: Chosen): Promise<readonly Row[]>;
  resource(base: string, row: Row): Resource;
  /** Whether all of it was read: only then is its version known. */
  isWhole(row: Row): boolean;
}

export async function sendList<Row>(
  scim: ScimRequest,
  reply: FastifyReply,
  source: ListSource<Row>,
  { filter, startIndex, count, chosen }: ListRequest,
): Promise<FastifyReply> {
  const where = filter === '' ? sql`true` : writeFilter(parseFilter(filter), source.type, source.columns);
  const [total] = await scim.query<{ n: number }>(sql`select count(*) as n from ${source.from} where ${where}`);
  const page = sql`order by r.created_at, r.id limit ${count}::int offset ${startIndex - 1}::int`;
  const rows = count === 0 ? [] : await source.read(scim, where, page, chosen);
  const resources = rows.map((row) => {
    const resource = source.resource(scim.base, row);
    return source.isWhole(row)
      ? withVersion(resource, chosen, versionOf(resource))
      : chooseAttributes(chosen, resource);
  });
  return sendJson(reply, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total?.n ?? 0,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  });
}
