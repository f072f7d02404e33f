// The editor's view, as long as the field is there: made over the text, told of what changes outside, and asked what there is to show
// over it.

import type { Node } from 'prosemirror-model';
import { EditorState, type Selection, TextSelection } from 'prosemirror-state';
import { EditorView } from 'prosemirror-view';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { keptSelection } from '../ui/text/kept-selection.ts';
import markdownStyles from '../ui/text/markdown.module.css';
import { useLatest } from '../ui/use-latest.ts';
import { fieldPlugins, type Over } from './field-plugins.ts';
import { mentionsMeta } from './mentions.ts';
import { nodeViews } from './node-views.ts';
import { readMarkdown } from './read-markdown.ts';
import styles from './rich-field.module.css';
import type { RichFieldProps } from './rich-field-props.ts';
import { schema } from './schema.ts';
import { type SuggestionQuery, suggestionQueryOf } from './suggestions.ts';
import { openWriter, type Writer } from './write-markdown.ts';

interface Shown {
  readonly selection: Selection;
  readonly asked: SuggestionQuery | null;
  readonly hasFocus: boolean;
}

/** `frame` is the element that is written in; `shown` is null until the view is there. */
export function useEditorView(props: RichFieldProps, { list, toolbar }: Over) {
  const latest = useLatest(props);
  const { label, placeholder = '', text, named } = props;
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const source = useRef<OpenText>(null);
  const [shown, setShown] = useState<Shown | null>(null);

  useLayoutEffect(() => {
    const place = frame.current;
    if (place === null) return;
    const { text, label, placeholder = '', focus } = latest.current;
    const opened = openText(text);
    source.current = opened;
    const made = new EditorView(
      { mount: place },
      {
        state: EditorState.create({
          doc: opened.doc,
          selection: focus ? TextSelection.atEnd(opened.doc) : TextSelection.atStart(opened.doc),
          plugins: fieldPlugins(latest, { list, toolbar }),
        }),
        nodeViews: nodeViews,
        attributes: attributesOf(label, placeholder),
        dispatchTransaction(tr) {
          const state = made.state.apply(tr);
          made.updateState(state);
          try {
            if (tr.docChanged && source.current) giveBack(source.current, state.doc, latest.current.onChange);
          } catch (fault) {
            // What surrounds the editor catches it, and goes on with the text as it was last given back.
            setShown(() => {
              throw fault;
            });
          }
          tell();
        },
        handleDOMEvents: {
          focus: () => void tell(),
          blur: () => void setTimeout(tell),
          paste: hearOfCaret,
          keydown: (_, event) => void (event.key.length > 1 && !event.isComposing && hearOfCaret(made)),
        },
      },
    );
    function tell(): void {
      if (made.isDestroyed) return;
      setShown({ selection: made.state.selection, asked: suggestionQueryOf(made.state), hasFocus: made.hasFocus() });
    }
    view.current = made;
    if (focus) made.focus();
    tell();
    return () => {
      view.current = null;
      made.destroy();
    };
  }, [latest, list, toolbar]);

  // Another text from outside: a draft that was given up, words that came back, or those of another person.
  useEffect(() => {
    const made = view.current;
    if (made === null || source.current === null || source.current.emitted === text) return;
    const opened = openText(text);
    source.current = opened;
    const { doc, plugins, selection } = made.state;
    const state = EditorState.create({ doc: opened.doc, plugins, selection: keep(selection, doc, opened.doc) });
    made.updateState(state);
    setShown({ selection: state.selection, asked: null, hasFocus: made.hasFocus() });
  }, [text]);

  useEffect(() => {
    const made = view.current;
    if (made) made.dispatch(made.state.tr.setMeta(mentionsMeta, named));
  }, [named]);

  useEffect(() => {
    view.current?.setProps({ attributes: attributesOf(label, placeholder) });
  }, [label, placeholder]);

  return { frame, view, shown };
}

function keep({ anchor, head, from, to }: Selection, before: Node, after: Node): Selection {
  const { start, end } = keptSelection(placesOf(before), { start: from, end: to }, placesOf(after));
  const [first, last] = [after.resolve(start), after.resolve(end)];
  return anchor > head ? TextSelection.between(last, first) : TextSelection.between(first, last);
}

/** A text with a character for each place of the document. */
function placesOf(node: Node): string {
  if (node.isText) return node.text ?? '';
  if (node.isLeaf) return '\ufffc';
  let inside = '';
  node.forEach((child) => {
    inside += placesOf(child);
  });
  return node.type === schema.nodes.doc ? inside : `\n${inside}\n`;
}

/** A browser that has much to do tells where a key has put the caret only after the next one: what that one does is done there. */
function hearOfCaret({ dom }: EditorView): void {
  dom.ownerDocument.dispatchEvent(new Event('selectionchange'));
}

/** The page around it knows the text before the next key comes, as with a browser's own field: that key may send it. */
function giveBack(opened: OpenText, doc: Node, onChange: (text: string) => void): void {
  const written = opened.writer.write(doc);
  if (written === opened.emitted) return;
  opened.emitted = written;
  flushSync(() => onChange(written));
}

function attributesOf(label: string, placeholder: string): Record<string, string> {
  return {
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': label,
    'aria-placeholder': placeholder,
    'aria-autocomplete': 'list',
    class: `${styles.writing} ${markdownStyles.markdown}`,
  };
}

interface OpenText {
  readonly doc: Node;
  readonly writer: Writer;
  /** What the field was last given, or last gave back. */
  emitted: string;
}

/**
 * A text that is open in the field: as a document, with the writer that gives back what nobody touched to the byte.
 */
function openText(text: string): OpenText {
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
