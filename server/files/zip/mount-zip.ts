// Several objects as one zip: GET /storage/v1/zip/<bucket>/<folder> with a token, or with a link that POST to the same address gives. What the caller's
// policies let them see of the folder, streamed as it is read, without compressing what mostly is compressed already.

import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import yazl from 'yazl';
import { roomRoles } from '../../database/room-roles.ts';
import { sql } from '../../database/sql.ts';
import type { Caller } from '../../database/types.ts';
import { described } from '../../http/describe-routes.ts';
import { filesError, noSuchKey } from '../errors.ts';
import { type FilesContext, query, sessionOf } from '../files-context.ts';
import { attachmentNamed, nameInAddress, type ObjectName, withoutLastSlashes } from '../names.ts';
import { queryIn, readBody } from '../read-body.ts';
import { zipOperations } from './described.ts';
import { nameEntries } from './name-entries.ts';

const mostFiles = 1000;
const longestLinkSeconds = 3600;

interface File {
  readonly name: string;
  readonly version: string;
  readonly size: number;
  readonly updated_at: string;
}

export function mountZipLinks(door: FastifyInstance, files: FilesContext): void {
  door.post('/storage/v1/zip/:bucket/*', described(zipOperations.link), async (request) => {
    const folder = nameInAddress(request);
    const session = await sessionOf(files, request);
    const { expiresIn: asked = 60 } = await readBody(request, zipOperations.link);
    const expiresIn = Math.min(asked, longestLinkSeconds);
    await findFiles(files, session.caller, folder);
    const token = await files.links.forZip(folder, session, expiresIn);
    return { signedURL: `/zip/${folder.bucket}/${folder.key}?token=${token}` };
  });
}

export function mountZips(door: FastifyInstance, files: FilesContext): void {
  door.get(
    '/storage/v1/zip/:bucket/*',
    { exposeHeadRoute: false, ...described(zipOperations.download) },
    async (request, reply) => {
      const folder = nameInAddress(request);
      const { token } = queryIn(request, zipOperations.download);
      const { caller } =
        token === undefined ? await sessionOf(files, request) : await files.links.readZip(token, folder);
      return sendZip(files, request, reply, folder, await findFiles(files, caller, folder));
    },
  );
}

async function findFiles(files: FilesContext, caller: Caller, { bucket, key }: ObjectName): Promise<readonly File[]> {
  const prefix = `${withoutLastSlashes(key)}/`;
  const found = await query<File>(
    files,
    caller,
    sql`select o.name, o.version, (o.metadata->>'size')::float8 as size, o.updated_at from storage.objects o
      where o.bucket_id = ${bucket} and starts_with(o.name, ${prefix}) and o.name >= ${prefix} and o.name < ${`${prefix}\u{10FFFF}`}
        and o.version is not null and o.metadata is not null
      order by o.name limit ${mostFiles + 1}::bigint`,
    { readOnly: true, begins: true },
  );
  if (found.length > mostFiles)
    throw filesError('InvalidRequest', `A zip holds ${mostFiles} files at most; choose a smaller folder`);
  const removed = await findRemoved(files, bucket, found);
  const present = found.filter(({ name }) => !removed.has(name));
  if (present.length === 0) throw noSuchKey();
  return present;
}

/** Those that only stay so that undoing brings them back. */
async function findRemoved(files: FilesContext, bucket: string, found: readonly File[]): Promise<ReadonlySet<string>> {
  const rows = await query<{ name: string }>(
    files,
    roomRoles.files,
    sql`select name from jsonb_array_elements_text(${found.map(({ name }) => name)}::jsonb) as name
      where private.is_removed_file(${bucket}, name)`,
    { readOnly: true },
  );
  return new Set(rows.map(({ name }) => name));
}

function sendZip(
  files: FilesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  folder: ObjectName,
  found: readonly File[],
): FastifyReply {
  const zip = new yazl.ZipFile();
  // Bytes that are gone in the middle end the download: half a zip is not passed off as a whole one.
  const fail = (error: Error): void => {
    files.log.warn({ err: error }, 'a zip could not be sent to its end');
    zip.outputStream.unpipe(output);
    output.destroy(error);
  };
  const output = new PassThrough();
  // One file is read at a time: who hangs up ends the reading of that one.
  let current: Readable | null = null;
  output.on('close', () => current?.destroy());
  zip.on('error', fail);
  zip.outputStream.on('error', fail);
  const names = nameEntries(found.map(({ name }) => name.slice(folder.key.length + 1)));
  const add = ({ version, size, updated_at: updatedAt }: File, at: number): void =>
    zip.addReadStreamLazy(names[at] ?? version, { size, compress: false, mtime: new Date(updatedAt) }, (give) => {
      if (output.destroyed) return;
      files.store.read(version).then(
        (bytes) => {
          current = bytes;
          bytes.on('error', fail);
          // They hung up while it was being opened.
          if (output.destroyed) bytes.destroy();
          else give(null, bytes);
        },
        (error: unknown) => fail(error as Error),
      );
    });
  try {
    found.forEach(add);
    zip.end();
  } catch (error) {
    // The first file is being opened already.
    output.destroy();
    throw error;
  }
  zip.outputStream.pipe(output);
  const { download } = queryIn(request, zipOperations.download);
  return reply
    .headers({
      'content-type': 'application/zip',
      'content-disposition': attachmentNamed(download || `${folder.key.slice(folder.key.lastIndexOf('/') + 1)}.zip`),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
    .send(output);
}
