// Writes the document of the editor as Markdown. An untouched block is copied from its source; a changed one is written with as few escapes as
// possible, and parsed again to prove that it reads the same.

import type { Node } from 'prosemirror-model';
import { shapeOf, shapesOf } from './compare-blocks.ts';
import { type Origin, type ReadText, readMarkdown } from './read-markdown.ts';
import { schema } from './schema.ts';
import { type InlineOptions, type Strength, writeInline } from './write-inline.ts';

const { nodes: kinds } = schema;

export interface Writer {
  write(doc: Node): string;
}

/** Remembers what it has written: of a long text a key changes one block. */
export function openWriter(read: ReadText): Writer {
  const written = new WeakMap<Node, string>();
  const eol = [...read.origins.values()].some(({ text, after }) => /\r\n/.test(text + (after?.gap ?? '')))
    ? '\r\n'
    : '\n';
  return {
    write(doc) {
      const context: WriteContext = { origins: read.origins, written, eol };
      const blocks = writtenOf(doc);
      const text = writeRun(context, blocks, false);
      if (blocks.length === 0) return doc.eq(read.doc) ? read.head.text + read.tail.text : '';
      const isFirst = blocks[0]?.attrs.source === read.head.source;
      const isLast = blocks.at(-1)?.attrs.source === read.tail.source;
      // An empty line at the end is the author's habit, whatever the last block is.
      const tail = isLast ? read.tail.text : /\n/.test(read.tail.text) ? eol : '';
      return (isFirst ? read.head.text : '') + text + tail;
    },
  };
}

interface WriteContext {
  readonly origins: ReadonlyMap<number, Origin>;
  readonly written: WeakMap<Node, string>;
  readonly eol: string;
}

/** Knows nothing of what was read: everything is written anew. */
const anew: WriteContext = { origins: new Map(), written: new WeakMap(), eol: '\n' };

/** What Markdown can say: an empty paragraph is nothing in it. */
function writtenOf(parent: Node): Node[] {
  const blocks: Node[] = [];
  parent.forEach((child) => {
    if (!isEmpty(child)) blocks.push(child);
  });
  return blocks;
}

function isEmpty(node: Node): boolean {
  return node.type === kinds.paragraph && shapeOf(node) === shapeOf(kinds.paragraph.create());
}

function untouched({ origins }: WriteContext, node: Node): Origin | null {
  const origin = origins.get(node.attrs.source);
  return origin?.node.eq(node) ? origin : null;
}

function writeRun(context: WriteContext, blocks: readonly Node[], tight: boolean): string {
  let out = '';
  let before: { node: Node; text: string } | null = null;
  for (const node of blocks) {
    let text = writeBlock(context, node);
    if (before !== null) {
      const join = joinOf(context, before, { node, text }, tight);
      out += join.gap;
      text = join.text;
    }
    out += text;
    before = { node, text };
  }
  return out;
}

/** What stands between two blocks, so that they stay two and what they are. */
function joinOf(
  context: WriteContext,
  one: { readonly node: Node; readonly text: string },
  other: { readonly node: Node; readonly text: string },
  tight: boolean,
): { gap: string; text: string } {
  const origin = context.origins.get(one.node.attrs.source);
  const kept = origin?.after?.source === other.node.attrs.source ? origin?.after?.gap : undefined;
  if (kept !== undefined && untouched(context, one.node) && untouched(context, other.node))
    return { gap: kept, text: other.text };
  const empty = context.eol + context.eol;
  const gaps = [kept, tight ? context.eol : undefined, empty].filter((gap) => gap !== undefined);
  const holds = (gap: string, text: string): boolean =>
    shapesOf(readMarkdown(one.text + gap + text).doc) ===
    shapesOf(readMarkdown(one.text).doc) + shapesOf(readMarkdown(text).doc);
  for (const gap of gaps) if (holds(gap, other.text)) return { gap, text: other.text };
  const again = writeBlock(anew, other.node);
  if (holds(empty, again)) return { gap: empty, text: again };
  // Two lists that follow each other are two by their markers.
  const { marker } = other.node.attrs;
  const swapped: Readonly<Record<string, string>> = { '-': '*', '*': '-', '+': '-', '.': ')', ')': '.' };
  if (!other.node.type.isInGroup('list')) return { gap: empty, text: other.text };
  const list = other.node.type.create({ ...other.node.attrs, marker: swapped[marker] }, other.node.content);
  // One that stood further in than the words before it now do would belong to them: it begins at the edge.
  const ways = [
    () => writeList(anew, other.node, false),
    () => writeBlock(anew, list),
    () => writeList(anew, list, false),
  ];
  for (const way of ways) {
    const text = way();
    if (holds(empty, text)) return { gap: empty, text };
  }
  return { gap: empty, text: writeBlock(anew, list) };
}

function writeBlock(context: WriteContext, node: Node): string {
  const origin = untouched(context, node);
  if (origin) return origin.text;
  const known = context.written.get(node);
  if (known !== undefined) return known;
  const text = writeAnew(context, node).replaceAll('\n', context.eol);
  context.written.set(node, text);
  return text;
}

