// Menu of a comment: quote, copy link, resolve its thread, edit, delete.

import { Check, Ellipsis, Link, Pencil, Quote, RotateCcw, Trash2 } from 'lucide-react';
import type { RefObject } from 'react';
import { type CommentRow, roleIn, type TaskRow, useQuery, useUserId } from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import { showCopied } from '../../ui/overlays/toaster.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import { anchorOf } from './comment-anchor.ts';
import styles from './comments.module.css';

export interface CommentMenuProps {
  readonly task: TaskRow;
  readonly comment: CommentRow;
  readonly canWrite: boolean;
  readonly canComment: boolean;
  /** Written by whom it is shown to, who may still comment. */
  readonly mine: boolean;
  /** The button that opens the menu. */
  readonly more: RefObject<HTMLButtonElement | null>;
  /** What the thread it begins is; null for a reply. */
  readonly thread: { readonly resolved: boolean; readonly onResolve: () => void } | null;
  /** Answers it, with these words of it quoted. */
  readonly onReply: (quoted: string) => void;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

export function CommentMenu(props: CommentMenuProps) {
  const { comment, more } = props;
  const isOwner = useQuery(roleIn, comment.project_id, useUserId()) === 'owner';
  return (
    <Menu
      label={t('common.more')}
      trigger={
        <IconButton ref={more} label={t('common.more')} className={styles.commentMore}>
          <Ellipsis size={14} />
        </IconButton>
      }
      items={itemsFor(props, isOwner)}
    />
  );
}

function itemsFor(props: CommentMenuProps, isOwner: boolean): MenuItem[] {
  const { task, comment, canWrite, canComment, mine, thread, onReply, onEdit, onDelete } = props;
  const all: (MenuItem | false)[] = [
    canComment && {
      id: 'quote',
      label: t('writing.comments.quote'),
      icon: <Quote size={14} />,
      onPick: () => onReply(comment.body ?? ''),
    },
    {
      id: 'link',
      label: t('writing.comments.copyLink'),
      icon: <Link size={14} />,
      onPick: () => void copyLink(task, comment.id),
    },
    canWrite &&
      thread !== null && {
        id: 'resolve',
        label: t(thread.resolved ? 'writing.comments.reopen' : 'writing.comments.resolve'),
        icon: thread.resolved ? <RotateCcw size={14} /> : <Check size={14} />,
        onPick: thread.onResolve,
      },
    mine && {
      id: 'edit',
      label: t('task.editComment'),
      icon: <Pencil size={14} />,
      apart: true,
      onPick: onEdit,
    },
    (mine || (isOwner && canWrite)) && {
      id: 'delete',
      label: t('task.deleteComment'),
      icon: <Trash2 size={14} />,
      danger: true,
      onPick: onDelete,
    },
  ];
  return all.filter((one) => one !== false);
}

async function copyLink(task: TaskRow, commentId: string): Promise<void> {
  const address = paths.task(task.project_id, addressOf(task));
  showCopied(await copyText(`${location.origin}${address}#${anchorOf(commentId)}`));
}
