// A text that is open in the field: as a document, with the writer that gives back what nobody touched to the byte.

import type { Node } from 'prosemirror-model';
import { readMarkdown } from './read-markdown.ts';
import { schema } from './schema.ts';
import { openWriter, type Writer } from './write-markdown.ts';

export interface OpenText {
  readonly doc: Node;
  readonly writer: Writer;
  /** What the field was last given, or last gave back. */
  emitted: string;
}

export function openText(text: string): OpenText {
  const read = readMarkdown(text);
  return { doc: withRoom(read.doc), writer: openWriter(read), emitted: text };
}

/** Behind a quote, a table or a block of code one can go on: an empty paragraph is nothing in Markdown. */
function withRoom(doc: Node): Node {
  const { blockquote, code_block, horizontal_rule, raw_block, table } = schema.nodes;
  const closed =
    doc.lastChild && [blockquote, code_block, horizontal_rule, raw_block, table].includes(doc.lastChild.type);
  return closed ? doc.copy(doc.content.addToEnd(schema.nodes.paragraph.create())) : doc;
}
