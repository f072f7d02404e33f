// Data of server-sent events, one text an event, whichever way the stream is cut.

export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let left = '';
  let data: string[] = [];
  for await (const part of stream as unknown as AsyncIterable<Uint8Array>) {
    const lines = (left + decoder.decode(part, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    left = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0 && data.some((one) => one !== '')) yield data.join('\n');
        data = [];
      } else if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    }
  }
}
