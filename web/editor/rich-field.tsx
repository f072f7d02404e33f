// A field in which Markdown looks as it will read. What it is given and what it gives back is Markdown; what nobody touches in it comes
// back to the byte. It knows nothing of tasks: who there is to mention and what files become is told by whoever shows it.

import { history } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import { EditorState, Plugin, type Selection, TextSelection } from 'prosemirror-state';
import { tableEditing } from 'prosemirror-tables';
import { Decoration, DecorationSet, EditorView } from 'prosemirror-view';
import { type Ref, useEffect, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import markdownStyles from '../ui/markdown.module.css';
import { useLatest } from '../ui/use-latest.ts';
import { views } from './drawing.ts';
import { highlighting } from './highlight.ts';
import { type Named, namedMeta, naming } from './named.ts';
import { type Asked, askedIn, dismissal, offers } from './offers.ts';
import { Offers, type OffersHandle, type TaskOffer } from './offers-list.tsx';
import { pasting } from './pasting.ts';
import { type ReadText, readMarkdown } from './read-markdown.ts';
import styles from './rich-field.module.css';
import { schema } from './schema.ts';
import { Toolbar, type ToolbarHandle } from './toolbar.tsx';
import { typing } from './typing.ts';
import { openWriter, type Writer } from './write-markdown.ts';

export interface RichFieldProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
  readonly onEscape: () => void;
  /** Takes the focus when it is there. */
  readonly focus?: boolean;
  /** A field for a few lines. */
  readonly small?: boolean;
  readonly named: Named;
  readonly findTasks: (words: string) => readonly TaskOffer[];
  readonly keyOfNumber: (number: string) => string | null;
  /** Puts files on their way and answers how the text names them. */
  readonly attach: (files: readonly File[]) => readonly string[];
  /** Null: nothing in it is a file. */
  readonly collect: (data: DataTransfer) => Promise<readonly File[]> | null;
  readonly chooseFiles: () => void;
  readonly handle?: Ref<RichFieldHandle>;
}

export interface RichFieldHandle {
  /** Where the caret stands. */
  insertFiles(files: readonly File[]): void;
}

interface Shown {
  readonly selection: Selection;
  readonly asked: Asked | null;
  readonly hasFocus: boolean;
}

export default function RichField(props: RichFieldProps) {
  const latest = useLatest(props);
  const { label, placeholder = '', text, named, small = false } = props;
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const source = useRef<{ read: ReadText; writer: Writer; emitted: string } | null>(null);
  const offersHandle = useRef<OffersHandle>(null);
  const toolbar = useRef<ToolbarHandle>(null);
  const [shown, setShown] = useState<Shown | null>(null);

  useLayoutEffect(() => {
    const place = frame.current;
    if (place === null) return;
    const { text, label, placeholder = '', named, focus } = latest.current;
    const opened = open(text);
    source.current = opened;
    const insertFiles = (files: readonly File[], into: EditorView): void =>
      insertNamed(into, latest.current.attach(files));
    const made = new EditorView(
      { mount: place },
      {
        state: EditorState.create({
          doc: opened.read.doc,
          selection: focus ? TextSelection.atEnd(opened.read.doc) : TextSelection.atStart(opened.read.doc),
          plugins: [
            offers((event) => offersHandle.current?.press(event) ?? false),
            own((event) => {
              if (event.key === 'F10' && event.altKey) return toolbar.current?.focus() ?? false;
              if (event.key === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
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
            }),
            ...typing((number) => latest.current.keyOfNumber(number)),
            history(),
            tableEditing(),
            pasting(insertFiles, (data, into) => {
              const files = latest.current.collect(data);
              if (files === null) return false;
              void files.then((all) => into.isDestroyed || insertFiles(all, into));
              return true;
            }),
            highlighting(),
            naming(named),
            inviting(placeholder),
          ],
        }),
        nodeViews: views,
        attributes: attributesOf(label, placeholder),
        dispatchTransaction(tr) {
          const state = made.state.apply(tr);
          made.updateState(state);
          if (tr.docChanged && source.current) {
            const written = source.current.writer.write(state.doc);
            if (written !== source.current.emitted) {
              source.current.emitted = written;
              latest.current.onChange(written);
            }
          }
          tell();
        },
        handleDOMEvents: {
          focus: () => void tell(),
          blur: () => void setTimeout(tell),
        },
      },
    );
    function tell(): void {
      if (made.isDestroyed) return;
      setShown({ selection: made.state.selection, asked: askedIn(made.state), hasFocus: made.hasFocus() });
    }
    view.current = made;
    if (focus) made.focus();
    tell();
    return () => {
      view.current = null;
      made.destroy();
    };
  }, [latest]);

  useImperativeHandle(props.handle, () => ({
    insertFiles(files) {
      const made = view.current;
      if (made === null) return;
      insertNamed(made, latest.current.attach(files));
      made.focus();
    },
  }));

  // Another text from outside: a draft that was given up, words that came back.
  useEffect(() => {
    const made = view.current;
    if (made === null || source.current === null || source.current.emitted === text) return;
    const opened = open(text);
    source.current = opened;
    const state = EditorState.create({
      doc: opened.read.doc,
      plugins: made.state.plugins,
      selection: TextSelection.atEnd(opened.read.doc),
    });
    made.updateState(state);
    setShown({ selection: state.selection, asked: null, hasFocus: made.hasFocus() });
  }, [text]);

  useEffect(() => {
    const made = view.current;
    if (made) made.dispatch(made.state.tr.setMeta(namedMeta, named));
  }, [named]);

  const asked = shown?.hasFocus ? shown.asked : null;
  useEffect(() => {
    view.current?.setProps({ attributes: attributesOf(label, placeholder) });
  }, [label, placeholder]);

  return (
    <div className={`${styles.frame} ${small ? styles.small : ''}`}>
      <div ref={frame} />
      {asked && view.current && (
        <Offers
          ref={offersHandle}
          id={id}
          asked={asked}
          view={view.current}
          people={named.people}
          findTasks={props.findTasks}
          onDismiss={() => view.current?.dispatch(view.current.state.tr.setMeta(dismissal.key, dismissal.value))}
          onFiles={props.chooseFiles}
        />
      )}
      {shown && view.current && (
        <Toolbar ref={toolbar} view={view.current} hasFocus={shown.hasFocus} quiet={asked !== null} />
      )}
    </div>
  );
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

function open(text: string): { read: ReadText; writer: Writer; emitted: string } {
  const read = readMarkdown(text);
  return { read: { ...read, doc: withRoom(read.doc) }, writer: openWriter(read), emitted: text };
}

/** Behind a quote, a table or a block of code one can go on: an empty paragraph is nothing in Markdown. */
function withRoom(doc: Node): Node {
  const { blockquote, code_block, horizontal_rule, raw_block, table } = schema.nodes;
  const closed =
    doc.lastChild && [blockquote, code_block, horizontal_rule, raw_block, table].includes(doc.lastChild.type);
  return closed ? doc.copy(doc.content.addToEnd(schema.nodes.paragraph.create())) : doc;
}

/** Keys that mean something to whoever shows the field come first. */
function own(onKey: (event: KeyboardEvent) => boolean): Plugin {
  return new Plugin({ props: { handleKeyDown: (_view, event) => !event.isComposing && onKey(event) } });
}

/** What one may write here stands there until one does. */
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

/** As one would type them: a space before and after. */
function insertNamed(view: EditorView, markdown: readonly string[]): void {
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
