// The editor in a field that was there before it: it takes the place of plain Markdown without disturbing who is writing.

import { type RefObject, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLatest } from '../../ui/use-latest.ts';
import { type Editor, readyEditor, whenEditorIsReady } from './rich-editor.ts';
import { chooseWriting, useWritingChoice } from './writing-choice.ts';

interface RichEditor {
  /** Null: one writes plain Markdown, for now or by choice. */
  readonly Rich: Editor | null;
  readonly prefersMarkdown: boolean;
  /** It had the focus when its other half took its place. */
  readonly moved: boolean;
  switchOver(): void;
}

/** `box` is around the field, `text` what stands in it. */
export function useRichEditor(box: RefObject<HTMLElement | null>, text: string): RichEditor {
  const latest = useLatest(text);
  const choice = useWritingChoice();
  const [editor, setEditor] = useState(readyEditor);
  const [moved, setMoved] = useState(false);
  const [found] = useState(text);

  useEffect(() => {
    if (editor !== null || choice !== 'rich') return;
    return whenEditorIsReady((ready) => {
      const around = box.current;
      const active = document.activeElement;
      const isHere = around?.contains(active) ?? false;
      const change = (takesFocus: boolean): void => {
        // No key falls between the two.
        flushSync(() => {
          setMoved(takesFocus);
          setEditor(() => ready);
        });
      };
      // What one is in the middle of writing, or has selected, keeps its caret and its last space: the field changes once one leaves it.
      const isBusy =
        active instanceof HTMLTextAreaElement &&
        (latest.current !== found || active.selectionStart !== active.selectionEnd);
      if (isHere && isBusy) around?.addEventListener('focusout', () => change(false), { once: true });
      else change(isHere);
    });
  }, [box, editor, choice, latest, found]);

  return {
    Rich: choice === 'rich' ? editor : null,
    prefersMarkdown: choice === 'markdown',
    moved,
    switchOver() {
      setMoved(true);
      chooseWriting(choice === 'markdown' ? 'rich' : 'markdown');
    },
  };
}
