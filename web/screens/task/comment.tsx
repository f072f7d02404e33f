// One comment: read, edited, answered, linked to.

import { Check, Ellipsis, Link, Pencil, Quote, Reply, RotateCcw, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { commentLength, deleteComment, editComment, overBy, tickBox, useAct } from '../../commands.ts';
import { TaskText } from '../../pieces/task-text.tsx';
import { sayAgo, sayMoment } from '../../queries/days.ts';
import {
  type CommentRow,
  keptName,
  nameOf,
  profileOf,
  roleIn,
  type TaskRow,
  useQuery,
  useUserId,
} from '../../queries.ts';
import { addressOf, paths } from '../../routes.ts';
import { t } from '../../strings/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { recall, useKeptDraft, useSaveOnLeaving } from '../../ui/draft.ts';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { Skeleton } from '../../ui/state.tsx';
import { tickLine } from '../../ui/tick-markdown.ts';
import { showCopied } from '../../ui/toaster.tsx';
import { Face } from '../people/face.tsx';
import { openAttachment } from './attachments/viewer-state.ts';
import styles from './comments.module.css';
import type { Gone } from './gone-comment.tsx';
import { React, Reactions } from './reactions.tsx';
import taskPartStyles from './task-part.module.css';
import { Theirs, useClash } from './theirs.tsx';
import { TooLong } from './too-long.tsx';
import { WritingField } from './writing-field.tsx';

/** What an address that leads to it ends in. */
export const anchorOf = (commentId: string): string => `comment-${commentId}`;

interface CommentProps {
  readonly task: TaskRow;
  readonly comment: CommentRow;
  readonly mentions: string;
  readonly names: readonly string[];
  readonly canWrite: boolean;
  /** Answers it, with these words of it quoted. */
  readonly onReply: (quoted: string) => void;
  /** What the thread it begins is; null for a reply. */
  readonly thread: { readonly resolved: boolean; readonly onResolve: () => void } | null;
  /** It goes away while someone edits it here. */
  readonly onGone: (gone: Gone) => void;
}

export const draftOf = (userId: string, taskId: string | null, id: string) =>
  keptName(userId, 'draft', taskId ?? '', id);

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
    <span className={styles.commentFace}>
      {here ? (
        <Face person={{ userId, name, avatarUrl }} projectId={comment.project_id} />
      ) : (
        <Avatar name={name} url={avatarUrl} seed={userId} />
      )}
    </span>
  );
}

export function Comment({ task, comment, mentions, names, canWrite, onGone, onReply, thread }: CommentProps) {
  const userId = useUserId();
  const act = useAct();
  const author = useQuery(profileOf, comment.author_id ?? '');
  const role = useQuery(roleIn, comment.project_id, userId);
  const draftName = draftOf(userId, comment.task_id, comment.id);
  const draft = useKeptDraft(draftName, comment.body ?? '');
  const [editing, setEditing] = useState(() => recall(draftName) !== null);
  const mine = comment.author_id === userId && canWrite;
  const name = comment.author_id === null ? t('common.formerMember') : nameOf(author);

  const clash = useClash(draft, comment.body ?? '', comment.body !== undefined);
  const over = overBy(draft.text, commentLength);
  const more = useRef<HTMLButtonElement>(null);
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
    void act(editComment, comment.id, text).then((kept) => {
      if (kept) return;
      // Refused words are not lost.
      draft.set(text);
      setEditing(true);
    });
  }

  function onTick(place: number, done: boolean): void {
    const ticked = tickLine(comment.body ?? '', place, done);
    if (ticked) void act(tickBox, { table: 'task_comments', id: comment.id, done, ...ticked });
  }

  function stop(): void {
    draft.reset();
    setEditing(false);
    more.current?.focus();
  }

  async function copyLink(): Promise<void> {
    const address = paths.task(task.project_id, addressOf(task));
    showCopied(await copyText(`${location.origin}${address}#${anchorOf(comment.id)}`));
  }

  function items(): MenuItem[] {
    const all: (MenuItem | false)[] = [
      canWrite && {
        id: 'quote',
        label: t('writing.comments.quote'),
        icon: <Quote size={14} />,
        onPick: () => onReply(comment.body ?? ''),
      },
      {
        id: 'link',
        label: t('writing.comments.copyLink'),
        icon: <Link size={14} />,
        onPick: () => void copyLink(),
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
        onPick: () => setEditing(true),
      },
      (mine || (role === 'owner' && canWrite)) && {
        id: 'delete',
        label: t('task.deleteComment'),
        icon: <Trash2 size={14} />,
        danger: true,
        onPick: remove,
      },
    ];
    return all.filter((one) => one !== false);
  }

  return (
    <div className={styles.comment} id={anchorOf(comment.id)} tabIndex={-1}>
      <AuthorFace comment={comment} name={name} avatarUrl={author?.avatar_url ?? null} />
      <div className={styles.commentBody}>
        <div className={styles.commentHead}>
          <strong>{name}</strong>
          <time dateTime={comment.created_at} title={sayMoment(comment.created_at)}>
            {sayAgo(comment.created_at)}
          </time>
          {comment.edited_at && <span>{t('task.edited')}</span>}
          {canWrite && <React comment={comment} className={styles.commentMore} />}
          {canWrite && (
            <IconButton
              label={t('writing.comments.replyTo', { name })}
              className={styles.commentMore}
              onClick={() => onReply('')}
            >
              <Reply size={14} />
            </IconButton>
          )}
          <Menu
            label={t('common.more')}
            trigger={
              <IconButton ref={more} label={t('common.more')} className={styles.commentMore}>
                <Ellipsis size={14} />
              </IconButton>
            }
            items={items()}
          />
        </div>
        {!(editing && mine) ? (
          comment.body === undefined ? (
            <Skeleton width="60%" />
          ) : (
            <>
              <TaskText text={comment.body} mentions={mentions} onOpen={openAttachment} {...(mine ? { onTick } : {})} />
              <Reactions comment={comment} canWrite={canWrite} />
            </>
          )
        ) : (
          <>
            <WritingField
              task={task}
              label={t('task.editComment')}
              text={draft.text}
              onChange={draft.set}
              names={names}
              onSubmit={save}
              onEscape={stop}
              focus
              small
            />
            <TooLong over={over} />
            {clash.theirs !== null && (
              <Theirs by={comment.author_id} name={name} onTake={stop} onKeep={clash.keepMine}>
                <TaskText text={clash.theirs} mentions={mentions} onOpen={openAttachment} />
              </Theirs>
            )}
            <div className={taskPartStyles.partActions}>
              <Button onClick={stop}>{t('common.cancel')}</Button>
              <Button look="main" disabled={over > 0 || clash.theirs !== null} onClick={save}>
                {t('common.save')}
              </Button>
            </div>
          </>
        )}
      </div>
    </div>
  );
}
