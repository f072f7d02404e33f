// Comments of a task in one stream with its history, and the field to write one; @ mentions a member of the project.

import { useEffect, useRef, useState } from 'react';
import { addComment, commentLength, excessCharacters, useAct } from '../../commands.ts';
import { commentsOf, threadsOf } from '../../queries/tasks/comments.ts';
import { streamOf } from '../../queries/tasks/stream.ts';
import {
  activityOf,
  isGuest,
  namesIn,
  rightsOn,
  storedName,
  type TaskRow,
  useQuery,
  useUserId,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { forget, useStoredDraft } from '../../ui/fields/draft.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { fulfilWish, leaveField, stayInField } from './comment-wish.ts';
import styles from './comments.module.css';
import { type DeletedComment, DeletedCommentNotice } from './deleted-comment.tsx';
import { useSendingWithFiles, WaitsForFiles } from './sending-with-files.tsx';
import { Stream, StreamHead, useStreamFilter } from './stream.tsx';
import taskPartStyles from './task-part.module.css';
import { TooLong } from './too-long.tsx';
import { TypingPeople, useTellTyping } from './typing-people.tsx';
import { UnsavedText } from './unsaved-text.tsx';
import { draftOf } from './use-comment-edit.ts';
import { WritingField } from './writing-field.tsx';

export function Comments({ task, canWrite }: { task: TaskRow; canWrite: boolean }) {
  const userId = useUserId();
  const act = useAct();
  const canComment = useQuery(rightsOn, task.id, userId).comments;
  const guest = useQuery(isGuest, task.project_id, userId);
  const comments = useQuery(commentsOf, task.id);
  const [chosen, choose] = useStreamFilter();
  const filter = guest ? 'all' : chosen;
  const items = streamOf(useQuery(threadsOf, task.id), useQuery(activityOf, task.id), filter);
  useLinked(comments.length);
  const names = useQuery(namesIn, task.project_id);
  const { text: body, set: setBody, settle } = useStoredDraft(storedName(userId, 'draft', task.id, 'comment'), '');
  const typed = useLatest(body);

  const over = excessCharacters(body, commentLength);
  const writing = useTellTyping(task);
  /** Comments that went away while they were edited here, also such as have come back since. */
  const [left, setLeft] = useState<readonly DeletedComment[]>([]);
  const gone = left.filter((one) => one.taskId === task.id && !comments.some(({ id }) => id === one.id));

  function drop(one: DeletedComment): void {
    forget(draftOf(userId, one.taskId, one.id));
    setLeft((old) => old.filter(({ id }) => id !== one.id));
  }

  function write(text: string): void {
    setBody(text);
    writing(text !== '');
  }

  /** Whether it could be sent. */
  function post(): boolean {
    if (body.trim() === '' || over > 0) return false;
    const written = body;
    settle();
    writing(false);
    // Nobody writes what they then don't see.
    if (filter === 'history') choose('all');
    // Refused words go back to where they were typed.
    void act(addComment, task.id, userId, written).then(
      (accepted) => accepted || typed.current !== '' || setBody(written),
    );
    return true;
  }

  return (
    <section className={`${shapes.lineS3} ${shapes.column}`} aria-label={t('task.activity')}>
      {/* Guests read no history. */}
      <StreamHead filter={filter} onFilter={guest ? null : choose} />
      {items.length === 0 && !canComment && <p className={shapes.quiet}>{t('task.noComments')}</p>}
      <Stream
        items={items}
        task={task}
        names={names}
        canWrite={canWrite}
        canComment={canComment}
        onGone={(one) => setLeft((old) => [...old.filter(({ id }) => id !== one.id), one])}
      />
      {gone.map((one) => (
        <DeletedCommentNotice
          key={one.id}
          text={one.text}
          onDrop={() => drop(one)}
          onUse={
            canComment
              ? () => {
                  write(body.trim() === '' ? one.text : `${body}\n\n${one.text}`);
                  drop(one);
                }
              : null
          }
        />
      ))}
      <TypingPeople task={task} />
      {canComment && <NewComment task={task} names={names} text={body} over={over} onChange={write} onPost={post} />}
      {!canComment && body.trim() !== '' && <UnsavedText text={body} />}
    </section>
  );
}

interface NewCommentProps {
  readonly task: TaskRow;
  readonly names: readonly string[];
  readonly text: string;
  /** By how many letters it is too long. */
  readonly over: number;
  readonly onChange: (text: string) => void;
  readonly onPost: () => boolean;
}

function NewComment({ task, names, text, over, onChange, onPost }: NewCommentProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => fulfilWish(task.id, box.current), [task.id]);
  const sending = useSendingWithFiles(text, () => {
    if (onPost()) leaveField(task.id, box.current);
  });
  const isBlank = text.trim() === '';
  return (
    <div ref={box} className={`${shapes.stackS3} ${styles.commentNew}`} data-new-comment onPointerDown={stayInField}>
      <WritingField
        task={task}
        label={t('task.comment')}
        placeholder={t('task.commentPlaceholder')}
        text={text}
        onChange={onChange}
        names={names}
        onSubmit={sending.send}
        small
      />
      <TooLong over={over} />
      {sending.waits && <WaitsForFiles />}
      <div className={taskPartStyles.partActions}>
        <Button
          look={isBlank ? 'plain' : 'main'}
          disabled={isBlank || over > 0}
          busy={sending.waits}
          onClick={sending.send}
        >
          {t('task.doComment')}
        </Button>
      </div>
    </div>
  );
}

/** An address that ends in a comment leads to it, once it is there. */
function useLinked(known: number): void {
  const [hash, setHash] = useState(() => location.hash);
  const reached = useRef('');
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    if (known === 0 || reached.current === hash || !hash.startsWith('#comment-')) return;
    const comment = document.getElementById(hash.slice(1));
    if (comment === null) return;
    reached.current = hash;
    comment.scrollIntoView({ block: 'center' });
    comment.focus({ preventScroll: true });
    comment.dataset.linked = '';
  }, [known, hash]);
}
