// Content of an email before it has a form: its parts in order. Text and HTML are made from the same content.

export interface MailContent {
  readonly subject: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly action?: { readonly label: string; readonly url: string };
  /** To be typed where it is asked for. */
  readonly code?: string;
  /** Several things that happened, each with who and what. */
  readonly sections?: readonly MailSection[];
  /** Mails about the same are shown together: what they are about, by its id. */
  readonly thread?: string;
  /** Whose notifications end when a mail program is asked to unsubscribe. */
  readonly unsubscribe?: string;
  /** Why this came, and what to do if it was not expected. */
  readonly closing?: string;
}

export interface MailSection {
  readonly title?: string;
  readonly url?: string;
  readonly lines: readonly MailLine[];
}

export interface MailLine {
  readonly words: string;
  readonly quote?: string;
  /** Ids of the pictures that what is quoted shows. */
  readonly pictures?: readonly string[];
}

/** What a room put in the mail queue, as text by name. */
export interface MailData {
  readonly text: (name: string) => string;
  readonly list: (name: string) => readonly string[];
  readonly object: (name: string) => MailData | null;
  readonly objects: (name: string) => readonly MailData[];
}

const longestValue = 2000;

export function readMailData(data: Readonly<Record<string, unknown>>): MailData {
  return {
    text: (name) => asText(data[name]),
    list: (name) => {
      const value = data[name];
      return Array.isArray(value) ? value.slice(0, 50).map(asText) : [];
    },
    object: (name) => {
      const value = data[name];
      return isObject(value) ? readMailData(value) : null;
    },
    objects: (name) => {
      const value = data[name];
      return Array.isArray(value) ? value.slice(0, 100).filter(isObject).map(readMailData) : [];
    },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One line, no control characters: nothing that came from a person can start a header or a paragraph of its own. */
function asText(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  return String(value)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, longestValue);
}
