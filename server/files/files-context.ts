// Context of /storage/v1: settings, store and access to the database.

import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import { type Fragment, statement } from '../database/sql.ts';
import type { Caller, Database, RunOptions } from '../database/types.ts';
import { inSession } from '../session/agent-session.ts';
import { checkResource } from '../session/check-resource.ts';
import { underClaim } from '../session/claim-fence.ts';
import { readCredentials } from '../session/read-credentials.ts';
import type { Session, Sessions } from '../session/types.ts';
import type { LinkSigner } from './links/sign-link.ts';
import type { Quotas } from './quotas.ts';
import type { FileStore } from './store/file-store.ts';
import type { Sweeper } from './sweep-files.ts';

export interface FilesContext {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly store: FileStore;
  readonly links: LinkSigner;
  /** Of signed addresses into buckets that are not the app's own. */
  readonly longestLinkSeconds: number;
  readonly sweeper: Sweeper;
  readonly sizeLimit: number;
  /** The origin of files alone, when there is one. */
  readonly publicUrl: string | null;
  readonly quotas: Quotas;
  readonly log: Logger;
}

export function query<T>(
  files: Pick<FilesContext, 'database'>,
  caller: Caller,
  fragment: Fragment,
  options?: RunOptions,
): Promise<T[]> {
  return files.database.objectsAs<T>(caller, statement(fragment), options);
}

/** Supabase's storage needs no API key beside a token; with a key alone, the key says who asks. */
export async function sessionOf(
  files: FilesContext,
  request: { readonly headers: IncomingHttpHeaders; readonly url: string; readonly ip?: string },
): Promise<Session> {
  const credentials = readCredentials(request.headers, request.url);
  const bearer = /^bearer (.+)$/i.exec(credentials.authorization ?? '')?.[1]?.trim();
  const session = await (credentials.apikey === undefined && bearer !== undefined
    ? files.sessions.verify(bearer)
    : files.sessions.fromHeadersOrKey(credentials));
  checkResource(session, '/storage/v1');
  if (session.caller.keyId !== undefined) files.sessions.noteUse(session.caller.keyId, request.ip ?? '');
  const caller = underClaim(inSession(session.caller, request.headers), request.headers);
  return caller === session.caller ? session : { ...session, caller };
}
