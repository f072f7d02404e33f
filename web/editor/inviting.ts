// Placeholder of an empty editor.

import { Plugin } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { schema } from './schema.ts';

export function inviting(words: string): Plugin {
  return new Plugin({
    props: {
      decorations({ doc }) {
        const [only] = doc.content.content;
        if (words === '' || doc.childCount !== 1 || only?.type !== schema.nodes.paragraph || only.content.size > 0)
          return null;
        return DecorationSet.create(doc, [Decoration.node(0, only.nodeSize, { 'data-placeholder': words })]);
      },
    },
  });
}
