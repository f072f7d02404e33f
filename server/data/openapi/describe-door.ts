// The data door's part of /openapi.json: its own root documents, asked for as the role whose view is shown and carried
// over, made anew only when one of them changed.

import type { Describer, DescriptionPart } from '../../http/describe-routes.ts';
import type { Services } from '../../services.ts';
import { joinSchemas, type SchemaRoot } from './join-schemas.ts';

type Reader = Pick<Services, 'config' | 'fetch' | 'sessions'>;

export function describeDoor(services: Reader): Describer {
  let latest: { readonly source: string; readonly part: DescriptionPart } | null = null;
  return async (role) => {
    const source = await readRoots(services, role);
    if (latest?.source !== source) latest = { source, part: joinSchemas(JSON.parse(source) as SchemaRoot[]) };
    return latest.part;
  };
}

/** The root of the data door as the described role sees it, for each schema that has one; a JSON text. */
async function readRoots(services: Reader, role: string): Promise<string> {
  const token = await services.sessions.sign({ role }, 60);
  const roots = await Promise.all(
    services.config.data.schemas.map(async (schema, index) => {
      // A name that no header can hold cannot be asked for, except as the first one.
      if (index > 0 && !/^[\x21-\x7e]+$/.test(schema)) return [];
      const response = await services.fetch('/rest/v1/', {
        headers: {
          apikey: services.sessions.anonKey,
          authorization: `Bearer ${token}`,
          ...(index > 0 && { 'accept-profile': schema }),
        },
      });
      return response.ok ? [`{"schema":${JSON.stringify(schema)},"root":${await response.text()}}`] : [];
    }),
  );
  return `[${roots.flat().join(',')}]`;
}
