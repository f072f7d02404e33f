// Words of an editor's HTML as markdown: paragraphs, lists, emphasis, links, code. All else of it is left as the words it holds.
// Read in one pass from tag to tag, so that a text without ends takes no longer than any other.

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }));

const marks = new Map([
  ['strong', '**'],
  ['b', '**'],
  ['em', '*'],
  ['i', '*'],
  ['s', '~~'],
  ['del', '~~'],
  ['pre', '\n```\n'],
  ['code', '`'],
]);
const opening = new Map([
  ['br', '\n'],
  ...[1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, `\n\n${'#'.repeat(level)} `] as const),
]);
const blocks = new Set(['p', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'blockquote']);

export function wordsOfHtml(html: string): string {
  const pieces = piecesOf(html.replaceAll(/\r?\n/g, ' '));
  if (!pieces.some(({ name }) => name !== null)) return html;
  const words: string[] = [];
  /** The link that is open: the place of its beginning, and its address. */
  let link: { readonly at: number; readonly href: string } | null = null;
  for (const { name, text } of pieces) {
    if (name === null) words.push(text);
    else if (name === 'a' && !text.startsWith('</')) {
      const href = attribute(text, 'href');
      if (href === null) continue;
      link = { at: words.length, href };
      words.push('');
    } else if (name === 'a' && link !== null) {
      words[link.at] = '[';
      words.push(`](${link.href})`);
      link = null;
    } else words.push(markOf(name, text));
  }
  return words
    .join('')
    .replaceAll(/&(?:#(\d{1,6})|(\w{2,5}));/g, (all, code: string | undefined, entity: string | undefined) =>
      code === undefined ? (entities.get(entity ?? '') ?? all) : String.fromCodePoint(Math.min(Number(code), 0x10ffff)),
    )
    .replaceAll(/(- (?:\[[ x]\] )?)\s+/g, '$1')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function markOf(name: string, tag: string): string {
  const mark = marks.get(name);
  if (mark !== undefined) return mark;
  if (tag.startsWith('</')) return blocks.has(name) ? '\n\n' : '';
  if (name !== 'li') return opening.get(name) ?? '';
  const checked = attribute(tag, 'data-checked');
  return checked === 'true' ? '\n- [x] ' : checked === 'false' ? '\n- [ ] ' : '\n- ';
}

interface Piece {
  /** Of a tag, in lower case; null: words. */
  readonly name: string | null;
  readonly text: string;
}

function piecesOf(html: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    const name = /^<\/?([a-z!][a-z0-9]{0,20})?/i.exec(html.slice(at, at + 24))?.[1]?.toLowerCase();
    if (name === undefined) {
      at++;
      continue;
    }
    const end = html.indexOf('>', at);
    if (end < 0) break;
    if (at > from) pieces.push({ name: null, text: html.slice(from, at) });
    pieces.push({ name, text: html.slice(at, end + 1) });
    at = from = end + 1;
  }
  if (from < html.length) pieces.push({ name: null, text: html.slice(from) });
  return pieces;
}

function attribute(tag: string, name: string): string | null {
  const at = tag.toLowerCase().indexOf(`${name}="`);
  const from = at + name.length + 2;
  const end = at < 0 ? -1 : tag.indexOf('"', from);
  return end < 0 ? null : tag.slice(from, end);
}
