// Compares blocks by their content, apart from the spelling of their Markdown: two blocks of the same shape read the same.

import type { Node } from 'prosemirror-model';
import { schema } from './schema.ts';
import { isOwnAddress } from './write-inline.ts';

const { nodes: kinds, marks: looks } = schema;

export function shapesOf(doc: Node): string {
  let shapes = '';
  doc.forEach((child) => {
    if (child.type !== kinds.paragraph || child.content.size > 0 || doc.type !== kinds.doc) shapes += shapeOf(child);
  });
  return shapes;
}

export function shapeOf(node: Node): string {
  const { type, attrs } = node;
  if (node.inlineContent && !type.spec.code) return `${nameOf(node)}(${inlineShape(node)})`;
  if (type === kinds.code_block) return `code(${JSON.stringify([attrs.language.trim(), node.textContent])})`;
  if (type === kinds.raw_block) return `raw(${JSON.stringify(node.textContent.trim())})`;
  let inside = '';
  node.forEach((child) => {
    // An empty paragraph says nothing.
    if (child.type === kinds.paragraph && inlineShape(child) === '') return;
    inside += shapeOf(child);
  });
  return `${nameOf(node)}(${inside})`;
}

function nameOf({ type, attrs }: Node): string {
  switch (type) {
    case kinds.heading:
      return `h${attrs.level}`;
    case kinds.ordered_list:
      return `ol${attrs.start}`;
    case kinds.list_item:
      return attrs.checked === null ? 'li' : `li${attrs.checked}`;
    case kinds.table_cell:
    case kinds.table_header:
      return `cell${attrs.align ?? ''}`;
    default:
      return type.name;
  }
}

/** Stretches of words that look alike; space at the ends of lines is nothing, and within them it has no look but that of a link. */
function inlineShape(block: Node): string {
  const pieces: { readonly look: string; readonly text: string }[] = [];
  const add = (look: string, text: string): void => {
    pieces.push({ look, text });
  };
  block.forEach((child) => {
    const text = child.text ?? '';
    const looksLike = child.marks
      // Whether an address by itself is a link is up to the reader.
      .filter((mark) => mark.type !== looks.link || mark.attrs.title !== null || !isOwnAddress(text, mark.attrs.href))
      .map((mark) => (mark.type === looks.link ? `link ${JSON.stringify(mark.attrs)}` : mark.type.name))
      .sort();
    if (child.type === kinds.hard_break) add('', block.type === kinds.paragraph ? '\n' : ' ');
    else if (child.type === kinds.image) add('image', JSON.stringify(child.attrs));
    else if (child.marks.some((mark) => mark.type === looks.code)) add(looksLike.join(), text);
    else
      for (const [word] of text.matchAll(/[ \t]+|[^ \t]+/g)) {
        if (/^[ \t]/.test(word)) add(looksLike.filter((one) => one.startsWith('link')).join(), ' ');
        else add(looksLike.join(), word);
      }
  });
  const isGap = (piece: { readonly text: string } | undefined): boolean => piece === undefined || piece.text === '\n';
  let trimmed = pieces.filter(({ text }, at) => text !== ' ' || !(isGap(pieces[at - 1]) || isGap(pieces[at + 1])));
  while (isGap(trimmed[0]) && trimmed.length > 0) trimmed = trimmed.slice(1);
  while (isGap(trimmed.at(-1)) && trimmed.length > 0) trimmed = trimmed.slice(0, -1);
  const runs: [look: string, text: string][] = [];
  for (const { look, text } of trimmed) {
    const last = runs.at(-1);
    if (last?.[0] === look && look !== 'image') last[1] += text;
    else runs.push([look, text]);
  }
  return runs.length === 0 ? '' : JSON.stringify(runs);
}
