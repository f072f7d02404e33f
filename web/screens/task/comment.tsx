// One comment: read, edited, answered, linked to.

import { useRef } from 'react';
import { tickBox, useAct } from '../../commands.ts';
import { TaskMarkdown } from '../../pieces/task-markdown.tsx';
import { type CommentRow, nameOf, profileOf, roleIn, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { Skeleton } from '../../ui/list-states.tsx';
import { tickLine } from '../../ui/text/tick-markdown.ts';
import { Face } from '../people/face.tsx';
import { openAttachment } from './attachments/viewer-state.ts';
import { anchorOf } from './comment-anchor.ts';
import { CommentEditor } from './comment-editor.tsx';
import { CommentHead } from './comment-head.tsx';
import type { CommentMenuProps } from './comment-menu.tsx';
import styles from './comments.module.css';
import type { DeletedComment } from './deleted-comment.tsx';
import { Reactions } from './reactions.tsx';
import { UnsavedText } from './unsaved-text.tsx';
import { useCommentEdit } from './use-comment-edit.ts';

interface CommentProps
  extends Pick<CommentMenuProps, 'task' | 'comment' | 'canWrite' | 'canComment' | 'onReply' | 'thread'> {
  readonly names: readonly string[];
  /** It goes away while someone edits it here. */
  readonly onGone: (gone: DeletedComment) => void;
}

interface AuthorProps {
  readonly comment: CommentRow;
  readonly name: string;
  readonly avatarUrl: string | null;
}

/** Who has left the project has no card here. */
function AuthorFace({ comment, name, avatarUrl }: AuthorProps) {
  const userId = comment.author_id ?? '';
  const here = useQuery(roleIn, comment.project_id, userId) !== null;
  return (
    <span className={`${shapes.grid} ${styles.commentFace}`}>
      {here ? (
        <Face person={{ userId, name, avatarUrl }} projectId={comment.project_id} />
      ) : (
        <Avatar name={name} url={avatarUrl} seed={userId} />
      )}
    </span>
  );
}

export function Comment({ task, comment, names, canWrite, canComment, onGone, onReply, thread }: CommentProps) {
  const userId = useUserId();
  const author = useQuery(profileOf, comment.author_id ?? '');
  const mine = comment.author_id === userId && canComment;
  const name = comment.author_id === null ? t('common.formerMember') : nameOf(author);
  const more = useRef<HTMLButtonElement>(null);
  const edit = useCommentEdit({ task, comment, more, onGone });

  return (
    <div className={`${shapes.lineS4} ${shapes.roundM} ${styles.comment}`} id={anchorOf(comment.id)} tabIndex={-1}>
      <AuthorFace comment={comment} name={name} avatarUrl={author?.avatar_url ?? null} />
      <div className={`${shapes.stackS2} ${shapes.fill}`}>
        <CommentHead
          task={task}
          comment={comment}
          name={name}
          canWrite={canWrite}
          canComment={canComment}
          mine={mine}
          more={more}
          thread={thread}
          onReply={onReply}
          onEdit={edit.begin}
          onDelete={edit.remove}
        />
        {edit.editing && mine ? (
          <CommentEditor task={task} comment={comment} edit={edit} name={name} names={names} />
        ) : comment.body === undefined ? (
          <Skeleton width="60%" />
        ) : (
          <ErrorBoundary of={comment}>
            <Words comment={comment} text={comment.body} names={names} canComment={canComment} mine={mine} />
          </ErrorBoundary>
        )}
        {edit.editing && !mine && edit.text !== comment.body && <UnsavedText text={edit.text} />}
      </div>
    </div>
  );
}

interface WordsProps extends Pick<CommentProps, 'comment' | 'names' | 'canComment'> {
  readonly text: string;
  readonly mine: boolean;
}

/** What it says, and what people think of it. Who wrote it ticks the boxes in it. */
function Words({ comment, text, names, canComment, mine }: WordsProps) {
  const act = useAct();
  function onTick(place: number, done: boolean): boolean {
    const ticked = tickLine(text, place, done);
    if (ticked) void act(tickBox, { table: 'task_comments', id: comment.id, done, ...ticked });
    return ticked !== null;
  }
  return (
    <>
      <TaskMarkdown text={text} mentions={names} onOpen={openAttachment} {...(mine ? { onTick } : {})} />
      <Reactions comment={comment} canReact={canComment} />
    </>
  );
}
