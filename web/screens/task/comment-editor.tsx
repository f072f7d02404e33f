// The words of a comment while they are changed, and beside them what somebody else has made of it in the meantime.

import { TaskMarkdown } from '../../pieces/task-markdown.tsx';
import type { CommentRow, TaskRow } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { openAttachment } from './attachments/viewer-state.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { useSendingWithFiles, WaitsForFiles } from './sending-with-files.tsx';
import taskPartStyles from './task-part.module.css';
import { TooLong } from './too-long.tsx';
import type { CommentEdit } from './use-comment-edit.ts';
import { WritingField } from './writing-field.tsx';

interface CommentEditorProps {
  readonly task: TaskRow;
  readonly comment: CommentRow;
  readonly edit: CommentEdit;
  /** Of who wrote it. */
  readonly name: string;
  readonly names: readonly string[];
}

export function CommentEditor({ task, comment, edit, name, names }: CommentEditorProps) {
  const { text, over, clash, type, save, stop, take } = edit;
  const sending = useSendingWithFiles(text, save);
  return (
    <>
      <WritingField
        task={task}
        label={t('task.editComment')}
        text={text}
        onChange={type}
        names={names}
        onSubmit={sending.send}
        onEscape={stop}
        focus
        small
      />
      <TooLong over={over} />
      {sending.waits && <WaitsForFiles />}
      {clash.theirs !== null && (
        <ConflictNotice
          by={comment.author_id}
          name={name}
          compared={{ mine: text, theirs: clash.theirs }}
          onTake={take}
          onKeep={clash.keepMine}
        >
          <TaskMarkdown text={clash.theirs} mentions={names} onOpen={openAttachment} />
        </ConflictNotice>
      )}
      <div className={taskPartStyles.partActions}>
        <Button onClick={stop}>{t('common.cancel')}</Button>
        <Button look="main" disabled={over > 0 || clash.theirs !== null} busy={sending.waits} onClick={sending.send}>
          {t('common.save')}
        </Button>
      </div>
    </>
  );
}
