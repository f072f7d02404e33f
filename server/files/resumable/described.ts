// OpenAPI descriptions of the routes of resumable uploads.

import { inPath, NOBODY, type Operation } from '../../http/open-api.ts';
import { header, operation, upsert } from '../description-terms.ts';

const upload = inPath('upload', 'As `Location` gave it');
const version = { ...header('tus-resumable', '1.0.0'), required: true };
const offset = {
  'Upload-Offset': { description: 'How many bytes have arrived', schema: { type: 'integer' } },
} as const;
const signature = { ...header('x-signature', 'The token of a link for an upload'), required: true };

/** TUS 1.0; the same below /sign with the token of a link instead of one of a person. */
export function resumableOperations(isSigned: boolean): Readonly<Record<'begin' | 'goOn' | 'giveUp', Operation>> {
  const ending = isSigned ? 'BySignature' : '';
  const how = isSigned ? { security: NOBODY } : {};
  const more = isSigned ? [version, signature] : [version];
  return {
    begin: operation(`beginUpload${ending}`, 'Begin an upload that goes on after a break', {
      ...how,
      description: 'TUS 1.0: creation, with or without the first part, also with a length that is said later.',
      parameters: [
        ...more,
        ...(isSigned ? [] : [upsert]),
        header('upload-length', 'Bytes of the whole'),
        header('upload-metadata', 'bucketName, objectName, contentType, cacheControl and metadata, as TUS writes them'),
      ],
      responses: {
        201: {
          description: 'Begun',
          headers: { Location: { description: 'Where to go on', schema: { type: 'string' } } },
        },
        400: { description: 'Refused; the body says why' },
      },
    }),
    goOn: operation(`continueUpload${ending}`, 'Send the next part', {
      ...how,
      parameters: [upload, ...more, { ...header('upload-offset', 'How many bytes have arrived'), required: true }],
      requestBody: {
        required: true,
        content: { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
      responses: {
        204: { description: 'Kept', headers: offset },
        409: { description: 'Another offset is due; HEAD says which' },
      },
    }),
    giveUp: operation(`giveUpUpload${ending}`, 'Give up an upload', {
      ...how,
      parameters: [upload, ...more],
      responses: { 204: { description: 'Gone' } },
    }),
  };
}
