// /storage/v1: buckets and objects, as Supabase's storage client speaks of them. Rows under policies, bytes in the file store.

import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { unlisted } from '../http/describe-routes.ts';
import { leaveBodies } from '../http/read-json.ts';
import type { Services } from '../services.ts';
import { mountBuckets } from './buckets.ts';
import { filesTerms } from './description-terms.ts';
import { notOffered, renderFilesError } from './errors.ts';
import type { FilesContext } from './files-context.ts';
import { ImageCache } from './images/image-cache.ts';
import { type Images, mountImages } from './images/mount-images.ts';
import { openResizer } from './images/resize-image.ts';
import { mountSigning } from './links/mount-signing.ts';
import { openLinkSigner } from './links/sign-link.ts';
import { mountDownloads } from './objects/mount-downloads.ts';
import { mountObjects } from './objects/mount-objects.ts';
import { mountUploads } from './objects/mount-uploads.ts';
import { quotasOf } from './quotas.ts';
import { mountResumable } from './resumable/mount-resumable.ts';
import { countedStore, storageErrors } from './store/counted-store.ts';
import { inTurn, openStores } from './store/open-store.ts';
import { startSweeper } from './sweep-files.ts';
import { mountZipLinks, mountZips } from './zip/mount-zip.ts';

/** What other services at such addresses do and this one does not: said in so many words. */
const absent: Readonly<Record<string, string>> = {
  '/s3': 'The S3 protocol',
  '/vector': 'Vector storage',
  '/iceberg': 'Analytics storage',
  '/cdn': 'A cache that could be purged',
};

export async function mountFiles(app: FastifyInstance, services: Services): Promise<void> {
  const { config, database, sessions } = services;
  const log = services.log.child({ room: 'files' });
  const store = countedStore(
    inTurn(await openStores(config)),
    services.metrics.counter(
      { name: 'kanbase_storage_errors_total', help: 'Failures of the file store, by kind.', label: 'kind' },
      storageErrors,
    ),
  );
  const images: Images = {
    cache: new ImageCache(join(config.server.dataDir, 'resized-images'), config.files.imageCacheBytes, log),
    resizer: openResizer(config.files.imagePixelLimit, services.budget, log),
  };
  const sweeper = await startSweeper(services, {
    store,
    forget: (version) => images.cache.forget(version),
    keepRemovedSeconds: config.files.keepRemovedSeconds,
    longestLinkSeconds: config.files.longestLinkSeconds,
    log,
  });
  const links = openLinkSigner(sessions, database, config.files.longestLinkSeconds);
  const quotas = quotasOf(config.files);
  const files: FilesContext = {
    database,
    sessions,
    store,
    links,
    longestLinkSeconds: config.files.longestLinkSeconds,
    sweeper,
    sizeLimit: config.files.sizeLimit,
    publicUrl: config.files.publicUrl,
    quotas,
    log,
  };

  app.describeTerms(filesTerms);
  await app.register(async (door) => {
    door.setErrorHandler(renderFilesError);
    await door.register(async (json) => {
      leaveBodies(json);
      mountBuckets(json, files);
      mountObjects(json, files);
      mountSigning(json, files);
      mountZipLinks(json, files);
    });
    await door.register(async (bytes) => {
      bytes.removeAllContentTypeParsers();
      bytes.addContentTypeParser('*', (_request, _body, done) => done(null));
      mountUploads(bytes, files);
      mountDownloads(bytes, files, services);
      mountImages(bytes, files, images);
      mountZips(bytes, files);
      mountResumable(bytes, files);
      for (const [path, what] of Object.entries(absent))
        for (const url of [`/storage/v1${path}`, `/storage/v1${path}/*`])
          bytes.all(url, unlisted('A refusal'), () => {
            throw notOffered(what);
          });
    });
  });
  app.addHook('onClose', async () => {
    images.resizer.close();
    await sweeper.stop();
  });
}
