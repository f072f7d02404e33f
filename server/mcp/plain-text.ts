// Text of people for models: without characters that no reader sees, in which orders can hide.

/** Control characters, directions of writing, and others that show as nothing, tags (U+E0000) among them. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}]|[\u{e0000}-\u{e0fff}]/gu;

export const plainText = (text: string): string => text.replaceAll('\r\n', '\n').replace(unseen, '');

export function plainLine(text: string, most = 200): string {
  const line = plainText(text).replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line;
}

/** At most so many characters, and a word about the rest. */
export function cutText(text: string, most: number): string {
  const plain = plainText(text).trim();
  return plain.length > most ? `${plain.slice(0, most)}\n… (${plain.length - most} more characters)` : plain;
}
