// A refusal of /storage/v1, which tells the real status in its body.

import { Refusal } from '../sync/door.ts';

export function readRefusal(body: string, status: number): Refusal {
  try {
    const { message = '', error = '', code = error, statusCode } = JSON.parse(body) as Readonly<Record<string, string>>;
    return new Refusal(message || error, code, Number(statusCode) || status);
  } catch {
    return new Refusal(body.slice(0, 300), '', status);
  }
}
