// Uploads one file to /storage/v1 in pieces: received pieces stay there, and the next attempt resumes behind them. Reports progress and errors;
// uploads.ts decides about retries.

import { Refusal } from '../commands.ts';
import type { Door } from '../sync/door.ts';
import type { SavedUpload } from '../sync/saved-uploads.ts';
import { authHeaders, readRefusal } from './file-door.ts';

interface Sending {
  readonly signal: AbortSignal;
  readonly onProgress: (sent: number) => void;
  /** The server has accepted a piece, not only been sent it. */
  readonly onAccepted: () => void;
  /** Where the next attempt can go on. */
  readonly onAddress: (address: string) => void;
}

const pieceBytes = 6 * 1024 * 1024;

export async function sendFile(
  door: Door,
  { file, attachment, address }: SavedUpload,
  { signal, onProgress, onAccepted, onAddress }: Sending,
): Promise<void> {
  const { Upload } = await import('tus-js-client');
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: `${location.origin}/storage/v1/upload/resumable`,
      uploadUrl: address,
      metadata: {
        bucketName: 'attachments',
        objectName: attachment.object_path,
        contentType: attachment.content_type,
        cacheControl: '3600',
      },
      // What arrived and was not answered may arrive again; the path is this attachment's alone.
      headers: { 'x-upsert': 'true' },
      chunkSize: pieceBytes,
      uploadDataDuringCreation: true,
      storeFingerprintForResuming: false,
      retryDelays: null,
      // A token lives shorter than a large upload may take.
      onBeforeRequest: async (request) => {
        for (const [name, value] of Object.entries(await authHeaders(door))) request.setHeader(name, value);
      },
      onUploadUrlAvailable: () => void (upload.url && onAddress(upload.url)),
      onProgress,
      onChunkComplete: onAccepted,
      onSuccess: () => resolve(),
      onError: (error) => reject(refusalOf(error)),
    });
    signal.addEventListener('abort', () => {
      // What was given up for good is cleared away on the server.
      void upload.abort(signal.reason === forgotten).catch(() => undefined);
      reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
    });
    upload.start();
  });
}

/** The reason for stopping that asks the server to forget what has arrived. */
export const forgotten = new Error('cancelled');

interface Answered {
  readonly causingError?: Error | null;
  readonly originalResponse?: {
    getStatus(): number;
    getBody(): string;
    getHeader(name: string): string | undefined;
  } | null;
}

function refusalOf(error: Error & Answered): Error {
  if (error.causingError instanceof Refusal) return error.causingError;
  const response = error.originalResponse ?? null;
  if (response === null) return new Refusal(error.message, '', 0);
  return readRefusal(response.getBody(), response.getStatus(), response.getHeader('x-error-code'));
}
