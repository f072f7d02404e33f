// Input rules and keys: `## ` begins a heading, `**so**` is bold, keys that every editor has.

import {
  baseKeymap,
  chainCommands,
  createParagraphNear,
  exitCode,
  liftEmptyBlock,
  newlineInCode,
  setBlockType,
  splitBlock,
} from 'prosemirror-commands';
import { redo, undo } from 'prosemirror-history';
import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  undoInputRule,
  wrappingInputRule,
} from 'prosemirror-inputrules';
import { keymap } from 'prosemirror-keymap';
import type { MarkType } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list';
import { type Command, type Plugin, Selection } from 'prosemirror-state';
import { goToNextCell } from 'prosemirror-tables';
import { blocks, bold, code, italic, strike, tick } from './editing-actions.ts';
import { isSafeAddress, schema } from './schema.ts';

const { nodes: kinds, marks: looks } = schema;

/** The words between two markers take the mark, and the markers go. */
function marking(pattern: RegExp, type: MarkType, attrs: Record<string, unknown> | null = null): InputRule {
  return new InputRule(
    pattern,
    (state, match, start, end) => {
      const words = match.at(-1) ?? '';
      const from = start + match[0].indexOf(match.at(-2) ?? '');
      if (state.doc.rangeHasMark(from, end, looks.code) || words.trim() === '') return null;
      const inner = state.doc.slice(from, end).content.textBetween(0, end - from);
      if (inner.length !== end - from) return null;
      const marks = [...state.doc.resolve(from).marks(), type.create(attrs)];
      return state.tr.replaceWith(from, end, schema.text(words, marks)).removeStoredMark(type);
    },
    { inCodeMark: false },
  );
}

