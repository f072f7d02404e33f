// Bytes in: uploads with a token, or with a signed URL.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { described } from '../../http/describe-routes.ts';
import { readQuery } from '../../http/read-parameters.ts';
import { passesOn } from '../../http/unfinished-bodies.ts';
import { inSession } from '../../session/agent-session.ts';
import { underClaim } from '../../session/claim-fence.ts';
import { type FilesContext, sessionOf } from '../files-context.ts';
import { nameInAddress } from '../names.ts';
import { checkQuota } from './check-quota.ts';
import { uploadOperations } from './described.ts';
import type { BucketLimits } from './object-row.ts';
import { readUpload, type Upload } from './read-upload.ts';
import { saveUpload, type Target } from './save-object.ts';

/** The body stays a stream, whatever its type. */
export function mountUploads(door: FastifyInstance, files: FilesContext): void {
  async function save(request: FastifyRequest, target: Target): Promise<{ Id: string; Key: string }> {
    try {
      const read = async (bucket: BucketLimits): Promise<Upload> => {
        await checkQuota(files, target.name, Number(request.headers['content-length'] ?? 0));
        passesOn(request.raw);
        return readUpload(request, bucket, files.sizeLimit);
      };
      const id = await saveUpload(files, target, read, true);
      return { Id: id, Key: `${target.name.bucket}/${target.name.key}` };
    } finally {
      // What is left of a refused upload is read past, held by nobody, so that the sender gets to the answer.
      passesOn(request.raw);
      request.raw.unpipe();
      request.raw.resume();
    }
  }

  for (const [method, operation] of [
    ['POST', uploadOperations.upload],
    ['PUT', uploadOperations.replace],
  ] as const)
    door.route({
      method,
      url: '/storage/v1/object/:bucket/*',
      ...described(operation),
      handler: async (request) => {
        const name = nameInAddress(request);
        const { caller, claims } = await sessionOf(files, request);
        const upsert = request.method === 'PUT' || request.headers['x-upsert'] === 'true';
        return save(request, { caller, sub: claims.sub, name, upsert });
      },
    });

  door.put('/storage/v1/object/upload/sign/:bucket/*', described(uploadOperations.signed), async (request) => {
    const name = nameInAddress(request);
    const link = await files.links.readUpload(readQuery(request, uploadOperations.signed).token, name);
    return save(request, {
      ...link,
      caller: underClaim(inSession(link.caller, request.headers), request.headers),
      name,
    });
  });
}
