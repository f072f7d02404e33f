// Answering a thread: what is typed is kept on the device until it is sent, and the others see that one writes.

import { useState } from 'react';
import { addComment, commentLength, excessCharacters, useAct } from '../../commands.ts';
import { storedName, type TaskRow, useUserId } from '../../queries.ts';
import { useStoredDraft } from '../../ui/fields/draft.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { useTellTyping } from './typing-people.tsx';

export interface Reply {
  readonly text: string;
  /** By how many letters it is too long. */
  readonly over: number;
  /** Grows with each wish to answer, so that the field is there anew and has the focus. */
  readonly asked: number;
  /** Wishes to answer, with these words quoted. */
  answer(words: string): void;
  type(text: string): void;
  send(): void;
  /** What was typed is let go. */
  stop(): void;
}

/** Words of another as a quote, and room to answer them. */
function quoted(text: string): string {
  return text.trim() === '' ? '' : `${text.trim().replace(/^/gm, '> ').replace(/^> $/gm, '>')}\n\n`;
}

export function useReply(task: TaskRow, commentId: string): Reply {
  const userId = useUserId();
  const act = useAct();
  const draft = useStoredDraft(storedName(userId, 'draft', task.id, 'reply', commentId), '');
  const typed = useLatest(draft.text);
  const writing = useTellTyping(task);
  const [asked, setAsked] = useState(0);
  const over = excessCharacters(draft.text, commentLength);

  function answer(words: string): void {
    const before = draft.text.trim() === '' ? '' : `${draft.text.trimEnd()}\n\n`;
    if (words !== '') draft.set(before + quoted(words));
    setAsked(asked + 1);
  }

  function type(text: string): void {
    draft.set(text);
    writing(text !== '');
  }

  function stop(): void {
    draft.reset();
    writing(false);
    setAsked(0);
  }

  function send(): void {
    const { text } = draft;
    if (text.trim() === '' || over > 0) return;
    stop();
    void act(addComment, task.id, userId, text, commentId).then((accepted) => {
      // Refused words go back to where they were typed.
      if (!accepted && typed.current === '') draft.set(text);
    });
  }

  return { text: draft.text, over, asked, answer, type, send, stop };
}
