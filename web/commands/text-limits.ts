// Limits of texts, counted as the server counts: in characters, of which an emoji is one and not two.

export const titleLength = 500;
export const descriptionLength = 100_000;
export const commentLength = 50_000;

/** How many characters it has too many. */
export function excessCharacters(text: string, most: number): number {
  return text.length <= most ? 0 : Math.max(0, [...text].length - most);
}

export function truncate(text: string, most: number): string {
  return excessCharacters(text, most) === 0 ? text : [...text].slice(0, most).join('');
}

/** A pasted list, line by line. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
