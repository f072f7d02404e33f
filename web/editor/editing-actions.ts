// Editing actions for key, toolbar or menu, each a command of ProseMirror, which answers whether it applies here.

import { lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import { Fragment, type MarkType, type Node, type NodeType } from 'prosemirror-model';
import { liftListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, type EditorState, Selection, TextSelection } from 'prosemirror-state';
import { isSafeAddress, schema } from './schema.ts';

const { nodes: kinds, marks: looks } = schema;

export type BlockKind =
  | 'text'
  | 'heading1'
  | 'heading2'
  | 'heading3'
  | 'bullets'
  | 'numbers'
  | 'tasks'
  | 'quote'
  | 'code'
  | 'table'
  | 'line';

export function isMarked(state: EditorState, type: MarkType): boolean {
  const { from, $from, to, empty } = state.selection;
  if (empty) return type.isInSet(state.storedMarks ?? $from.marks()) !== undefined;
  return state.doc.rangeHasMark(from, to, type);
}

export const bold = toggleMark(looks.strong);
export const italic = toggleMark(looks.em);
export const strike = toggleMark(looks.strike);
export const code = toggleMark(looks.code);

/** The link the selection stands in: its address, and all of its words. */
export function linkAt(state: EditorState): { href: string; from: number; to: number } | null {
  const { $from, from, to } = state.selection;
  const at = from === to ? $from : state.doc.resolve(Math.min(from + 1, to));
  const mark = looks.link.isInSet(at.marks()) ?? looks.link.isInSet(at.nodeAfter?.marks ?? []);
  if (mark === undefined) return null;
  const { parent } = at;
  let found: { href: string; from: number; to: number } | null = null;
  let begin = at.start();
  let run: number | null = null;
  parent.forEach((child) => {
    const inside = mark.isInSet(child.marks);
    if (inside && run === null) run = begin;
    if (!inside) run = null;
    const end = begin + child.nodeSize;
    if (run !== null && run <= at.pos && at.pos <= end) found = { href: mark.attrs.href, from: run, to: end };
    begin = end;
  });
  return found;
}

/** Makes the selection a link; where nothing is selected, the address stands for itself. An empty address takes the link away. */
export function setLink(href: string): Command {
  return (state, dispatch) => {
    const around = linkAt(state);
    const { from, to, empty } = state.selection;
    const [start, end] = around && empty ? [around.from, around.to] : [from, to];
    if (href !== '' && !isSafeAddress(href)) return false;
    if (href === '') {
      if (around === null) return false;
      dispatch?.(state.tr.removeMark(around.from, around.to, looks.link));
      return true;
    }
    const mark = looks.link.create({ href });
    if (start === end) dispatch?.(state.tr.replaceSelectionWith(schema.text(href, [mark]), false));
    else dispatch?.(state.tr.removeMark(start, end, looks.link).addMark(start, end, mark).removeStoredMark(mark));
    return true;
  };
}

/** "example.org" is meant as an address, and opened as one. */
export function addressFrom(typed: string): string | null {
  const text = typed.trim();
  if (text === '') return '';
  if (isSafeAddress(text)) return text;
  if (/^[^\s@/]+@[^\s@/.]+(?:\.[^\s@/.]+)+$/.test(text)) return `mailto:${text}`;
  return /^[\w-]+(?:\.[\w-]+)+(?:[/?#:]\S*)?$/.test(text) ? `https://${text}` : null;
}

function itemAround(state: EditorState): { node: Node; pos: number; list: Node } | null {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth);
    if (node.type === kinds.list_item) return { node, pos: $from.before(depth), list: $from.node(depth - 1) };
  }
  return null;
}

/** Ticks the box one stands at. */
export const tick: Command = (state, dispatch) => {
  const item = itemAround(state);
  if (item === null || item.node.attrs.checked === null) return false;
  dispatch?.(state.tr.setNodeAttribute(item.pos, 'checked', !item.node.attrs.checked));
  return true;
};

/** All items that the selection touches get a box, or lose it. */
export function setBoxes(checked: boolean | null): Command {
  return (state, dispatch) => {
    const { from, to } = state.selection;
    const tr = state.tr;
    state.doc.nodesBetween(from, to, (node, pos) => {
      if (node.type !== kinds.list_item) return true;
      if ((node.attrs.checked === null) !== (checked === null)) tr.setNodeAttribute(pos, 'checked', checked);
      return true;
    });
    if (!tr.docChanged) return false;
    dispatch?.(tr);
    return true;
  };
}

function inList(type: NodeType, tasks: boolean): Command {
  return (state, dispatch, view) => {
    const item = itemAround(state);
    if (item === null) {
      const made = wrapInList(type)(state, dispatch && ((tr) => dispatch(tr)), view);
      if (made && tasks && view) setBoxes(false)(view.state, view.dispatch);
      return made;
    }
    const isTask = item.node.attrs.checked !== null;
    if (item.list.type === type && isTask === tasks) return liftListItem(kinds.list_item)(state, dispatch);
    if (item.list.type === type) return setBoxes(tasks ? false : null)(state, dispatch);
    const { $from } = state.selection;
    const pos = $from.before($from.depth - 2);
    if (state.doc.nodeAt(pos) !== item.list) return false;
    if (dispatch) {
      const items = item.list.content.content.map((one) =>
        one.type.create(
          { ...one.attrs, checked: tasks ? (one.attrs.checked ?? false) : null, source: null, lead: '' },
          one.content,
        ),
      );
      const { tight } = item.list.attrs;
      const list = type.create({ tight }, Fragment.from(items));
      const tr = state.tr.replaceWith(pos, pos + item.list.nodeSize, list);
      dispatch(tr.setSelection(TextSelection.create(tr.doc, state.selection.anchor, state.selection.head)));
    }
    return true;
  };
}

const quote: Command = (state, dispatch) => {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth--)
    if ($from.node(depth).type === kinds.blockquote) return lift(state, dispatch);
  return wrapIn(kinds.blockquote)(state, dispatch);
};

