// Head of a comment: its author, its time and its menu.

import { Reply } from 'lucide-react';
import { AgentTag } from '../../pieces/agent-tag.tsx';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import { nameThrough } from '../../queries/people/name-through.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../../ui/button.tsx';
import { CommentMenu, type CommentMenuProps } from './comment-menu.tsx';
import styles from './comments.module.css';
import { React } from './reactions.tsx';

interface CommentHeadProps extends CommentMenuProps {
  /** Of who wrote it. */
  readonly name: string;
}

export function CommentHead({ name, ...menu }: CommentHeadProps) {
  const { comment, canComment, onReply } = menu;
  return (
    <div className={`${shapes.quietS} ${shapes.lineS3} ${styles.commentHead}`}>
      <strong>{nameThrough(name, comment.program)}</strong>
      <AgentTag userId={comment.author_id ?? ''} />
      <time dateTime={comment.created_at} title={sayMoment(comment.created_at)}>
        {sayAgo(comment.created_at)}
      </time>
      {comment.edited_at && <span>{t('task.edited')}</span>}
      {canComment && <React comment={comment} className={styles.commentMore} />}
      {canComment && (
        <IconButton
          label={t('writing.comments.replyTo', { name })}
          className={styles.commentMore}
          onClick={() => onReply('')}
        >
          <Reply size={14} />
        </IconButton>
      )}
      <CommentMenu {...menu} />
    </div>
  );
}
