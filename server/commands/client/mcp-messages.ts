// Messages of the Model Context Protocol as `kanbase mcp` passes them on, and the heads of requests that they take.

export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>> & { readonly _meta?: Readonly<Record<string, unknown>> };
  readonly result?: { readonly protocolVersion?: unknown };
}

const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** Answers have no method, and notifications no id. */
export const isRequest = ({ id, method }: Message): boolean => id !== undefined && id !== null && method !== undefined;

export function readMessage(line: string): Message | null {
  try {
    const read: unknown = JSON.parse(line);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}

/** A request of the revision without sessions says in its head what stands in its body. */
export function headersOf({ method, params = {} }: Message, agreed: string | null): Record<string, string> {
  const version = params._meta?.[versionKey];
  if (typeof version !== 'string') return agreed === null ? {} : { 'mcp-protocol-version': agreed };
  const name = params.name ?? params.uri;
  return {
    'mcp-protocol-version': version,
    ...(method === undefined ? {} : { 'mcp-method': method }),
    ...(typeof name === 'string' ? { 'mcp-name': encodeName(name) } : {}),
  };
}

const encodeName = (name: string): string =>
  /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !name.startsWith('=?base64?')
    ? name
    : `=?base64?${Buffer.from(name).toString('base64')}?=`;

/** Throws at one of more than `most` characters. */
export async function readText({ body }: Response, most: number): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true });
    if (text.length > most) throw new Error(`An answer is longer than ${most} characters`);
  }
  return text;
}

/** A message without a cause may be about the request, and repeat a header with the key. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof TypeError)) return error instanceof Error ? error.message : String(error);
  const { code } = (error.cause ?? {}) as { code?: string };
  return `The instance can't be reached (${code ?? 'the connection broke off'})`;
}
