// Descriptions of routes beside their handlers: `app.get('/health', described({ operationId: 'health', … }), handler)`. They are collected as routes
// are mounted, and become /openapi.json together with schemas and parts that rooms add. A route without a description is not mounted, unless it is no
// operation of the API and says why. Bodies are checked by the same schemas (check-body.ts).

import type { FastifyInstance } from 'fastify';
import type { Operation, Parameter, PathItem, Paths, Schema, Tag } from './open-api.ts';

/** A part of the description of the service. */
export interface DescriptionPart {
  readonly paths: Paths;
  readonly tags: readonly Tag[];
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Requests that the service sends to others, by type. */
  readonly webhooks?: Paths;
}

/** Makes a part as a database role sees it; the same object as before while nothing in it changed. */
export type Describer = (role: string) => Promise<DescriptionPart>;

declare module 'fastify' {
  interface FastifyContextConfig {
    description?: Operation;
    /** Why a route has no description. */
    unlisted?: string;
  }
  interface FastifyInstance {
    /** Tags and schemas that the descriptions of routes refer to. */
    describeTerms(terms: Pick<DescriptionPart, 'tags' | 'schemas' | 'webhooks'>): void;
    /** For paths that are no routes, such as the tables of the data door. */
    describeWhenAsked(describer: Describer): void;
    /** What the routes that are mounted by now say of themselves, then what is made when asked. */
    descriptionParts(role: string): Promise<readonly [routes: DescriptionPart, ...others: DescriptionPart[]]>;
  }
}

export const described = (description: Operation): { config: { description: Operation } } => ({
  config: { description },
});

/** A page, a refusal, or what another part of the description has: no operation of its own. */
export const unlisted = (why: string): { config: { unlisted: string } } => ({ config: { unlisted: why } });

export function describeRoutes(app: FastifyInstance): void {
  const paths: Record<string, PathItem> = {};
  const tags: Tag[] = [];
  const schemas: Record<string, Schema> = {};
  const webhooks: Record<string, PathItem> = {};
  const routes: DescriptionPart = { paths, tags, schemas, parameters: {}, webhooks };
  const describers: Describer[] = [];
  app.decorate('describeTerms', (terms: Pick<DescriptionPart, 'tags' | 'schemas' | 'webhooks'>) => {
    tags.push(...terms.tags);
    Object.assign(schemas, terms.schemas);
    Object.assign(webhooks, terms.webhooks);
  });
  app.decorate('describeWhenAsked', (describer: Describer) => void describers.push(describer));
  app.decorate(
    'descriptionParts',
    async (role: string) => [routes, ...(await Promise.all(describers.map((describe) => describe(role))))] as const,
  );
  app.addHook('onRoute', ({ config, method, url }) => {
    // HEAD answers what GET would, without a body; OPTIONS, which methods there are.
    const methods = [method].flat().filter((one) => one !== 'HEAD' && one !== 'OPTIONS');
    if (methods.length === 0 || config?.unlisted !== undefined) return;
    if (config?.description === undefined) throw new Error(`${methods.join()} ${url} has no description`);
    // What a star stands for is described as `path`.
    const path = url.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}');
    for (const one of methods) paths[path] = { ...paths[path], [one.toLowerCase()]: config.description };
  });
}
