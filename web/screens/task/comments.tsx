// What people say about a task; @ names someone of the project.

import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { addComment, commentLength, deleteComment, editComment, overBy, tickBox, useAct } from '../../commands.ts';
import { TaskText } from '../../pieces/task-text.tsx';
import { sayAgo, sayMoment } from '../../queries/days.ts';
import {
  type CommentRow,
  commentsOf,
  keptName,
  membersOf,
  nameOf,
  profileOf,
  roleIn,
  type TaskRow,
  useQuery,
  useUserId,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { forget, recall, useKeptDraft, useSaveOnLeaving } from '../../ui/draft.ts';
import fieldStyles from '../../ui/field.module.css';
import { Menu } from '../../ui/menu.tsx';
import { Skeleton } from '../../ui/state.tsx';
import { tickLine } from '../../ui/tick-markdown.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { openAttachment } from './attachments/viewer-state.ts';
import styles from './comments.module.css';
import { type Gone, GoneComment } from './gone-comment.tsx';
import { KeptWords } from './kept-words.tsx';
import taskPartStyles from './task-part.module.css';
import { Theirs, useClash } from './theirs.tsx';
import { useWriting, Writers } from './writers.tsx';
import { WritingField } from './writing-field.tsx';

export function Comments({ task, canWrite }: { task: TaskRow; canWrite: boolean }) {
  const userId = useUserId();
  const act = useAct();
  const comments = useQuery(commentsOf, task.id);
  const members = useQuery(membersOf, task.project_id);
  const names = useMemo(() => members.map((member) => member.name), [members]);
  const mentions = useMemo(() => JSON.stringify(names), [names]);
  const { text: body, set: setBody, settle } = useKeptDraft(keptName(userId, 'draft', task.id, 'comment'), '');
  const typed = useLatest(body);

  const over = overBy(body, commentLength);
  const writing = useWriting(task);
  /** Comments that went away while they were edited here, also such as have come back since. */
  const [left, setLeft] = useState<readonly Gone[]>([]);
  const gone = left.filter((one) => one.taskId === task.id && !comments.some(({ id }) => id === one.id));

  function drop(one: Gone): void {
    forget(draftOf(userId, one.taskId, one.id));
    setLeft((old) => old.filter(({ id }) => id !== one.id));
  }

  function write(text: string): void {
    setBody(text);
    writing(text !== '');
  }

  function post(): void {
    if (body.trim() === '' || over > 0) return;
    const written = body;
    settle();
    writing(false);
    // Refused words go back to where they were typed.
    void act(addComment, task.id, userId, written).then((kept) => kept || typed.current !== '' || setBody(written));
  }

  return (
    <section className={taskPartStyles.taskPart} aria-label={t('task.comments')}>
      <div className={taskPartStyles.partHead}>
        <h3>{t('task.comments')}</h3>
        {comments.length > 0 && <span className={`${taskPartStyles.partCount} numbers`}>{comments.length}</span>}
      </div>
      {comments.length === 0 && !canWrite && <p className={taskPartStyles.partNone}>{t('task.noComments')}</p>}
      <ol className={styles.comments}>
        {comments.map((comment) => (
          <Comment
            key={comment.id}
            task={task}
            comment={comment}
            mentions={mentions}
            names={names}
            canWrite={canWrite}
            onGone={(one) => setLeft((old) => [...old.filter(({ id }) => id !== one.id), one])}
          />
        ))}
      </ol>
      {gone.map((one) => (
        <GoneComment
          key={one.id}
          text={one.text}
          onDrop={() => drop(one)}
          onUse={
            canWrite
              ? () => {
                  write(body.trim() === '' ? one.text : `${body}\n\n${one.text}`);
                  drop(one);
                }
              : null
          }
        />
      ))}
      <Writers task={task} />
      {canWrite && (
        <div className={styles.commentNew}>
          <WritingField
            task={task}
            label={t('task.comment')}
            placeholder={t('task.commentPlaceholder')}
            text={body}
            onChange={write}
            names={names}
            onSubmit={post}
            small
          />
          <TooLong over={over} />
          <div className={taskPartStyles.partActions}>
            <Button
              look={body.trim() === '' ? 'plain' : 'main'}
              disabled={body.trim() === '' || over > 0}
              onClick={post}
            >
              {t('task.doComment')}
            </Button>
          </div>
        </div>
      )}
      {!canWrite && body.trim() !== '' && <KeptWords text={body} />}
    </section>
  );
}

function TooLong({ over }: { over: number }) {
  if (over === 0) return null;
  return (
    <p className={fieldStyles.fieldError} role="alert">
      {t('task.tooLong', { over })}
    </p>
  );
}

interface CommentProps {
  readonly task: TaskRow;
  readonly comment: CommentRow;
  readonly mentions: string;
  readonly names: readonly string[];
  readonly canWrite: boolean;
  /** It goes away while someone edits it here. */
  readonly onGone: (gone: Gone) => void;
}

const draftOf = (userId: string, taskId: string | null, id: string) => keptName(userId, 'draft', taskId ?? '', id);

function Comment({ task, comment, mentions, names, canWrite, onGone }: CommentProps) {
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

  return (
    <li className={styles.comment}>
      <Avatar name={name} url={author?.avatar_url ?? null} seed={comment.author_id ?? ''} />
      <div className={styles.commentBody}>
        <div className={styles.commentHead}>
          <strong>{name}</strong>
          <time dateTime={comment.created_at} title={sayMoment(comment.created_at)}>
            {sayAgo(comment.created_at)}
          </time>
          {comment.edited_at && <span>{t('task.edited')}</span>}
          {(mine || (role === 'owner' && canWrite)) && (
            <Menu
              label={t('common.more')}
              trigger={
                <IconButton ref={more} label={t('common.more')} className={styles.commentMore}>
                  <Ellipsis size={14} />
                </IconButton>
              }
              items={[
                ...(mine
                  ? [
                      {
                        id: 'edit',
                        label: t('task.editComment'),
                        icon: <Pencil size={14} />,
                        onPick: () => setEditing(true),
                      },
                    ]
                  : []),
                {
                  id: 'delete',
                  label: t('task.deleteComment'),
                  icon: <Trash2 size={14} />,
                  danger: true,
                  onPick: remove,
                },
              ]}
            />
          )}
        </div>
        {!(editing && mine) ? (
          comment.body === undefined ? (
            <Skeleton width="60%" />
          ) : (
            <TaskText text={comment.body} mentions={mentions} onOpen={openAttachment} {...(mine ? { onTick } : {})} />
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
    </li>
  );
}
