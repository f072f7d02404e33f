// Lines of a stream of text, of which no more than one is held: null stands for one that is longer than that.

export async function* readLines(stream: AsyncIterable<string>, most: number): AsyncGenerator<string | null> {
  let left = '';
  let isTooLong = false;
  for await (const part of stream) {
    const lines = part.split('\n');
    for (const [at, line] of lines.entries()) {
      if (left.length + line.length > most) {
        isTooLong = true;
        left = '';
      } else if (!isTooLong) left += line;
      if (at === lines.length - 1) break;
      yield isTooLong ? null : left.replace(/\r$/, '');
      left = '';
      isTooLong = false;
    }
  }
  if (isTooLong) yield null;
  else if (left !== '') yield left;
}
