// Editing or deleting a comment: the draft is stored on the device until it is saved, and never overwrites a change by someone else.

import { type RefObject, useRef, useState } from 'react';
import { commentLength, deleteComment, editComment, excessCharacters, useAct } from '../../commands.ts';
import { type CommentRow, storedName, type TaskRow, useUserId } from '../../queries.ts';
import { recall, useSaveOnLeaving, useStoredDraft } from '../../ui/fields/draft.ts';
import { type EditConflict, takeTheirVersion, useEditConflict } from './conflict-notice.tsx';
import type { DeletedComment } from './deleted-comment.tsx';

export const draftOf = (userId: string, taskId: string | null, id: string) =>
  storedName(userId, 'draft', taskId ?? '', id);

export interface CommentEdit {
  readonly editing: boolean;
  readonly text: string;
  /** By how many letters it is too long. */
  readonly over: number;
  readonly clash: EditConflict;
  begin(): void;
  type(text: string): void;
  save(): void;
  /** What was typed is let go. */
  stop(): void;
  /** For what others have made of it. */
  take(): void;
  remove(): void;
}

interface EditProps {
  readonly task: TaskRow;
  readonly comment: CommentRow;
  /** Gets the focus when editing is over. */
  readonly more: RefObject<HTMLButtonElement | null>;
  /** It goes away while someone edits it here. */
  readonly onGone: (gone: DeletedComment) => void;
}

export function useCommentEdit({ task, comment, more, onGone }: EditProps): CommentEdit {
  const act = useAct();
  const draftName = draftOf(useUserId(), comment.task_id, comment.id);
  const draft = useStoredDraft(draftName, comment.body ?? '');
  const [editing, setEditing] = useState(() => recall(draftName) !== null);
  const clash = useEditConflict(draft, comment.body ?? '', comment.body !== undefined);
  const over = excessCharacters(draft.text, commentLength);
  const deleted = useRef(false);
  useSaveOnLeaving(() => {
    if (editing && draft.dirty && !deleted.current) onGone({ id: comment.id, taskId: task.id, text: draft.text });
  });

  function remove(): void {
    deleted.current = true;
    void act(deleteComment, comment.id).then(() => {
      deleted.current = false;
    });
  }

  function save(): void {
    if (over > 0 || clash.theirs !== null) return;
    const { text, dirty } = draft;
    stop();
    if (!dirty || text.trim() === '') return;
    void act(editComment, comment.id, text).then((accepted) => {
      if (accepted) return;
      // Refused words are not lost.
      draft.set(text);
      setEditing(true);
    });
  }

  function stop(): void {
    draft.reset();
    setEditing(false);
    more.current?.focus();
  }

  function take(): void {
    takeTheirVersion(draft, () => setEditing(true));
    setEditing(false);
    more.current?.focus();
  }

  return {
    take,
    editing,
    text: draft.text,
    over,
    clash,
    begin: () => setEditing(true),
    type: draft.set,
    save,
    stop,
    remove,
  };
}
