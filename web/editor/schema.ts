// Schema of the editor: Markdown's elements, drawn as the reading view draws them. Markdown without a form of its own here (HTML,
// definitions of links) stands in a block as it is. `source` names the place in the text that a block was read from; markers, fences and
// indents are kept so that saved text looks as its author writes.

import { type Attrs, type DOMOutputSpec, type MarkSpec, type Node, type NodeSpec, Schema } from 'prosemirror-model';
import { tableNodes } from 'prosemirror-tables';

const source = { source: { default: null } };

const picture = /^(?:https:|data:image\/|attachment:|\/(?!\/))/i;
const target = /^(?:https?:|mailto:|\/(?!\/)|#|attachment:)/i;

/** An address that may be opened: nothing else becomes a link. */
export function isSafeAddress(href: string): boolean {
  return target.test(href);
}

export function isPicture(src: string): boolean {
  return picture.test(src);
}

const tables = tableNodes({
  tableGroup: 'block',
  cellContent: 'inline*',
  cellAttributes: {
    align: {
      default: null,
      getFromDOM: (cell) => {
        const align = cell.getAttribute('align') ?? cell.style.textAlign;
        return /^(?:left|center|right)$/.test(align) ? align : null;
      },
      setDOMAttr: (value, attrs) => {
        if (value) attrs.align = value;
      },
    },
  },
});

const nodes = {
  doc: { content: 'block+' },
  paragraph: {
    content: 'inline*',
    group: 'block',
    attrs: source,
    parseDOM: [{ tag: 'p' }],
    toDOM: () => ['p', 0],
  },
  heading: {
    attrs: { level: { default: 1 }, ...source },
    content: 'inline*',
    group: 'block',
    defining: true,
    parseDOM: [
      ...[1, 2, 3].map((level) => ({ tag: `h${level}`, attrs: { level } })),
      // Our own reading view begins at four: what is copied from it comes back as it was.
      ...[4, 5, 6].map((depth) => ({ tag: `h${depth}`, attrs: { level: depth - 3 } })),
    ],
    toDOM: ({ attrs }) => [`h${Math.min(attrs.level + 3, 6)}`, 0],
  },
  code_block: {
    content: 'text*',
    marks: '',
    group: 'block',
    code: true,
    defining: true,
    attrs: { language: { default: '' }, fence: { default: '```' }, ...source },
    parseDOM: [
      {
        tag: 'pre',
        preserveWhitespace: 'full',
        getAttrs: (pre) => ({
          language: pre.querySelector('code')?.dataset.language ?? pre.dataset.language ?? '',
        }),
      },
    ],
    toDOM: ({ attrs }) => ['pre', { 'data-language': attrs.language, spellcheck: 'false' }, ['code', 0]],
  },
  blockquote: {
    content: 'block+',
    group: 'block',
    defining: true,
    attrs: source,
    parseDOM: [{ tag: 'blockquote' }],
    toDOM: () => ['blockquote', 0],
  },
  bullet_list: {
    content: 'list_item+',
    group: 'block list',
    attrs: { marker: { default: '-' }, tight: { default: true }, ...source },
    parseDOM: [{ tag: 'ul' }],
    toDOM: () => ['ul', 0],
  },
  ordered_list: {
    content: 'list_item+',
    group: 'block list',
    attrs: { start: { default: 1 }, marker: { default: '.' }, tight: { default: true }, ...source },
    parseDOM: [{ tag: 'ol', getAttrs: (list) => ({ start: Number(list.getAttribute('start') ?? 1) }) }],
    toDOM: ({ attrs }) => ['ol', attrs.start === 1 ? {} : { start: attrs.start }, 0],
  },
  list_item: {
    content: 'block+',
    defining: true,
    // `checked`: null where there is no box; `lead`: what stands before its words.
    attrs: { checked: { default: null }, lead: { default: '' }, ...source },
    parseDOM: [
      {
        tag: 'li',
        getAttrs: (item) => {
          const box = item.querySelector<HTMLInputElement>(
            ':scope > input[type=checkbox], :scope > p > input[type=checkbox]',
          );
          if (item.dataset.checked) return { checked: item.dataset.checked === 'true' };
          return { checked: box ? box.checked : null };
        },
      },
    ],
    toDOM: ({ attrs }) => ['li', attrs.checked === null ? {} : { 'data-checked': String(attrs.checked) }, 0],
  },
  horizontal_rule: {
    group: 'block',
    attrs: source,
    parseDOM: [{ tag: 'hr' }],
    toDOM: () => ['hr'],
  },
  raw_block: {
    content: 'text*',
    marks: '',
    group: 'block',
    code: true,
    defining: true,
    attrs: source,
    toDOM: () => ['pre', { 'data-raw': '', spellcheck: 'false' }, 0],
  },
  table: { ...tables.table, attrs: source },
  table_row: tables.table_row,
  table_cell: tables.table_cell,
  table_header: tables.table_header,
  text: { group: 'inline' },
  image: {
    inline: true,
    group: 'inline',
    draggable: true,
    attrs: { src: { default: '' }, alt: { default: '' }, title: { default: null } },
    parseDOM: [
      {
        tag: 'img',
        getAttrs: (image) => {
          const { attachment } = image.dataset;
          const src = attachment ? `attachment:${attachment}` : (image.getAttribute('src') ?? '');
          if (!isPicture(src)) return false;
          return { src, alt: image.getAttribute('alt') ?? '', title: image.getAttribute('title') };
        },
      },
    ],
    toDOM: drawImage,
  },
  hard_break: {
    inline: true,
    group: 'inline',
    selectable: false,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
  },
} satisfies Record<string, NodeSpec>;

/** A picture of the bucket has no address yet; who shows the text finds it by `data-attachment`. */
function drawImage({ attrs }: Node): DOMOutputSpec {
  const { src, alt, title } = attrs as { src: string; alt: string; title: string | null };
  const [, id] = /^attachment:(.+)$/.exec(src) ?? [];
  const named: Attrs = { alt, ...(title ? { title } : {}) };
  if (id !== undefined) return ['img', { ...named, 'data-attachment': id.toLowerCase() }];
  if (!isPicture(src)) return ['span', { 'data-no-picture': '' }, alt];
  return ['img', { ...named, src, referrerpolicy: 'no-referrer' }];
}

const marks = {
  link: {
    attrs: { href: {}, title: { default: null } },
    inclusive: false,
    parseDOM: [
      {
        tag: 'a',
        getAttrs: (link) => {
          const { attachment } = link.dataset;
          const href = attachment ? `attachment:${attachment}` : (link.getAttribute('href') ?? '');
          return isSafeAddress(href) ? { href, title: link.getAttribute('title') } : false;
        },
      },
    ],
    // What may not be opened is drawn without its address.
    toDOM: ({ attrs }) => [
      'a',
      isSafeAddress(attrs.href) ? { href: attrs.href, title: attrs.title ?? attrs.href } : {},
      0,
    ],
  },
  strong: {
    attrs: { marker: { default: '**' } },
    parseDOM: [
      { tag: 'strong' },
      { tag: 'b', getAttrs: (element) => element.style.fontWeight !== 'normal' && null },
      { style: 'font-weight', getAttrs: (value) => /^(?:bold(?:er)?|[6-9]\d\d)$/.test(value) && null },
    ],
    toDOM: () => ['strong', 0],
  },
  em: {
    attrs: { marker: { default: '*' } },
    parseDOM: [{ tag: 'em' }, { tag: 'i', getAttrs: (element) => element.style.fontStyle !== 'normal' && null }],
    toDOM: () => ['em', 0],
  },
  strike: {
    parseDOM: [{ tag: 'del' }, { tag: 's' }],
    toDOM: () => ['del', 0],
  },
  code: {
    code: true,
    parseDOM: [{ tag: 'code' }],
    toDOM: () => ['code', { spellcheck: 'false' }, 0],
  },
} satisfies Record<string, MarkSpec>;

export const schema = new Schema<keyof typeof nodes, keyof typeof marks>({ nodes, marks });
