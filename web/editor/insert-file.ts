// Puts what names a file where the caret stands, as one would type it: a space before and after.

import type { EditorView } from 'prosemirror-view';
import { readMarkdown } from './read-markdown.ts';
import { schema } from './schema.ts';

export function insertFile(view: EditorView, markdown: readonly string[]): void {
  if (markdown.length === 0) return;
  const { $from } = view.state.selection;
  const nodes = markdown.flatMap((one, at) => {
    const { firstChild } = readMarkdown(one).doc;
    const inline = firstChild?.content.content ?? [];
    return at === 0 ? inline : [schema.nodes.hard_break.create(), ...inline];
  });
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '\ufffc');
  const space = schema.text(' ');
  const all = [...(before === '' || /\s$/.test(before) ? [] : [space]), ...nodes, space];
  const { tr } = view.state;
  const { from, to } = tr.selection;
  view.dispatch(tr.replaceWith(from, to, all).scrollIntoView());
}
