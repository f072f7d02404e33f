// Node views of the editor: check boxes, blocks of code with their language, pictures that are being uploaded.

import type { Node } from 'prosemirror-model';
import type { EditorView, NodeView, NodeViewConstructor } from 'prosemirror-view';
import { t } from '../strings/messages.ts';
import { isPicture } from './schema.ts';

type Place = () => number | undefined;

class Item implements NodeView {
  readonly dom = document.createElement('li');
  readonly contentDOM: HTMLElement;
  readonly #box: HTMLInputElement | null = null;

  constructor(
    private node: Node,
    view: EditorView,
    place: Place,
  ) {
    if (node.attrs.checked === null) {
      this.contentDOM = this.dom;
      return;
    }
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.contentEditable = 'false';
    box.addEventListener('change', () => {
      const pos = place();
      if (pos !== undefined) view.dispatch(view.state.tr.setNodeAttribute(pos, 'checked', box.checked));
    });
    this.#box = box;
    this.contentDOM = document.createElement('div');
    this.dom.append(box, this.contentDOM);
    this.#show();
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type || (node.attrs.checked === null) !== (this.#box === null)) return false;
    this.node = node;
    this.#show();
    return true;
  }

  #show(): void {
    if (this.#box === null) return;
    this.#box.checked = this.node.attrs.checked;
    this.#box.setAttribute('aria-label', this.node.firstChild?.textContent || t('writing.item'));
    this.dom.dataset.checked = String(this.node.attrs.checked);
  }

  stopEvent(event: Event): boolean {
    return event.target === this.#box;
  }

  ignoreMutation(change: MutationRecord | { type: 'selection'; target: globalThis.Node }): boolean {
    return change.target === this.#box || (change.type === 'attributes' && change.target === this.dom);
  }
}

/** The names people use first; any other that is written stays. */
const languages = [
  'bash',
  'c',
  'cpp',
  'csharp',
  'css',
  'diff',
  'go',
  'html',
  'java',
  'javascript',
  'json',
  'kotlin',
  'php',
  'python',
  'ruby',
  'rust',
  'sql',
  'swift',
  'typescript',
  'yaml',
];

class Code implements NodeView {
  readonly dom = document.createElement('pre');
  readonly contentDOM = document.createElement('code');
  readonly #choice = document.createElement('select');

  constructor(
    private node: Node,
    view: EditorView,
    place: Place,
  ) {
    this.dom.spellcheck = false;
    this.#choice.contentEditable = 'false';
    this.#choice.setAttribute('aria-label', t('writing.language'));
    this.#choice.addEventListener('change', () => {
      const pos = place();
      if (pos === undefined) return;
      view.dispatch(view.state.tr.setNodeAttribute(pos, 'language', this.#choice.value));
      view.focus();
    });
    this.dom.append(this.#choice, this.contentDOM);
    this.#show();
  }

  #show(): void {
    const { language } = this.node.attrs;
    if (this.#choice.value === language && this.#choice.options.length > 0) return;
    const known = ['', ...languages];
    const all = known.includes(language) ? known : [language, ...known];
    this.#choice.replaceChildren(
      ...all.map((name) => new Option(name === '' ? t('writing.plainCode') : name, name, false, name === language)),
    );
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false;
    this.node = node;
    this.#show();
    return true;
  }

  stopEvent(event: Event): boolean {
    return event.target === this.#choice;
  }

  ignoreMutation(change: MutationRecord | { type: 'selection'; target: globalThis.Node }): boolean {
    return this.#choice.contains(change.target);
  }
}

/** Who shows the text fills in what it names by `data-attachment`, and says how far it has come. */
class Picture implements NodeView {
  readonly dom: HTMLElement;

  constructor(private readonly node: Node) {
    const { src, alt, title } = node.attrs;
    const [, id] = /^attachment:(.+)$/.exec(src) ?? [];
    if (id === undefined && !isPicture(src)) {
      this.dom = document.createElement('span');
      this.dom.textContent = alt;
      return;
    }
    const image = document.createElement('img');
    image.alt = alt;
    image.referrerPolicy = 'no-referrer';
    if (title) image.title = title;
    if (id === undefined) image.src = src;
    else image.dataset.attachment = id.toLowerCase();
    this.dom = image;
  }

  update(node: Node): boolean {
    return node.sameMarkup(this.node);
  }

  selectNode(): void {
    this.dom.dataset.selected = '';
  }

  deselectNode(): void {
    delete this.dom.dataset.selected;
  }

  ignoreMutation(): boolean {
    return true;
  }
}

export const nodeViews: Readonly<Record<string, NodeViewConstructor>> = {
  list_item: (node, view, place) => new Item(node, view, place),
  code_block: (node, view, place) => new Code(node, view, place),
  image: (node) => new Picture(node),
};
