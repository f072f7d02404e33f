// A refusal of /storage/v1, which tells the real status in its body; of a resumable upload, in words, with the code in a header.

import { Refusal } from '../sync/door.ts';

export function readRefusal(body: string, status: number, knownCode = ''): Refusal {
  try {
    const { message = '', error = '', code = error, statusCode } = JSON.parse(body) as Readonly<Record<string, string>>;
    return new Refusal(message || error, code, Number(statusCode) || status);
  } catch {
    return new Refusal(body.slice(0, 300), knownCode, status);
  }
}
