// Pasting and copying: Markdown pasted as text is parsed, HTML is cleaned before anything looks at it, an address over words makes them a
// link, files are uploaded. A copy is Markdown again.

import DOMPurify from 'dompurify';
import { type Node, Slice } from 'prosemirror-model';
import { Plugin, Selection } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { setLink } from './editing-actions.ts';
import { readMarkdown } from './read-markdown.ts';
import { isSafeAddress, schema } from './schema.ts';
import { openWriter } from './write-markdown.ts';

const purifier = DOMPurify();
/** Longer HTML is pasted as its text. */
const maxHtml = 500_000;
const maxDepth = 20;
const maxCells = 2_000;
const address = /^(?:https?:\/\/|mailto:)\S+$/i;

/** Alone, or with their text: a file that was copied in a file manager comes with its name. */
export function filesOf(data: DataTransfer | null): File[] {
  if (data === null || data.files.length === 0 || data.types.includes('text/plain')) return [];
  return [...data.files];
}

export function pasting(
  onFiles: (files: readonly File[], view: EditorView) => void,
  onDrop: (data: DataTransfer, view: EditorView) => boolean,
): Plugin {
  return new Plugin({
    props: {
      transformPastedHTML: cleaned,
      clipboardTextParser(text, $context, plain) {
        if (plain) return undefined as unknown as Slice;
        const { doc } = readMarkdown(text);
        // A paragraph at either end joins the words it is pasted among.
        const joins = (node: Node | null): number => (node?.type === schema.nodes.paragraph ? 1 : 0);
        return new Slice(doc.content, $context.depth > 0 ? joins(doc.firstChild) : 0, joins(doc.lastChild));
      },
      clipboardTextSerializer(slice) {
        const [only] = slice.content.content;
        if (slice.content.childCount === 1 && only?.type.spec.code) return only.textContent;
        const doc = schema.nodes.doc.createAndFill(null, slice.content);
        return doc === null
          ? slice.content.textBetween(0, slice.content.size, '\n')
          : openWriter(readMarkdown('')).write(doc);
      },
      handleDOMEvents: {
        paste(view, event) {
          const data = event.clipboardData;
          if (data === null || data.getData('text/html').length <= maxHtml) return false;
          event.preventDefault();
          return view.pasteText(data.getData('text/plain'), event);
        },
      },
      handlePaste(view, event) {
        const data = event.clipboardData;
        const files = filesOf(data);
        if (files.length > 0) {
          onFiles(files, view);
          return true;
        }
        const text = data?.getData('text/plain').trim() ?? '';
        const { empty, $from } = view.state.selection;
        if (!address.test(text) || !isSafeAddress(text) || $from.parent.type.spec.code) return false;
        if (!empty) return setLink(text)(view.state, view.dispatch);
        const { tr } = view.state;
        view.dispatch(
          tr
            .replaceSelectionWith(schema.text(text, [schema.marks.link.create({ href: text })]), false)
            .scrollIntoView(),
        );
        return true;
      },
      handleDrop(view, event) {
        if (event.dataTransfer === null || !onDrop(event.dataTransfer, view)) return false;
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY });
        if (at) view.dispatch(view.state.tr.setSelection(selectionAt(view, at.pos)));
        event.preventDefault();
        return true;
      },
    },
  });
}

/** Handlers lose their names before anything parses them, so that the page's policy has nothing to report; the rest is the sanitiser's. */
function cleaned(html: string): string {
  const quiet = html.replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/([\s"'/])on(?=[a-z]+\s*=)/gi, '$1data-on'));
  const clean = (flattened: readonly string[] = []): string =>
    purifier.sanitize(quiet, {
      FORBID_TAGS: ['style', 'svg', 'math', 'form', 'iframe', ...flattened],
      FORBID_ATTR: ['id', 'class', 'name'],
    });
  const usual = clean();
  return isTooMuch(usual)
    ? clean(['blockquote', 'ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td'])
    : usual;
}

/** Deeper, or with larger tables, than Markdown is read here. */
function isTooMuch(html: string): boolean {
  let depth = 0;
  let cells = 0;
  for (const [, end, name] of html.matchAll(/<(\/?)(blockquote|ul|ol|td|th)\b/g)) {
    if (name === 'td' || name === 'th') cells++;
    else depth += end === '' ? 1 : -1;
    if (depth > maxDepth || cells > maxCells) return true;
  }
  return false;
}

function selectionAt(view: EditorView, pos: number): Selection {
  return Selection.near(view.state.doc.resolve(pos));
}
