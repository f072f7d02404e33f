// Tokens of signed URLs: JWTs with a key of their own for downloads and another for uploads, bound to one path, good for nothing else.
// A link for an upload or a folder carries who asked for it, sealed, so that policies are asked again when it is used, and whether they are still let in.

import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { sql, statement } from '../../database/sql.ts';
import type { Caller, Database } from '../../database/types.ts';
import { seal, unseal } from '../../session/seal.ts';
import type { Claims, Session, Sessions } from '../../session/types.ts';
import { filesError } from '../errors.ts';
import type { ObjectName } from '../names.ts';
import { serverCaller } from '../server-caller.ts';

export interface UploadLink {
  readonly caller: Caller;
  readonly sub: string | undefined;
  readonly upsert: boolean;
}

export interface DownloadLink {
  readonly secondsLeft: number;
  readonly transformations: string | null;
}

export interface LinkSigner {
  /** With `transformations` it opens the resized image alone, otherwise the object as it is alone. */
  forDownload(name: ObjectName, lifetimeSeconds: number, transformations?: string): Promise<string>;
  readDownload(token: unknown, name: ObjectName): Promise<DownloadLink>;
  forUpload(name: ObjectName, session: Session, upsert: boolean): Promise<string>;
  readUpload(token: unknown, name: ObjectName): Promise<UploadLink>;
  /** Of a folder as a zip; carries who asked for it, as a link for an upload does. */
  forZip(folder: ObjectName, session: Session, lifetimeSeconds: number): Promise<string>;
  readZip(token: unknown, folder: ObjectName): Promise<Pick<UploadLink, 'caller'>>;
}

const uploadSeconds = 2 * 3600;

export function openLinkSigner(sessions: Sessions, database: Pick<Database, 'objectsAs'>): LinkSigner {
  const downloadKey = sessions.deriveKey('signed downloads');
  const uploadKey = sessions.deriveKey('signed uploads');
  const zipKey = sessions.deriveKey('signed zips');
  const callerKey = sessions.deriveKey('callers of signed uploads');

  async function readSealed<Sealed extends Pick<UploadLink, 'caller'>>(text: unknown): Promise<Sealed> {
    const sealed = unseal(String(text), callerKey) as Sealed;
    if (!(await isLetIn(database, sealed.caller)))
      throw filesError('InvalidJWT', 'The session of whoever asked for this link has ended');
    return sealed;
  }

  return {
    forDownload: (name, lifetimeSeconds, transformations) =>
      sign({ url: urlOf(name), transformations }, downloadKey, lifetimeSeconds),
    async readDownload(token, name) {
      const { exp = 0, transformations } = await verify(token, downloadKey, name);
      return {
        secondsLeft: Math.max(0, Math.floor(exp - Date.now() / 1000)),
        transformations: typeof transformations === 'string' ? transformations : null,
      };
    },
    forUpload(name, { caller, claims }, upsert) {
      const sealed = seal(
        { caller, sub: claims.sub, upsert } satisfies { [K in keyof UploadLink]: unknown },
        callerKey,
      );
      return sign({ url: urlOf(name), upsert, caller: sealed }, uploadKey, uploadSeconds);
    },
    async readUpload(token, name) {
      const { caller } = await verify(token, uploadKey, name);
      return readSealed<UploadLink>(caller);
    },
    forZip(folder, { caller }, lifetimeSeconds) {
      return sign({ url: urlOf(folder), caller: seal({ caller }, callerKey) }, zipKey, lifetimeSeconds);
    },
    async readZip(token, folder) {
      const { caller } = await verify(token, zipKey, folder);
      return readSealed(caller);
    },
  };
}

/** Links outlive the tokens that others are turned away by. */
async function isLetIn(database: Pick<Database, 'objectsAs'>, { claims }: Caller): Promise<boolean> {
  const { sub, session_id: session } = JSON.parse(claims) as Claims;
  if (sub === undefined && session === undefined) return true;
  const [row] = await database.objectsAs<{ let_in: boolean }>(
    serverCaller,
    statement(sql`select private.is_let_in(${uuidOrNull(sub)}::uuid, ${uuidOrNull(session)}::uuid) as let_in`),
    { readOnly: true },
  );
  return row?.let_in === true;
}

function uuidOrNull(text: unknown): string | null {
  return typeof text === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text : null;
}

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
    const isOver = error instanceof errors.JWTExpired;
    throw filesError('InvalidJWT', isOver ? '"exp" claim timestamp check failed' : 'signature verification failed');
  });
  if (payload.url !== urlOf(name)) throw signedForOther();
  return payload;
}
