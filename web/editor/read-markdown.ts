// Markdown to a text that can be written in, remembering for every block which stretch of the source it was read from: what nobody
// touches is later written as it stood, to the byte (write-markdown.ts). Parsed by the parser of the reading view, so both agree.

import type { Token, Tokens } from 'marked';
import type { Mark, Node } from 'prosemirror-model';
import { lexBounded, MarkdownOverrun } from '../ui/text/bounded-lexer.ts';
import { schema } from './schema.ts';

/** A block as it was read. */
export interface Origin {
  readonly node: Node;
  /** Its Markdown, without the empty lines after it. */
  readonly text: string;
  /** Which block followed it in the same place, and what stood between. */
  readonly after: { readonly source: number; readonly gap: string } | null;
}

export interface ReadText {
  readonly doc: Node;
  readonly origins: ReadonlyMap<number, Origin>;
  /** What stood before the first block and after the last. */
  readonly head: { readonly source: number | null; readonly text: string };
  readonly tail: { readonly source: number | null; readonly text: string };
}

interface Run {
  readonly nodes: readonly Node[];
  readonly head: string;
  readonly tail: string;
}

interface Block {
  readonly node: Node;
  readonly source: number;
  text: string;
  gap: string;
}

const { nodes: kinds, marks: looks } = schema;
let last = 0;

export function readMarkdown(text: string): ReadText {
  const origins = new Map<number, Origin>();
  const plain = text.replace(/\r\n|\r/g, '\n');
  const tokens = tokensOf(plain);
  const { nodes, head, tail } = tokens === null ? readWhole(text, origins) : readRun(tokens, origins, text, plain);
  const sourceOf = (node: Node | undefined): number | null => node?.attrs.source ?? null;
  const content = nodes.length === 0 ? [kinds.paragraph.create()] : nodes;
  return {
    doc: kinds.doc.create(null, content),
    origins,
    head: { source: sourceOf(nodes[0]), text: head },
    tail: { source: sourceOf(nodes.at(-1)), text: tail },
  };
}

/** Null: it is too complex to be read, or the parser did not give it back as it was. */
function tokensOf(plain: string): Token[] | null {
  try {
    return withGaps(lexBounded(plain, { gfm: true, breaks: true }), plain);
  } catch (fault) {
    if (fault instanceof MarkdownOverrun) return null;
    throw fault;
  }
}

/** The parser leaves empty space out at some ends. Null: more than that is missing. */
function withGaps(tokens: readonly Token[], plain: string): Token[] | null {
  const all: Token[] = [];
  let at = 0;
  for (const token of tokens) {
    const raw = plain.startsWith(token.raw, at) ? token.raw : token.raw.trimEnd();
    const place = plain.indexOf(raw, at);
    if (place < 0 || plain.slice(at, place).trim() !== '') return null;
    if (place > at) all.push({ type: 'space', raw: plain.slice(at, place) });
    all.push({ ...token, raw } as Token);
    at = place + raw.length;
  }
  if (plain.slice(at).trim() !== '') return null;
  if (at < plain.length) all.push({ type: 'space', raw: plain.slice(at) });
  return all;
}

/** A text without tokens stands as it is, in one block. */
function readWhole(text: string, origins: Map<number, Origin>): Run {
  const source = ++last;
  const node = kinds.raw_block.create({ source }, textOf(text));
  origins.set(source, { node, text, after: null });
  return { nodes: [node], head: '', tail: '' };
}

/** Stretches of the source, also where its lines end as on Windows and the parser has seen others. */
function slicer(text: string, plain: string): (from: number, to: number) => string {
  if (text === plain) return (from, to) => text.slice(from, to);
  const places = new Uint32Array(plain.length + 1);
  let at = 0;
  for (let place = 0; place < plain.length; place++) {
    places[place] = at;
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
  }
  places[plain.length] = text.length;
  return (from, to) => text.slice(places[from], places[to]);
}