function writeAnew(context: WriteContext, node: Node): string {
  switch (node.type) {
    case kinds.heading:
      return tried(node, (options) =>
        `${'#'.repeat(node.attrs.level)} ${writeInline(node, { ...options, oneLine: true }).trim()}`.trim(),
      );
    case kinds.code_block:
      return writeCode(node);
    case kinds.blockquote:
      return kept(node, [
        () => quoted(writeRun({ ...context, eol: '\n' }, writtenOf(node), false)),
        () => quoted(writeRun(anew, writtenOf(node), false)),
      ]);
    case kinds.bullet_list:
    case kinds.ordered_list:
      return kept(node, [() => writeList({ ...context, eol: '\n' }, node, true), () => writeList(anew, node, false)]);
    case kinds.horizontal_rule:
      return '---';
    case kinds.table:
      return tried(node, (options) => writeTable(node, { ...options, oneLine: true, inTable: true }));
    case kinds.raw_block:
      return node.textContent;
    default:
      return tried(node, (options) => trimLines(writeInline(node, options)));
  }
}

const everyOption: readonly InlineOptions[] = ([0, 1, 2] as Strength[]).flatMap((strength) =>
  [true, false].map((ownMarkers) => ({ strength, ownMarkers, oneLine: false, inTable: false })),
);

/** The first way to write it that says the same. */
function tried(node: Node, write: (options: InlineOptions) => string): string {
  return kept(
    node,
    everyOption.map((options) => () => write(options)),
  );
}

function kept(node: Node, ways: readonly (() => string)[]): string {
  const shape = shapeOf(node);
  let text = '';
  for (const way of ways) {
    text = way();
    if (shapesOf(readMarkdown(text).doc) === shape) return text;
  }
  return text;
}

function trimLines(text: string): string {
  const lines = text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/gm, '').replace(/^(?:\\?\n)+/, '');
  let end = lines.length;
  while (lines[end - 1] === '\n') end -= lines[end - 2] === '\\' ? 2 : 1;
  return lines.slice(0, end);
}

function writeCode({ attrs, textContent }: Node): string {
  const tick = String(attrs.fence)[0] ?? '`';
  const runs = [...textContent.matchAll(tick === '~' ? /~+/g : /`+/g)].map(([run]) => run.length);
  const fence = tick.repeat(Math.max(3, String(attrs.fence).length, ...runs.map((length) => length + 1)));
  return `${fence}${attrs.language}\n${textContent === '' ? '' : `${textContent}\n`}${fence}`;
}

function quoted(text: string): string {
  return text.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

function writeList(context: WriteContext, list: Node, ownLeads: boolean): string {
  const { marker, tight, start = 1 } = list.attrs;
  const ordered = list.type === kinds.ordered_list;
  let out = '';
  let before: Node | null = null;
  list.forEach((item, _offset, at) => {
    const number = ordered ? `${start + at}${marker}` : marker;
    const same = untouched(context, item);
    const text = same ? renumbered(same.text, number, ordered) : null;
    if (before !== null) {
      const origin = context.origins.get(before.attrs.source);
      const gap = origin?.after?.source === item.attrs.source ? origin?.after?.gap : undefined;
      out += gap?.includes('\n') ? gap : tight ? '\n' : '\n\n';
    }
    out += text ?? writeItem(context, item, number, ownLeads, tight);
    before = item;
  });
  return out;
}

/** The item as it stood, with the number it has now; null: its lines would stand otherwise. */
function renumbered(text: string, number: string, ordered: boolean): string | null {
  if (!ordered) return text;
  const [found = '', space = ''] = /^( *)\d{1,9}[.)]/.exec(text) ?? [];
  if (found === space + number) return text;
  return !text.includes('\n') || found.length === space.length + number.length
    ? space + number + text.slice(found.length)
    : null;
}

function writeItem(context: WriteContext, item: Node, number: string, ownLeads: boolean, tight: boolean): string {
  const [, space = '', after = ''] = /^( *)\S+( *)$/.exec(ownLeads ? item.attrs.lead : '') ?? [];
  const lead = `${space}${number}${after || ' '}`;
  const box = item.attrs.checked === null ? '' : item.attrs.checked ? '[x] ' : '[ ] ';
  const text = writeRun(context, writtenOf(item), tight);
  const [first = '', ...rest] = text.split('\n');
  const indent = ' '.repeat(lead.length);
  return [`${lead}${box}${first}`.trimEnd(), ...rest.map((line) => (line === '' ? '' : indent + line))].join('\n');
}

function writeTable(table: Node, options: InlineOptions): string {
  const rows: string[][] = [];
  const marks: string[] = [];
  table.forEach((row, _offset, at) => {
    const cells: string[] = [];
    row.forEach((cell) => {
      cells.push(writeInline(cell, options).trim());
      if (at > 0) return;
      const { align } = cell.attrs;
      marks.push(align === 'left' ? ':--' : align === 'right' ? '--:' : align === 'center' ? ':-:' : '---');
    });
    rows.push(cells);
  });
  const [header = [], ...body] = rows;
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`.replace(/\| {2}(?=\|)/g, '|  ');
  return [line(header), line(marks), ...body.map(line)].join('\n');
}
