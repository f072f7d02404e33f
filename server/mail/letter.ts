// A letter before it has a form: what it says, in the order it says it. Text and HTML are made from the same one.

export interface Letter {
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly action?: { readonly label: string; readonly url: string };
  /** To be typed where it is asked for. */
  readonly code?: string;
  /** Why this came, and what to do if it was not expected. */
  readonly closing?: string;
}

/** What a room put in the outbox, as text by name. */
export interface LetterData {
  readonly text: (name: string) => string;
  readonly list: (name: string) => readonly string[];
  readonly object: (name: string) => LetterData | null;
}

const longestValue = 2000;

export function readLetterData(data: Readonly<Record<string, unknown>>): LetterData {
  return {
    text: (name) => asText(data[name]),
    list: (name) => {
      const value = data[name];
      return Array.isArray(value) ? value.slice(0, 50).map(asText) : [];
    },
    object: (name) => {
      const value = data[name];
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? readLetterData(value as Record<string, unknown>)
        : null;
    },
  };
}

/** One line, no control characters: nothing that came from a person can start a header or a paragraph of its own. */
function asText(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  return String(value)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, longestValue);
}