function readRun(tokens: readonly Token[], origins: Map<number, Origin>, text?: string, plain = ''): Run {
  const slice = text === undefined ? null : slicer(text, plain);
  const blocks: Block[] = [];
  let head = '';
  let at = 0;
  const lastBlock = (): Block | undefined => blocks.at(-1);
  for (const token of tokens) {
    const { raw } = token;
    const made = token.type === 'space' ? null : readBlock(token, origins);
    // Empty lines at its end are between it and the next.
    const body = made === null ? 0 : raw.replace(/(?<!\n)\n+$/, '').length;
    const textIn = (from: number, to: number): string => slice?.(at + from, at + to) ?? raw.slice(from, to);
    if (made !== null) {
      const source = ++last;
      const node = made.type.create({ ...made.attrs, source }, made.content, made.marks);
      blocks.push({ node, source, text: textIn(0, body), gap: textIn(body, raw.length) });
    } else {
      const before = lastBlock();
      if (before === undefined) head += textIn(0, raw.length);
      else before.gap += textIn(0, raw.length);
    }
    at += raw.length;
  }
  blocks.forEach(({ node, source, text, gap }, place) => {
    const next = blocks[place + 1];
    origins.set(source, { node, text, after: next ? { source: next.source, gap } : null });
  });
  return { nodes: blocks.map(({ node }) => node), head, tail: lastBlock()?.gap ?? '' };
}

function readBlock(token: Token, origins: Map<number, Origin>): Node | null {
  switch (token.type) {
    case 'paragraph':
    case 'text':
      return kinds.paragraph.create(null, readInline((token as Tokens.Paragraph).tokens ?? [token]));
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading;
      return kinds.heading.create({ level: depth }, readInline(tokens));
    }
    case 'code': {
      const { lang = '', text, raw, codeBlockStyle } = token as Tokens.Code;
      const fence = codeBlockStyle === 'indented' ? '```' : (/^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1] ?? '```');
      return kinds.code_block.create({ language: lang, fence }, textOf(text));
    }
    case 'blockquote': {
      const { nodes } = readRun((token as Tokens.Blockquote).tokens, origins);
      return kinds.blockquote.create(null, nodes.length === 0 ? [kinds.paragraph.create()] : nodes);
    }
    case 'list':
      return readList(token as Tokens.List, origins);
    case 'hr':
      return kinds.horizontal_rule.create();
    case 'table':
      return readTable(token as Tokens.Table);
    default:
      return kinds.raw_block.create(null, textOf(token.raw.replace(/(?<!\n)\n+$/, '')));
  }
}

function readList({ items, ordered, start, loose }: Tokens.List, origins: Map<number, Origin>): Node {
  const made: { node: Node; source: number; text: string; gap: string }[] = items.map((item) => {
    const source = ++last;
    const [lead = ''] = /^ *(?:[*+-]|\d{1,9}[.)])(?: +(?=\S)|\t|$| (?= ))/m.exec(item.raw) ?? [];
    const [first, ...rest] = item.tokens;
    // A box stands before the words, or at the beginning of their paragraph.
    const inside = item.task ? withoutBox(first, rest) : item.tokens;
    const { nodes } = readRun(inside, origins);
    const attrs = { checked: item.task ? item.checked === true : null, lead: lead.replace('\t', ' '), source };
    const node = kinds.list_item.create(attrs, nodes.length === 0 ? [kinds.paragraph.create()] : nodes);
    const text = item.raw.replace(/(?<!\n)\n+$/, '');
    return { node, source, text, gap: item.raw.slice(text.length) };
  });
  made.forEach(({ node, source, text, gap }, place) => {
    const next = made[place + 1];
    origins.set(source, { node, text, after: next ? { source: next.source, gap } : null });
  });
  const [, marker = ordered ? '.' : '-'] = /^ *(?:\d+)?([*+.)-])/.exec(items[0]?.raw ?? '') ?? [];
  const content = made.map(({ node }) => node);
  return ordered
    ? kinds.ordered_list.create({ start: start === '' ? 1 : start, marker, tight: !loose }, content)
    : kinds.bullet_list.create({ marker, tight: !loose }, content);
}

