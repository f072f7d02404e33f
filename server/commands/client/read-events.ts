// Data of server-sent events, one text an event, whichever way the stream is cut.

/** Throws at one of more than `most` characters. */
export async function* readEvents(
  stream: ReadableStream<Uint8Array>,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let left = '';
  let length = 0;
  let data: string[] = [];
  /** The end of a part, which may be the first half of an end of line. */
  let half = '';
  for await (const part of stream as unknown as AsyncIterable<Uint8Array>) {
    const text = half + decoder.decode(part, { stream: true });
    half = text.endsWith('\r') ? '\r' : '';
    const lines = (half === '' ? text : text.slice(0, -1)).split(/\r\n|\n|\r/);
    for (const [at, piece] of lines.entries()) {
      left += piece;
      length += piece.length;
      if (length > most) throw new Error(`An event is longer than ${most} characters`);
      if (at === lines.length - 1) break;
      const line = left;
      left = '';
      if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      if (line !== '') continue;
      if (data.some((one) => one !== '')) yield data.join('\n');
      data = [];
      length = 0;
    }
  }
}
