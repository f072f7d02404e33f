// Signed URLs: made for downloads and uploads under the caller's policies on storage.objects, and ended before their time.

import type { FastifyInstance } from 'fastify';
import { roomRoles } from '../../database/room-roles.ts';
import { sql } from '../../database/sql.ts';
import { described } from '../../http/describe-routes.ts';
import type { Session } from '../../session/types.ts';
import { filesError } from '../errors.ts';
import { type FilesContext, query, sessionOf } from '../files-context.ts';
import { unlessFewer } from '../hide-objects.ts';
import { readTransform, writeTransform } from '../images/read-transform.ts';
import { bucketIn, nameInAddress } from '../names.ts';
import { objectOperations } from '../objects/described.ts';
import { refuseVersions } from '../objects/mount-objects.ts';
import { readBucket, readObject } from '../objects/object-row.ts';
import { checkMayWrite } from '../objects/save-object.ts';
import { readBody } from '../read-body.ts';
import { grantLinks, type MadeGrant, uuidOrNull } from './link-grants.ts';

/** What is asked for beyond what is allowed is shortened, as far as a number can say it. */
const atMost = (seconds: number): number => Math.min(seconds, Number.MAX_SAFE_INTEGER);

export function mountSigning(door: FastifyInstance, files: FilesContext): void {
  const grants = (session: Session, bucket: string, names: readonly string[], asked: number) => {
    // Nothing of theirs may outlive the public link: they download with their token.
    if (session.caller.role === 'share_link')
      throw filesError('AccessDenied', 'Who reads by a public link signs no addresses', {
        hint: 'Download from /storage/v1/object/authenticated with the token of the link.',
      });
    return grantLinks(
      files.database,
      'file_link',
      session.claims,
      { bucket, names },
      { asked, longest: files.longestLinkSeconds },
    );
  };

  door.post('/storage/v1/object/sign/:bucket/*', described(objectOperations.sign), async (request) => {
    const name = nameInAddress(request);
    const session = await sessionOf(files, request);
    const body = await readBody(request, objectOperations.sign);
    refuseVersions(body);
    const expiresIn = atMost(body.expiresIn);
    const transformations = writeTransform(readTransform(body.transform ?? {}, 'body/transform'));
    const { version } = await readObject(files, session.caller, name);
    const grant = (await grants(session, name.bucket, [name.key], expiresIn)).get(name.key) as MadeGrant;
    const isResized = transformations !== '';
    const signed = { grant, version, transformations: isResized ? transformations : undefined };
    const token = await files.links.forDownload(name, signed);
    return { signedURL: `/${isResized ? 'render/image' : 'object'}/sign/${name.bucket}/${name.key}?token=${token}` };
  });

  door.post('/storage/v1/object/sign/:bucket', described(objectOperations.signMany), async (request, reply) => {
    const session = await sessionOf(files, request);
    const { paths, ...body } = await readBody(request, objectOperations.signMany);
    const bucket = bucketIn(request);
    const expiresIn = atMost(body.expiresIn);
    const rows = await query<{ name: string; version: string | null }>(
      files,
      session.caller,
      sql`select name, version from storage.objects
        where bucket_id = ${bucket} and name = any (array(select jsonb_array_elements_text(${[...paths]}::jsonb)))`,
      { readOnly: true },
    );
    const versions = new Map(rows.map(({ name, version }) => [name, version]));
    const granted = await grants(session, bucket, [...versions.keys()], expiresIn);
    const signed = await Promise.all(
      paths.map(async (path) => {
        const grant = granted.get(path);
        if (grant === undefined)
          return { error: 'Either the object does not exist or you do not have access to it', path, signedURL: null };
        const token = await files.links.forDownload(
          { bucket, key: path },
          { grant, version: versions.get(path) ?? null },
        );
        return { error: null, path, signedURL: `/object/sign/${bucket}/${path}?token=${token}` };
      }),
    );
    await unlessFewer(rows, paths.length, reply);
    return signed;
  });

  door.post('/storage/v1/object/upload/sign/:bucket/*', described(objectOperations.signUpload), async (request) => {
    const name = nameInAddress(request);
    const session = await sessionOf(files, request);
    const upsert = request.headers['x-upsert'] === 'true';
    await readBucket(files, name.bucket);
    await checkMayWrite(files, { caller: session.caller, sub: session.claims.sub, name, upsert });
    const token = await files.links.forUpload(name, session, upsert);
    return { url: `/object/upload/sign/${name.bucket}/${name.key}?token=${token}`, token };
  });

  door.delete('/storage/v1/object/sign/:bucket/*', described(objectOperations.endLinks), async (request) => {
    const { bucket, key } = nameInAddress(request);
    const { caller, claims } = await sessionOf(files, request);
    // A row is locked for who may change it: they end everybody's links, whoever only sees it their own.
    const locked = await query(
      files,
      caller,
      sql`select from storage.objects where bucket_id = ${bucket} and name = ${key} for no key update`,
    );
    const endsAll = locked.length > 0;
    if (!endsAll) await readObject(files, caller, { bucket, key });
    const person = endsAll ? null : uuidOrNull(claims.sub);
    if (endsAll || person !== null)
      await query(files, roomRoles.files, sql`select private.end_links_to(${bucket}, ${key}, ${person}::uuid)::text`);
    return { message: endsAll ? 'All links to this object have ended' : 'Your links to this object have ended' };
  });
}