function withoutBox(first: Token | undefined, rest: readonly Token[]): readonly Token[] {
  if (first?.type === 'checkbox') return rest;
  if (first === undefined || !('tokens' in first) || first.tokens?.[0]?.type !== 'checkbox')
    return [...(first ? [first] : []), ...rest];
  const [box, ...words] = first.tokens;
  return [{ ...first, raw: first.raw.slice(box.raw.length), tokens: words } as Token, ...rest];
}

function readTable({ header, rows }: Tokens.Table): Node {
  const cells = (kind: typeof kinds.table_cell, row: readonly Tokens.TableCell[]): Node =>
    kinds.table_row.create(
      null,
      row.map(({ tokens, align }) => kind.create({ align }, readInline(tokens))),
    );
  return kinds.table.create(null, [
    cells(kinds.table_header, header),
    ...rows.map((row) => cells(kinds.table_cell, row)),
  ]);
}

function textOf(text: string): Node[] {
  return text === '' ? [] : [schema.text(text)];
}

function readInline(tokens: readonly Token[]): Node[] {
  const nodes: Node[] = [];
  addInline(tokens, [], nodes);
  return tidy(nodes);
}

/** Spaces at the ends of lines are nothing to a reader. */
function tidy(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node, at) => {
    if (!node.isText || node.marks.some((mark) => mark.type === looks.code)) return [node];
    const starts = at === 0 || nodes[at - 1]?.type === kinds.hard_break;
    const ends = at === nodes.length - 1 || nodes[at + 1]?.type === kinds.hard_break;
    let text = node.text ?? '';
    if (starts) text = text.replace(/^[ \t]+/, '');
    if (ends) text = withoutSpaceAtEnd(text);
    return text === '' ? [] : [schema.text(text, node.marks)];
  });
}

/** A pattern would try each run of spaces on its way to the end. */
function withoutSpaceAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ' || text[end - 1] === '\t') end--;
  return text.slice(0, end);
}

function addInline(tokens: readonly Token[], around: readonly Mark[], into: Node[]): void {
  const add = (text: string, marks: readonly Mark[] = around): void => {
    if (text !== '') into.push(schema.text(text, marks));
  };
  const within = (token: Token, mark: Mark): void =>
    addInline(('tokens' in token ? token.tokens : undefined) ?? [], mark.addToSet(around), into);
  for (const token of tokens) {
    switch (token.type) {
      case 'strong':
        within(token, looks.strong.create({ marker: token.raw.slice(0, 2) }));
        break;
      case 'em':
        within(token, looks.em.create({ marker: token.raw.slice(0, 1) }));
        break;
      case 'del':
        within(token, looks.strike.create());
        break;
      case 'link':
        within(token, looks.link.create({ href: token.href, title: token.title ?? null }));
        break;
      case 'codespan':
        add(token.text, looks.code.create().addToSet(around));
        break;
      case 'image':
        into.push(kinds.image.create({ src: token.href, alt: token.text, title: token.title ?? null }, null, around));
        break;
      case 'br':
        into.push(kinds.hard_break.create(null, null, around));
        break;
      case 'text':
        if ('tokens' in token && token.tokens) addInline(token.tokens, around, into);
        else addLines(decodeEntities(token.text), add, () => into.push(kinds.hard_break.create(null, null, around)));
        break;
      case 'escape':
        add(token.text);
        break;
      default:
        add(token.raw);
    }
  }
}

function addLines(text: string, add: (text: string) => void, brk: () => void): void {
  text.split('\n').forEach((line, at) => {
    if (at > 0) brk();
    add(line);
  });
}

/** Those that people write; any other stays as it stands, and is written so again. */
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  larr: '←',
  rarr: '→',
  times: '×',
  deg: '°',
  euro: '€',
  pound: '£',
  sect: '§',
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[Xx]([a-fA-F0-9]{1,6})|(\w{1,32}));/g, (found, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? found) : found;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 31 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : found;
  });
}
