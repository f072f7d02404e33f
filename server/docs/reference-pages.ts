// The reference in pages: one a table, one a group of procedures, one a topic, and one for the requests of webhooks. Each operation is on one of them.

import { METHODS, type Method, type OpenApi, type Operation, type Paths } from '../http/open-api.ts';
import { groupOfProcedure, procedureGroups } from './procedure-groups.ts';

export interface Entry {
  readonly path: string;
  readonly method: Method;
  readonly operation: Operation;
  readonly id: string;
}

export type Section = 'Tables' | 'Procedures' | 'Topics';

export interface ReferencePage {
  /** `/docs/tables/tasks` */
  readonly address: string;
  readonly section: Section;
  readonly title: string;
  readonly description: string | undefined;
  readonly entries: readonly Entry[];
  /** What it was an anchor of, when all stood on one page. */
  readonly formerId: string | null;
  /** Requests that the service sends. */
  readonly isSent?: boolean;
}

const tableTag = /^Table (.+)$/;
const proceduresTag = /^Procedures( of .+)?$/;

export function referencePages(document: OpenApi): readonly ReferencePage[] {
  const entries = entriesOf(document.paths);
  const pages = document.tags.flatMap(({ name, description }): ReferencePage[] => {
    const own = entries.filter(({ operation }) => operation.tags.includes(name));
    if (own.length === 0) return [];
    const [, table] = tableTag.exec(name) ?? [];
    const former = `group-${slug(name)}`;
    if (table !== undefined)
      return [page('Tables', table, `/docs/tables/${encodeURIComponent(table)}`, description, own, former)];
    if (proceduresTag.test(name)) return procedurePages(name, own, former);
    return [page('Topics', name, `/docs/${slug(name)}`, description, own, former)];
  });
  const sent = entriesOf(document.webhooks ?? {});
  return sent.length === 0
    ? pages
    : [
        ...pages,
        {
          ...page('Topics', 'Webhook payloads', '/docs/webhook-payloads', sentWords, sent, null),
          isSent: true,
        },
      ];
}

const sentWords = 'What the service sends to the addresses of webhooks, by type of event.';

/** Of one schema: grouped by what they are about. */
function procedurePages(tag: string, entries: readonly Entry[], former: string): ReferencePage[] {
  const [, of = ''] = proceduresTag.exec(tag) ?? [];
  const nameOf = ({ path }: Entry): string => path.slice(path.lastIndexOf('/') + 1);
  return procedureGroups
    .map((group) => ({ group, own: entries.filter((entry) => groupOfProcedure(nameOf(entry)) === group) }))
    .filter(({ own }) => own.length > 0)
    .map(({ group, own }, at) =>
      page(
        'Procedures',
        `${group.title}${of}`,
        `/docs/procedures/${slug(group.title + of)}`,
        group.description,
        own,
        at === 0 ? former : null,
      ),
    );
}

function page(
  section: Section,
  title: string,
  address: string,
  description: string | undefined,
  entries: readonly Entry[],
  formerId: string | null,
): ReferencePage {
  return { section, title, address, description, entries, formerId };
}

function entriesOf(paths: Paths): Entry[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): Entry[] => {
      const operation = item[method];
      return operation === undefined ? [] : [{ path, method, operation, id: operation.operationId }];
    }),
  );
}

export const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
