// /scim/v2: provisioning by identity providers (RFC 7643 and 7644). The token is looked up before anything else of a request is read.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { exhausted } from '../database/errors.ts';
import { PostgresError } from '../database/types.ts';
import type { CatalogError } from '../errors.ts';
import { described, unlisted } from '../http/describe-routes.ts';
import { takeBody } from '../http/plain-errors.ts';
import { type BodyBounds, leaveBodies } from '../http/read-json.ts';
import { readPath, readQuery } from '../http/read-parameters.ts';
import { asCatalogError } from '../http/render-error.ts';
import type { Services } from '../services.ts';
import type { Chosen } from './choose-attributes.ts';
import { readChosen } from './choose-attributes.ts';
import {
  listSchemas,
  listTypes,
  ofGroups,
  ofOne,
  ofUsers,
  readConfig,
  readSchema,
  readType,
  scimTerms,
} from './described.ts';
import { scimError, scimTypes } from './errors.ts';
import { groups } from './groups.ts';
import { operationsOf, type ResourceSource } from './operate.ts';
import {
  describeProvider,
  describeSchema,
  describeType,
  groupType,
  type ResourceType,
  userType,
} from './resource-types.ts';
import { readListRequest, sendJson, sendList } from './resources.ts';
import { asScimError, openRequest } from './scim-context.ts';
import { users } from './users.ts';

/** A group of ten thousand is about a megabyte. */
const bounds: BodyBounds = { bytes: 2 * 1024 * 1024, depth: 12, values: 100_000 };

type Body = Record<string, unknown>;
export async function mountScim(app: FastifyInstance, services: Services): Promise<void> {
  app.describeTerms(scimTerms);
  await app.register(
    async (door) => {
      door.setErrorHandler(renderScimError);
      leaveBodies(door);
      door.addHook('onRequest', async (_request, reply) => {
        reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
      });
      mountDocuments(door, services);
      door.all('/*', unlisted('A refusal'), () => {
        throw scimError('KB852', 'Nothing is served at this path');
      });
      mountResources(door, services, users, ofUsers);
      mountResources(door, services, groups, ofGroups);
    },
    { prefix: '/scim/v2' },
  );
}

function mountDocuments(door: FastifyInstance, services: Services): void {
  const types = [userType, groupType];
  const listOf = (resources: readonly unknown[]) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: resources.length,
    startIndex: 1,
    itemsPerPage: resources.length,
    Resources: resources,
  });
  const one = (request: FastifyRequest, key: 'schema' | 'name'): ResourceType => {
    const { id } = readPath(request, readSchema);
    const type = types.find((each) => each[key].toLowerCase() === id.toLowerCase());
    if (type === undefined) throw scimError('KB852', `There is no ${id.slice(0, 100)}`);
    return type;
  };
  const documents = [
    ['/ServiceProviderConfig', readConfig, (base: string) => describeProvider(base)],
    ['/Schemas', listSchemas, (base: string) => listOf(types.map((type) => describeSchema(base, type)))],
    ['/ResourceTypes', listTypes, (base: string) => listOf(types.map((type) => describeType(base, type)))],
    [
      '/Schemas/:id',
      readSchema,
      (base: string, request: FastifyRequest) => describeSchema(base, one(request, 'schema')),
    ],
    [
      '/ResourceTypes/:id',
      readType,
      (base: string, request: FastifyRequest) => describeType(base, one(request, 'name')),
    ],
  ] as const;
  for (const [path, description, describe] of documents)
    door.get(path, described(description), async (request, reply) => {
      const { base } = await openRequest(services, request);
      return sendJson(reply, describe(base, request));
    });
}

function mountResources<Row>(
  door: FastifyInstance,
  services: Services,
  source: ResourceSource<Row>,
  says: typeof ofUsers | typeof ofGroups,
): void {
  const { create, read, replace, patch, remove } = operationsOf(source);
  const { endpoint } = source.type;
  const open = (request: FastifyRequest) => openRequest(services, request);
  const bodyOf = async (request: FastifyRequest): Promise<Body> => ({
    ...(await takeBody(request, says.create, ({ words }) => scimError('KB861', words), bounds)),
  });
  const idIn = (request: FastifyRequest): string =>
    readPath(request, ofOne, () => scimError('KB852', `There is no such ${source.type.name}`)).id;
  const queryOf = (request: FastifyRequest) =>
    readQuery(request, says.list, {
      refuse: ({ field, words }) => scimError(field === 'filter' ? 'KB854' : 'KB856', words),
    });
  const chosenIn = (request: FastifyRequest): Chosen => {
    const { attributes = '', excludedAttributes = '' } = queryOf(request);
    return readChosen(source.type, attributes, excludedAttributes);
  };

  door.get(endpoint, described(says.list), async (request, reply) => {
    const scim = await open(request);
    return sendList(scim, reply, source, readListRequest(source.type, queryOf(request)));
  });
  door.post(`${endpoint}/.search`, described(says.search), async (request, reply) => {
    const scim = await open(request);
    return sendList(scim, reply, source, readListRequest(source.type, await bodyOf(request)));
  });
  door.post(endpoint, described(says.create), async (request, reply) => {
    const scim = await open(request);
    return create(scim, reply, await bodyOf(request), chosenIn(request));
  });
  door.get(`${endpoint}/:id`, described(says.read), async (request, reply) => {
    const scim = await open(request);
    return read(scim, reply, idIn(request), chosenIn(request));
  });
  door.put(`${endpoint}/:id`, described(says.replace), async (request, reply) => {
    const scim = await open(request);
    return replace(scim, reply, idIn(request), await bodyOf(request), chosenIn(request));
  });
  door.patch(`${endpoint}/:id`, described(says.patch), async (request, reply) => {
    const scim = await open(request);
    return patch(scim, reply, idIn(request), await bodyOf(request), chosenIn(request));
  });
  door.delete(`${endpoint}/:id`, described(says.remove), async (request, reply) => {
    const scim = await open(request);
    return remove(scim, reply, idIn(request));
  });
}

function renderScimError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const trouble = exhausted(thrown);
  const refusal = thrown instanceof PostgresError && trouble === null ? asScimError(thrown) : null;
  const error: CatalogError = asCatalogError(trouble ?? refusal ?? thrown, request);
  const scimType = scimTypes[error.code];
  return sendJson(
    reply.headers({ ...error.headers }),
    {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(error.status),
      ...(scimType === undefined ? {} : { scimType }),
      detail: error.hint === null || error.status < 500 ? error.message : `${error.message}. ${error.hint}`,
    },
    error.status,
  );
}
