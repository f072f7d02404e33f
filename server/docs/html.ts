// HTML as a tagged template: what is put in is escaped unless it is HTML already.

export class Html {
  constructor(readonly text: string) {}
}

type Piece = Html | string | number | null | undefined | false | readonly Piece[];

export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(strings.reduce((text, part, index) => text + write(pieces[index - 1]) + part));
}

function write(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(write).join('');
  return escapeHtml(String(piece));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? letter);

/** Paragraphs, and `code` in backticks: all the markup that descriptions use. */
export function prose(text: string | undefined): Html | null {
  if (text === undefined || text.trim() === '') return null;
  const paragraphs = text.trim().split(/\n{2,}/);
  return html`${paragraphs.map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`;
}

export function inline(text: string): Html {
  return html`${text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
