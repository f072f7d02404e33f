// HTTP for measuring: one request, its whole answer, as little else as can be, since it shares the processors with what it measures.

import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | null;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** No answer, or not all of it. `late`: it did not come in time. */
export class NoResponse extends Error {
  readonly late: boolean;

  constructor(message: string, late: boolean) {
    super(message);
    this.late = late;
  }
}

export function ask(
  agent: Agent,
  url: string,
  { method, path, headers = {}, body = null }: HttpRequest,
  timeoutMs = 20_000,
): Promise<HttpResponse> {
  const { hostname, port } = new URL(url);
  // Without it Node sends the body of a DELETE unannounced, which the server takes for the next request on that connection.
  const announced = body === null ? headers : { ...headers, 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path, headers: announced }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
      });
      response.on('error', fail);
    });
    const timer = setTimeout(() => {
      reject(new NoResponse(`${method} ${path} was not answered within ${timeoutMs} ms`, true));
      sent.destroy();
    }, timeoutMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(new NoResponse(`${method} ${path}: ${error.message}`, false));
    };
    sent.on('error', fail);
    sent.end(body ?? undefined);
  });
}

/** Both headers, and JSON where there is a body. */
export function asCaller(
  anonKey: string,
  token: string,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return { apikey: anonKey, authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more };
}