/** Puts a block after the one the caret is in, or in the place of an empty one. */
function insertBlock(make: () => Node): Command {
  return (state, dispatch) => {
    const { $from } = state.selection;
    const block = make();
    const empty = $from.parent.type === kinds.paragraph && $from.parent.content.size === 0;
    if ($from.depth === 0) return false;
    const from = empty ? $from.before() : $from.after();
    const tr = state.tr.replaceWith(from, empty ? $from.after() : from, block);
    const end = from + block.nodeSize;
    // Beneath it one can go on.
    if (end >= tr.doc.content.size) tr.insert(end, kinds.paragraph.create());
    const inside =
      block.isAtom || block.isLeaf ? Selection.near(tr.doc.resolve(end)) : Selection.near(tr.doc.resolve(from + 1));
    dispatch?.(tr.setSelection(inside).scrollIntoView());
    return true;
  };
}

export function makeTable(rows = 3, columns = 3): Node {
  const row = (kind: NodeType): Node =>
    kinds.table_row.create(
      null,
      Array.from({ length: columns }, () => kind.create()),
    );
  return kinds.table.create(null, [
    row(kinds.table_header),
    ...Array.from({ length: rows - 1 }, () => row(kinds.table_cell)),
  ]);
}

export const blocks: Readonly<Record<BlockKind, Command>> = {
  text: setBlockType(kinds.paragraph),
  heading1: heading(1),
  heading2: heading(2),
  heading3: heading(3),
  bullets: inList(kinds.bullet_list, false),
  numbers: inList(kinds.ordered_list, false),
  tasks: inList(kinds.bullet_list, true),
  quote,
  code: setBlockType(kinds.code_block),
  table: insertBlock(makeTable),
  line: insertBlock(() => kinds.horizontal_rule.create()),
};

/** The same again makes it a paragraph. */
function heading(level: number): Command {
  return (state, dispatch, view) => {
    const { parent } = state.selection.$from;
    const already = parent.type === kinds.heading && parent.attrs.level === level;
    return (already ? setBlockType(kinds.paragraph) : setBlockType(kinds.heading, { level }))(state, dispatch, view);
  };
}

export function blockAt(state: EditorState): BlockKind | null {
  const { $from } = state.selection;
  const { parent } = $from;
  if (parent.type === kinds.heading) return `heading${Math.min(3, parent.attrs.level) as 1 | 2 | 3}`;
  if (parent.type === kinds.code_block) return 'code';
  const item = itemAround(state);
  if (item)
    return item.node.attrs.checked !== null ? 'tasks' : item.list.type === kinds.ordered_list ? 'numbers' : 'bullets';
  for (let depth = $from.depth; depth > 0; depth--) if ($from.node(depth).type === kinds.blockquote) return 'quote';
  return parent.type === kinds.paragraph ? 'text' : null;
}
