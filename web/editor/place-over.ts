// Places the toolbar: above the selected words, below them where there is no room.

import type { EditorView } from 'prosemirror-view';

export function placeOver(view: EditorView, element: HTMLElement): void {
  const frame = element.parentElement?.getBoundingClientRect();
  if (!frame) return;
  const { doc, selection } = view.state;
  const start = view.coordsAtPos(Math.min(selection.from, doc.content.size));
  const end = view.coordsAtPos(Math.min(selection.to, doc.content.size));
  const middle = start.top === end.top ? (start.left + end.left) / 2 : start.left + element.offsetWidth / 2;
  const left = Math.min(middle - element.offsetWidth / 2 - frame.left, frame.width - element.offsetWidth);
  element.style.left = `${Math.max(0, left)}px`;
  const above = start.top - element.offsetHeight - 6;
  element.style.top = `${(above > 4 ? above : end.bottom + 6) - frame.top}px`;
}
