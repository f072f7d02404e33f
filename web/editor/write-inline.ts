// The words of one block as Markdown: marks around their words, and what would mean something escaped, in one of three strengths.

import type { Mark, Node } from 'prosemirror-model';
import { schema } from './schema.ts';

/** 0: nothing is escaped; 1: what often means something; 2: all that could. */
export type Strength = 0 | 1 | 2;

export interface InlineOptions {
  readonly strength: Strength;
  /** The markers someone chose (`_so_`), or always the safest. */
  readonly ownMarkers: boolean;
  /** In the cell of a table or a heading all is one line. */
  readonly oneLine: boolean;
  readonly inTable: boolean;
}

const { nodes: kinds, marks: looks } = schema;

export function writeInline(block: Node, options: InlineOptions): string {
  let out = '';
  let open: Mark[] = [];
  /** Where each open mark begins in what is written. */
  const children: Node[] = [];
  block.forEach((child) => void children.push(child));

  const markerOf = (mark: Mark): string => {
    if (mark.type === looks.strike) return '~~';
    if (mark.type === looks.strong) return options.ownMarkers ? mark.attrs.marker : '**';
    return options.ownMarkers ? mark.attrs.marker : '*';
  };
  const close = (mark: Mark): void => {
    if (mark.type === looks.link) {
      out += `](${addressOf(mark)})`;
      return;
    }
    // Before a closing marker there is no space.
    const space = out.slice(out.trimEnd().length);
    out = out.slice(0, out.length - space.length) + markerOf(mark) + space;
  };
  const closeTo = (left: number): void => {
    while (open.length > left) {
      const mark = open.pop();
      if (mark) close(mark);
    }
  };

  children.forEach((child, at) => {
    const wanted = child.marks.filter((mark) => mark.type !== looks.code && !isBare(mark, child));
    const kept = open.findIndex((mark) => !mark.isInSet(wanted));
    closeTo(kept < 0 ? open.length : kept);
    const fresh = wanted
      .filter((mark) => !open.includes(mark) && !open.some((one) => one.eq(mark)))
      .sort((one, other) => lasts(children, at, other) - lasts(children, at, one));
    let text = textOf(child, out, options);
    if (fresh.length > 0) {
      // After an opening marker neither.
      const [space = ''] = /^\s*/.exec(text) ?? [];
      text = text.slice(space.length);
      out += space;
      for (const mark of fresh) out += mark.type === looks.link ? '[' : markerOf(mark);
      open = [...open, ...fresh];
    }
    out += text;
  });
  closeTo(0);
  return out;
}

/** How many pieces from here on have the mark. */
function lasts(children: readonly Node[], at: number, mark: Mark): number {
  let end = at;
  while (end < children.length && children[end]?.marks.some((one) => one.eq(mark))) end++;
  return end - at;
}

/** An address that stands there as itself. */
export function isBare(mark: Mark, text: Node): boolean {
  return (
    mark.type === looks.link &&
    mark.attrs.title === null &&
    text.isText &&
    isOwnAddress(text.text ?? '', mark.attrs.href)
  );
}

export function isOwnAddress(text: string, href: string): boolean {
  return /^(?:https?:\/\/|www\.|[^\s@]+@)\S+$/i.test(text) && [text, `http://${text}`, `mailto:${text}`].includes(href);
}

function addressOf({ attrs }: Mark): string {
  const href = String(attrs.href).replaceAll('\n', '%0A');
  const address = /[\s()<>\\]/.test(href) || href === '' ? `<${href.replace(/[<>\\]/g, '\\$&')}>` : href;
  return attrs.title === null ? address : `${address} "${String(attrs.title).replace(/["\\]/g, '\\$&')}"`;
}

function textOf(child: Node, before: string, options: InlineOptions): string {
  if (child.type === kinds.hard_break) {
    if (options.oneLine) return ' ';
    return before === '' || before.endsWith('\n') ? '\\\n' : '\n';
  }
  if (child.type === kinds.image) {
    const { src, alt, title } = child.attrs;
    const address = addressOf(looks.link.create({ href: src, title }));
    const label = String(alt).replace(/[\\[\]`*_<>]/g, '\\$&');
    return `![${options.inTable ? label.replaceAll('|', '\\|') : label}](${address})`;
  }
  const text = child.text ?? '';
  if (child.marks.some((mark) => mark.type === looks.code)) return codeOf(text, options);
  if (child.marks.some((mark) => isBare(mark, child))) return text;
  return escapeText(text, before, options);
}

function codeOf(text: string, { inTable }: InlineOptions): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length);
  let length = 1;
  while (runs.includes(length)) length++;
  const isSpaced = text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '';
  const pad = isSpaced || /^`|`$/.test(text) ? ' ' : '';
  const fence = '`'.repeat(length);
  return fence + pad + (inTable ? text.replaceAll('|', '\\|') : text) + pad + fence;
}

/** What would begin a heading, list, quote, fence or line at the beginning of a line. */
const beginning =
  /^(\s*)(?:(#{1,6})(?=\s|$)|([>|])|([-+*])(?=\s|$)|(\d{1,9})([.)])(?=\s|$)|(`{3,}|~{3,}|={1,}\s*$|-{2,}\s*$))/;

function escapeText(text: string, before: string, { strength, inTable, oneLine }: InlineOptions): string {
  let escaped = text;
  if (strength === 1)
    escaped = text
      .replace(/[\\`*[\]<]|~(?=~)|!(?=\[)/g, '\\$&')
      .replace(/&(?=#?\w+;)/g, '\\&')
      // Within a word it is a letter.
      .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_');
  if (strength === 2) escaped = text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
  else if (inTable) escaped = escaped.replaceAll('|', '\\|');
  const begins = !oneLine && (before === '' || before.endsWith('\n'));
  if (begins && strength === 1)
    escaped = escaped.replace(beginning, (found, space, _hashes, _quote, _bullet, digits, point) =>
      digits === undefined ? `${space}\\${found.slice(space.length)}` : `${space}${digits}\\${point}`,
    );
  return escaped;
}