function rules(keyOfNumber: (number: string) => string | null): Plugin {
  return inputRules({
    rules: [
      textblockTypeInputRule(/^(#{1,6}) $/, kinds.heading, (match) => ({ level: match[1]?.length ?? 1 })),
      wrappingInputRule(/^> $/, kinds.blockquote),
      wrappingInputRule(/^([-*+]) $/, kinds.bullet_list, (match) => ({ marker: match[1] })),
      wrappingInputRule(
        /^(\d{1,9})([.)]) $/,
        kinds.ordered_list,
        (match) => ({ start: Number(match[1]), marker: match[2] }),
        (match, node) => node.childCount + node.attrs.start === Number(match[1]),
      ),
      new InputRule(/^\[([ xX]?)\] $/, (state, match, start, end) => {
        const checked = /x/i.test(match[1] ?? '');
        const { $from } = state.selection;
        const item = $from.depth > 1 ? $from.node(-1) : null;
        const tr = state.tr.delete(start, end);
        if (item?.type === kinds.list_item && $from.index(-1) === 0)
          return tr.setNodeAttribute($from.before($from.depth - 1), 'checked', checked);
        const range = tr.doc.resolve(start).blockRange();
        if (!range || $from.parent.type !== kinds.paragraph) return null;
        return tr.wrap(range, [{ type: kinds.bullet_list }, { type: kinds.list_item, attrs: { checked } }]);
      }),
      new InputRule(/^(?:---|\*\*\*|___)$/, (state, _match, start) => {
        const $start = state.doc.resolve(start);
        if ($start.parent.type !== kinds.paragraph || $start.depth !== 1) return null;
        const tr = state.tr.replaceWith($start.before(), $start.after(), [
          kinds.horizontal_rule.create(),
          kinds.paragraph.create(),
        ]);
        return tr.setSelection(Selection.near(tr.doc.resolve($start.before() + 2)));
      }),
      marking(/(?:^|[^\p{L}\p{N}*\\])(\*\*([^*\s](?:[^*]*[^*\s])?)\*\*)$/u, looks.strong),
      marking(/(?:^|[^\p{L}\p{N}_\\])(__([^_\s](?:[^_]*[^_\s])?)__)$/u, looks.strong, { marker: '__' }),
      marking(/(?:^|[^\p{L}\p{N}*\\])(\*([^*\s](?:[^*]*[^*\s])?)\*)$/u, looks.em),
      marking(/(?:^|[^\p{L}\p{N}_\\])(_([^_\s](?:[^_]*[^_\s])?)_)$/u, looks.em, { marker: '_' }),
      marking(/(?:^|[^~\\])(~~([^~\s](?:[^~]*[^~\s])?)~~)$/, looks.strike),
      marking(/(?:^|[^`\\])(`([^`]+)`)$/, looks.code),
      new InputRule(/\[([^[\]]+)\]\(([^()\s]+)\)$/, (state, match, start, end) => {
        const [, words = '', href = ''] = match;
        if (!isSafeAddress(href)) return null;
        return state.tr
          .replaceWith(start, end, schema.text(words, [looks.link.create({ href })]))
          .removeStoredMark(looks.link);
      }),
      // An address is a link as soon as one goes on.
      new InputRule(/(?:^|[\s(])(https?:\/\/[^\s<>()]*[^\s<>().,;:!?'"])([\s])$/, (state, match, _start, end) => {
        const [, href = '', space = ''] = match;
        const from = end - href.length;
        if (from < 0 || state.doc.rangeHasMark(from, end, looks.link)) return null;
        return state.tr
          .addMark(from, end, looks.link.create({ href }))
          .removeStoredMark(looks.link)
          .insertText(space, end);
      }),
      // "#24" is the task of this project with that number.
      new InputRule(/(?:^|[\s(])#(\d{1,9})([\s.,;:!?)])$/, (state, match, _start, end) => {
        const [, number = '', after = ''] = match;
        const key = keyOfNumber(number);
        return key === null ? null : state.tr.insertText(key + after, end - number.length - 1, end);
      }),
    ],
  });
}

/** "```js" and Enter. */
const beginCode: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const [, language] = /^(?:```|~~~)([\w+#-]*)$/.exec($from.parent.textContent) ?? [];
  if (!empty || language === undefined || $from.parent.type !== kinds.paragraph) return false;
  if (dispatch) {
    const tr = state.tr.delete($from.start(), $from.end());
    dispatch(tr.setBlockType($from.start(), $from.start(), kinds.code_block, { language }));
  }
  return true;
};

/** At its beginning a heading or a block of code becomes a paragraph, before it is joined with anything. */
const plainAtStart: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parentOffset > 0) return false;
  if ($from.parent.type !== kinds.heading && $from.parent.type !== kinds.code_block) return false;
  return setBlockType(kinds.paragraph)(state, dispatch);
};

/** A box goes before its item does. */
const boxAtStart: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parentOffset > 0 || $from.depth < 2 || $from.index(-1) > 0) return false;
  const item = $from.node(-1);
  if (item.type !== kinds.list_item) return false;
  if (item.attrs.checked === null) return liftListItem(kinds.list_item)(state, dispatch);
  dispatch?.(state.tr.setNodeAttribute($from.before($from.depth - 1), 'checked', null));
  return true;
};

const lineBreak: Command = (state, dispatch) => {
  const { $from } = state.selection;
  if ($from.parent.type.spec.code) return newlineInCode(state, dispatch);
  if ($from.parent.type !== kinds.paragraph) return false;
  dispatch?.(state.tr.replaceSelectionWith(kinds.hard_break.create()).scrollIntoView());
  return true;
};

/** The next item has a box too, and it is not ticked. */
const splitItem: Command = (state, dispatch) => {
  const { $from } = state.selection;
  const item = $from.depth > 1 ? $from.node(-1) : null;
  const checked = item?.type === kinds.list_item && item.attrs.checked !== null ? false : null;
  return splitListItem(kinds.list_item, { checked })(state, dispatch);
};

const below: Command = (state, dispatch) => {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    const { tableRole } = $from.node(depth).type.spec;
    if (tableRole !== 'cell' && tableRole !== 'header_cell') continue;
    // Enter leads into the row below; cells have one line.
    const row = $from.node(depth - 1);
    const table = $from.node(depth - 2);
    const column = $from.index(depth - 1);
    const next = table.maybeChild($from.index(depth - 2) + 1);
    if (next === null) {
      if (dispatch) {
        const after = $from.after(depth - 2);
        const tr = state.tr;
        if (after >= tr.doc.content.size) tr.insert(after, kinds.paragraph.create());
        dispatch(tr.setSelection(Selection.near(tr.doc.resolve(after + 1))).scrollIntoView());
      }
      return true;
    }
    let pos = $from.before(depth - 1) + row.nodeSize + 1;
    for (let at = 0; at < column; at++) pos += next.maybeChild(at)?.nodeSize ?? 0;
    dispatch?.(state.tr.setSelection(Selection.near(state.doc.resolve(pos + 1))).scrollIntoView());
    return true;
  }
  return false;
};

export function inputRulesPlugin(keyOfNumber: (number: string) => string | null): Plugin[] {
  return [
    rules(keyOfNumber),
    keymap({
      'Mod-b': bold,
      'Mod-i': italic,
      'Mod-e': code,
      'Mod-Shift-x': strike,
      'Mod-Alt-0': blocks.text,
      'Mod-Alt-1': blocks.heading1,
      'Mod-Alt-2': blocks.heading2,
      'Mod-Alt-3': blocks.heading3,
      'Mod-Shift-7': blocks.numbers,
      'Mod-Shift-8': blocks.bullets,
      'Mod-Shift-9': blocks.tasks,
      'Mod-Shift-b': blocks.quote,
      'Alt-Enter': tick,
      'Mod-z': undo,
      'Mod-Shift-z': redo,
      'Mod-y': redo,
      Enter: chainCommands(beginCode, below, splitItem, newlineInCode, createParagraphNear, liftEmptyBlock, splitBlock),
      'Shift-Enter': chainCommands(exitCode, lineBreak),
      Backspace: chainCommands(undoInputRule, boxAtStart, plainAtStart),
      // Where there is nothing to move, Tab leaves the field as everywhere.
      Tab: chainCommands(goToNextCell(1), sinkListItem(kinds.list_item)),
      'Shift-Tab': chainCommands(goToNextCell(-1), liftListItem(kinds.list_item)),
    }),
    keymap(baseKeymap),
  ];
}
