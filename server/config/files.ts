// Files at /storage/v1: where their bytes lie, and how large one may be.

import { siteAddress } from './server.ts';
import { choice, flag, optionalFlag, optionalText, text, whole } from './setting.ts';

export const filesSettings = {
  directory: optionalText('STORAGE_DIR', {
    meaning: 'Directory that holds the bytes of uploaded files; several nodes need the same one.',
    fallbackText: 'files in DATA_DIR',
  }),
  publicUrl: {
    ...optionalText('STORAGE_PUBLIC_URL', {
      meaning:
        'Another host that leads to this service, for files alone: only there are pages and SVG shown instead of saved.',
      fallbackText: 'none: files are only ever saved',
    }),
    read: siteAddress,
  },
  sizeLimit: whole(
    'STORAGE_FILE_SIZE_LIMIT',
    { min: 1, max: Number.MAX_SAFE_INTEGER },
    { meaning: 'Bytes an uploaded file may have at most; a bucket may allow less.', fallback: 1_073_741_824 },
  ),
  keepRemovedSeconds: whole(
    'STORAGE_KEEP_REMOVED_SECONDS',
    { min: 0, max: 31_536_000 },
    {
      meaning: 'How long files outlive what they belong to, for undo.',
      fallback: 3600,
    },
  ),
  longestLinkSeconds: whole(
    'STORAGE_SIGNED_URL_SECONDS',
    { min: 60, max: 315_360_000 },
    {
      meaning:
        "Seconds a signed URL into your own buckets may live; a longer `expiresIn` is shortened. Into the app's own buckets it is a day at most.",
      fallback: 315_360_000,
    },
  ),
  sendfile: flag('STORAGE_SENDFILE', {
    meaning: 'Sends large files by sendfile (Linux only); off for file systems that get it wrong.',
    fallback: true,
  }),
  quotaBytes: whole(
    'STORAGE_QUOTA_BYTES',
    { min: 0, max: Number.MAX_SAFE_INTEGER },
    { meaning: 'Bytes all files may take together; 0: no limit.', fallback: 0 },
  ),
  projectQuotaBytes: whole(
    'STORAGE_PROJECT_QUOTA_BYTES',
    { min: 0, max: Number.MAX_SAFE_INTEGER },
    { meaning: 'Bytes the attachments of a project may have together; 0: no limit.', fallback: 0 },
  ),
  backend: choice('STORAGE_BACKEND', ['auto', 'disk', 's3'], {
    meaning: 'Where new files go: auto is S3 with STORAGE_S3_BUCKET, else the disk. The other place is read too.',
    fallback: 'auto',
  }),
  s3Bucket: optionalText('STORAGE_S3_BUCKET', {
    meaning: 'Bucket of an S3-compatible service that holds the bytes of files.',
    fallbackText: 'files are on disk',
  }),
  s3Endpoint: optionalText('STORAGE_S3_ENDPOINT', {
    meaning: 'Address of the S3-compatible service.',
    fallbackText: 'Amazon S3',
  }),
  s3Region: text('STORAGE_S3_REGION', { meaning: 'Region of the bucket.', fallback: 'us-east-1' }),
  s3AccessKeyId: optionalText('STORAGE_S3_ACCESS_KEY_ID', {
    meaning: 'Access key for the bucket.',
    fallbackText: 'where the AWS SDK looks: environment, shared files, the role of the machine',
  }),
  s3SecretAccessKey: optionalText('STORAGE_S3_SECRET_ACCESS_KEY', {
    meaning: 'Secret that belongs to the access key.',
    secret: true,
  }),
  s3PathStyle: optionalFlag('STORAGE_S3_PATH_STYLE', {
    meaning: 'Whether the bucket stands in the path of addresses instead of the host name.',
    fallbackText: 'true with STORAGE_S3_ENDPOINT',
  }),
  imageCacheBytes: whole(
    'STORAGE_IMAGE_CACHE_BYTES',
    { min: 0, max: Number.MAX_SAFE_INTEGER },
    { meaning: 'Bytes of resized images kept in DATA_DIR at most; 0 keeps none.', fallback: 268_435_456 },
  ),
  imagePixelLimit: whole(
    'STORAGE_IMAGE_PIXEL_LIMIT',
    { min: 1, max: 268_402_689 },
    { meaning: 'Pixels an image may have at most to be resized.', fallback: 50_000_000 },
  ),
} as const;
