// All that the field can do, in the order in which a key is offered to it: first the open list, then whoever shows the field, then the text.

import { history } from 'prosemirror-history';
import { Plugin } from 'prosemirror-state';
import { tableEditing } from 'prosemirror-tables';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import type { RefObject } from 'react';
import { latinKey } from '../ui/latin-key.ts';
import { highlighting } from './highlight.ts';
import { inputRulesPlugin } from './input-rules.ts';
import { insertFile } from './insert-file.ts';
import { mentionsPlugin } from './mentions.ts';
import { pasting } from './pasting.ts';
import type { RichFieldProps } from './rich-field-props.ts';
import { schema } from './schema.ts';
import { suggestionsPlugin } from './suggestions.ts';
import type { SuggestionsHandle } from './suggestions-list.tsx';
import type { ToolbarHandle } from './toolbar.tsx';

/** What stands over the text, asked at the moment of a key. */
export interface Over {
  readonly list: RefObject<SuggestionsHandle | null>;
  readonly toolbar: RefObject<ToolbarHandle | null>;
}

export function fieldPlugins(latest: RefObject<RichFieldProps>, { list, toolbar }: Over): Plugin[] {
  const { named, placeholder = '' } = latest.current;
  const insertFiles = (files: readonly File[], into: EditorView): void =>
    insertFile(into, latest.current.attach(files));
  return [
    suggestionsPlugin((event) => list.current?.press(event) ?? false),
    ownKeys(latest, toolbar),
    ...inputRulesPlugin((number) => latest.current.keyOfNumber(number)),
    history(),
    tableEditing(),
    pasting(insertFiles, (data, into) => {
      const files = latest.current.collect(data);
      if (files === null) return false;
      void files.then((all) => into.isDestroyed || insertFiles(all, into));
      return true;
    }),
    highlighting(),
    mentionsPlugin(named),
    inviting(placeholder),
  ];
}

/** Keys that mean something to whoever shows the field, and those that lead into the toolbar. */
function ownKeys(latest: RefObject<RichFieldProps>, toolbar: Over['toolbar']): Plugin {
  function press(event: KeyboardEvent): boolean {
    if (event.key === 'F10' && event.altKey) return toolbar.current?.focus() ?? false;
    if (latinKey(event) === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
      if (!toolbar.current?.askLink()) return false;
      event.stopPropagation();
      return true;
    }
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      latest.current.onSubmit();
      return true;
    }
    if (event.key !== 'Escape') return false;
    event.preventDefault();
    latest.current.onEscape();
    return true;
  }
  return new Plugin({ props: { handleKeyDown: (_view, event) => !event.isComposing && press(event) } });
}

/** Placeholder of an empty editor. */
function inviting(words: string): Plugin {
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
