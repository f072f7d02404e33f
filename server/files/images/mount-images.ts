// Resized images at /storage/v1/render/image: the same access as for the object itself, then from the cache or made now.

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { payerOf, shareOwnerOf } from '../../database/pool-share.ts';
import type { Caller } from '../../database/types.ts';
import { described } from '../../http/describe-routes.ts';
import { networkOf } from '../../limits/network-of.ts';
import { filesError, noSuchKey } from '../errors.ts';
import { type FilesContext, sessionOf } from '../files-context.ts';
import { signedForOther } from '../links/sign-link.ts';
import { nameInAddress } from '../names.ts';
import { decoded } from '../objects/content-encodings.ts';
import type { ObjectRow } from '../objects/object-row.ts';
import { type Asked, askedBy, type Delivery, readDelivery } from '../objects/read-delivery.ts';
import { headersOf, isUnchanged, withBytesOf } from '../objects/send-object.ts';
import { queryIn } from '../read-body.ts';
import { imageOperations, transform as transformParameters } from './described.ts';
import type { ImageCache } from './image-cache.ts';
import {
  formatFor,
  parseTransform,
  readTransform,
  type Transform,
  tellTransform,
  writeTransform,
} from './read-transform.ts';
import { largestInput, type Original, type Resizer } from './resize-image.ts';

export interface Images {
  readonly cache: ImageCache;
  readonly resizer: Resizer;
}

const anyone: Caller = { role: 'anon', claims: '{}' };

export function mountImages(door: FastifyInstance, files: FilesContext, images: Images): void {
  for (const access of ['/authenticated', '/public', '/sign'] as const)
    door.route({
      method: ['GET', 'HEAD'],
      exposeHeadRoute: false,
      url: `/storage/v1/render/image${access}/:bucket/*`,
      ...described(imageOperations[access]),
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const asked = askedBy(request, nameInAddress(request));
        const { delivery, transformations } = await readDelivery(files, asked, access);
        // A signed URL says itself how the image is resized: what else stands in its address counts for nothing.
        if (access === '/sign' && transformations === null) throw signedForOther();
        const transform =
          transformations === null
            ? readTransform(queryIn(request, { parameters: transformParameters }), 'querystring')
            : parseTransform(transformations);
        // A link and a public bucket name nobody: the address pays.
        const caller = access === '/authenticated' ? (await sessionOf(files, request)).caller : anyone;
        const payer = payerOf(
          caller,
          shareOwnerOf(caller) === caller.role ? `address ${networkOf(request.ip)}` : undefined,
        );
        return withBytesOf(files, delivery.find, (row) =>
          sendImage(files, images, asked, reply, row, delivery, { transform, payer }),
        );
      },
    });
}

async function sendImage(
  files: FilesContext,
  images: Images,
  asked: Asked,
  reply: FastifyReply,
  row: ObjectRow,
  delivery: Delivery,
  { transform, payer }: { readonly transform: Transform; readonly payer: string },
): Promise<FastifyReply> {
  const { metadata, version } = row;
  if (metadata === null || version === null) throw noSuchKey();
  const wanted = formatFor(transform, asked.headers.accept);
  const variant = createHash('sha256')
    .update(`${writeTransform(transform)} ${wanted}`)
    .digest('hex')
    .slice(0, 32);
  const etag = `"${metadata.eTag.replaceAll('"', '')}-${variant.slice(0, 12)}"`;
  const vary = { vary: 'Accept', etag, 'x-transformations': tellTransform(transform) };
  if (isUnchanged(asked, etag, new Date(metadata.lastModified)))
    return reply
      .headers({ ...headersOf(files, asked, row, 'image/png', delivery), ...vary })
      .code(304)
      .send();

  if (metadata.size > largestInput)
    throw filesError('ImageProcessingError', `The image has more than ${largestInput} bytes`);
  const isWaiting = (): boolean => !reply.raw.destroyed;
  const { bytes, format } = await images.cache.get(version, variant, isWaiting, async (isWanted) =>
    images.resizer.resize(payer, await originalOf(files, version, metadata), transform, wanted, isWanted),
  );
  const type = `image/${format}`;
  return reply
    .headers({ ...headersOf(files, asked, row, type, delivery), ...vary })
    .headers({ 'content-type': type, 'content-length': String(bytes.length) })
    .send(asked.method === 'HEAD' ? undefined : bytes);
}

/** Without the encoding it is stored in, which is read whole for that: its length is not known before. */
async function originalOf(
  files: FilesContext,
  version: string,
  { size, contentEncoding = null }: { readonly size: number; readonly contentEncoding?: string | null },
): Promise<Original> {
  const read = (): Promise<Readable> => files.store.read(version);
  if (contentEncoding === null) return { size, read };
  const bytes = await readDecoded(await read(), contentEncoding);
  return { size: bytes.length, read: async () => Readable.from([bytes]) };
}

async function readDecoded(source: Readable, encoding: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of decoded(source, encoding) as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size > largestInput) break;
    }
  } catch {
    throw filesError('ImageProcessingError', `The image is not encoded as ${encoding}`);
  }
  if (size > largestInput) throw filesError('ImageProcessingError', `The image has more than ${largestInput} bytes`);
  return Buffer.concat(parts);
}
