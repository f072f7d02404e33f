// Tokens of signed URLs: JWTs with a key of their own for downloads and another for uploads, bound to one path, good for nothing else.
// Each names the grant it opens by. A link for an upload or a folder carries who asked for it, sealed, so that policies are asked again when it is used.

import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { roomRoles } from '../../database/room-roles.ts';
import { sql, statement } from '../../database/sql.ts';
import type { Caller, Database } from '../../database/types.ts';
import { seal, unseal } from '../../session/seal.ts';
import type { Claims, Session, Sessions } from '../../session/types.ts';
import { filesError } from '../errors.ts';
import type { ObjectName } from '../names.ts';
import { grantLinks, type LinkGrant, type MadeGrant, uuidOrNull } from './link-grants.ts';

export interface UploadLink {
  readonly caller: Caller;
  readonly sub: string | undefined;
  readonly upsert: boolean;
}

export interface DownloadLink extends LinkGrant {
  readonly secondsLeft: number;
  readonly transformations: string | null;
  /** Of the bytes it was made for; null in links from before they said so. */
  readonly version: string | null;
}

/** What is signed of a download. */
export interface SignedDownload {
  readonly grant: MadeGrant;
  readonly version: string | null;
  /** With them it opens the resized image alone, otherwise the object as it is alone. */
  readonly transformations?: string | undefined;
}

export interface LinkSigner {
  forDownload(name: ObjectName, signed: SignedDownload): Promise<string>;
  readDownload(token: unknown, name: ObjectName): Promise<DownloadLink>;
  forUpload(name: ObjectName, session: Session, upsert: boolean): Promise<string>;
  readUpload(token: unknown, name: ObjectName): Promise<UploadLink>;
  /** Of a folder as a zip; carries who asked for it, as a link for an upload does. */
  forZip(folder: ObjectName, session: Session, lifetimeSeconds: number): Promise<string>;
  readZip(token: unknown, folder: ObjectName): Promise<Pick<UploadLink, 'caller'>>;
}

const uploadSeconds = 2 * 3600;

interface Sealed extends LinkGrant {
  readonly caller: Caller;
}

export function openLinkSigner(
  sessions: Sessions,
  database: Pick<Database, 'objectsAs'>,
  longestSeconds: number,
): LinkSigner {
  const downloadKey = sessions.deriveKey('signed downloads');
  const uploadKey = sessions.deriveKey('signed uploads');
  const zipKey = sessions.deriveKey('signed zips');
  const callerKey = sessions.deriveKey('callers of signed uploads');

  async function readSealed<Link extends Sealed>(text: unknown, name: ObjectName): Promise<Link> {
    const sealed = unseal(String(text), callerKey) as Link;
    if (!(await isOpen(database, sealed, name)))
      throw filesError('InvalidJWT', 'The session that created this link has ended');
    return sealed;
  }

  async function grantFor(
    kind: 'upload_link' | 'folder_link',
    { claims }: Session,
    { bucket, key }: ObjectName,
    asked: number,
  ): Promise<MadeGrant> {
    const seconds = { asked, longest: longestSeconds };
    const made = await grantLinks(database, kind, claims, { bucket, names: [key] }, seconds);
    return made.get(key) as MadeGrant;
  }

  return {
    forDownload: (name, { grant: { seconds, ...grant }, version, transformations }) =>
      sign({ url: urlOf(name), transformations, version, ...grant }, downloadKey, seconds),
    async readDownload(token, name) {
      const {
        iat = 0,
        exp = 0,
        transformations,
        version,
        grant,
        key,
        signedAt,
      } = await verify(token, downloadKey, name);
      // A setting that was lowered holds for links that were made before, too.
      const ends = Math.min(exp, iat + longestSeconds);
      const secondsLeft = Math.floor(ends - Date.now() / 1000);
      if (secondsLeft < 0) throw expired();
      return {
        secondsLeft,
        transformations: typeof transformations === 'string' ? transformations : null,
        version: typeof version === 'string' ? version : null,
        signedAt: typeof signedAt === 'number' ? signedAt : iat * 1e6,
        ...(typeof grant === 'string' ? { grant } : {}),
        ...(typeof key === 'string' ? { key } : {}),
      };
    },
    async forUpload(name, session, upsert) {
      const { seconds, ...grant } = await grantFor('upload_link', session, name, uploadSeconds);
      const link = { caller: session.caller, sub: session.claims.sub, upsert, ...grant };
      return sign({ url: urlOf(name), upsert, caller: seal(link, callerKey) }, uploadKey, seconds);
    },
    async readUpload(token, name) {
      const { caller } = await verify(token, uploadKey, name);
      const { grant, key, signedAt, ...link } = await readSealed<UploadLink & Sealed>(caller, name);
      return link;
    },
    async forZip(folder, session, lifetimeSeconds) {
      const { seconds, ...grant } = await grantFor('folder_link', session, folder, lifetimeSeconds);
      return sign(
        { url: urlOf(folder), caller: seal({ caller: session.caller, ...grant }, callerKey) },
        zipKey,
        seconds,
      );
    },
    async readZip(token, folder) {
      const { caller } = await verify(token, zipKey, folder);
      return readSealed(caller, folder);
    },
  };
}

/** Links outlive the tokens that others are turned away by. */
async function isOpen(
  database: Pick<Database, 'objectsAs'>,
  { caller, grant, key, signedAt }: Sealed,
  { bucket, key: path }: ObjectName,
): Promise<boolean> {
  // From before links named a grant.
  if (signedAt === undefined) return false;
  const { sub, session_id: session } = JSON.parse(caller.claims) as Claims;
  const [row] = await database.objectsAs<{ is_open: boolean }>(
    roomRoles.files,
    statement(sql`select private.is_session_active(${uuidOrNull(sub)}::uuid, ${uuidOrNull(session)}::uuid)
      and private.state_of_link(${grant ?? null}::uuid, ${uuidOrNull(key)}::uuid, ${bucket}, ${path}, ${signedAt}::bigint) <> 'ended' as is_open`),
    { readOnly: true },
  );
  return row?.is_open === true;
}

const expired = () => filesError('InvalidJWT', '"exp" claim timestamp check failed');

export const signedForOther = () => filesError('InvalidSignature', 'The URL was signed for another path');

function urlOf({ bucket, key }: ObjectName): string {
  return `${bucket}/${key}`;
}

function sign(payload: JWTPayload, key: Buffer, lifetimeSeconds: number): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(now)
    .setExpirationTime(now + lifetimeSeconds)
    .sign(key);
}

async function verify(token: unknown, key: Buffer, name: ObjectName): Promise<JWTPayload> {
  if (typeof token !== 'string' || token === '')
    throw filesError('InvalidRequest', "querystring must have required property 'token'");
  const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] }).catch((error: unknown) => {
    throw error instanceof errors.JWTExpired ? expired() : filesError('InvalidJWT', 'signature verification failed');
  });
  if (payload.url !== urlOf(name)) throw signedForOther();
  return payload;
}
