// Code in its colours while it is written.

import type { Node } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { fetchHighlighter, highlighterHere, longestCode } from './colour-code.ts';
import type { Stretch } from './highlighter.ts';
import { schema } from './schema.ts';

const languageOf = (node: Node): string => /^[\w+#-]*/.exec(node.attrs.language)?.[0] ?? '';

const drawn = new WeakMap<Node, readonly Stretch[]>();

export function highlighting(): Plugin {
  const stretches = (node: Node): readonly Stretch[] => {
    const find = highlighterHere();
    const known = drawn.get(node);
    if (known !== undefined || find === null) return known ?? [];
    const made = node.content.size > longestCode ? [] : find(node.textContent, languageOf(node));
    drawn.set(node, made);
    return made;
  };
  const wanted = (doc: Node): boolean => {
    let any = false;
    doc.descendants((node) => {
      if (node.type === schema.nodes.code_block && languageOf(node) !== '') any = true;
      return !any;
    });
    return any;
  };
  return new Plugin({
    props: {
      decorations({ doc }) {
        const all: Decoration[] = [];
        if (highlighterHere() === null) return null;
        doc.descendants((node, pos) => {
          if (node.type !== schema.nodes.code_block) return !node.isTextblock;
          for (const { from, to, kind } of stretches(node))
            all.push(Decoration.inline(pos + 1 + from, pos + 1 + to, { 'data-code': kind }));
          return false;
        });
        return DecorationSet.create(doc, all);
      },
    },
    view(view) {
      let asked = false;
      const ask = ({ state, isDestroyed }: EditorView): void => {
        if (asked || highlighterHere() !== null || isDestroyed || !wanted(state.doc)) return;
        asked = true;
        // Without it code is plain, as it was.
        void fetchHighlighter().then(
          () => view.isDestroyed || view.dispatch(view.state.tr.setMeta('addToHistory', false)),
          () => undefined,
        );
      };
      ask(view);
      return { update: ask };
    },
  });
}
