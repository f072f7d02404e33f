// A comment and what answers it; one that is resolved takes a line until it is asked for.

import { CheckCheck } from 'lucide-react';
import { useState } from 'react';
import { addComment, commentLength, overBy, resolveThread, useAct } from '../../commands.ts';
import { resolutionOf, type Thread as ThreadOf } from '../../queries/comments.ts';
import { keptName, nameOf, profileOf, type TaskRow, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { useKeptDraft } from '../../ui/draft.ts';
import { useLatest } from '../../ui/use-latest.ts';
import { Comment } from './comment.tsx';
import { anchorOf } from './comment-anchor.ts';
import styles from './comments.module.css';
import type { Gone } from './gone-comment.tsx';
import taskPartStyles from './task-part.module.css';
import { TooLong } from './too-long.tsx';
import { useWriting } from './writers.tsx';
import { WritingField } from './writing-field.tsx';

interface Props {
  readonly task: TaskRow;
  readonly thread: ThreadOf;
  readonly mentions: string;
  readonly names: readonly string[];
  readonly canWrite: boolean;
  readonly onGone: (gone: Gone) => void;
}

/** Words of another as a quote, and room to answer them. */
function quoted(text: string): string {
  return text.trim() === '' ? '' : `${text.trim().replace(/^/gm, '> ').replace(/^> $/gm, '>')}\n\n`;
}

export function Thread({ task, thread, mentions, names, canWrite, onGone }: Props) {
  const userId = useUserId();
  const act = useAct();
  const { first, replies } = thread;
  const resolution = useQuery(resolutionOf, first.id);
  const resolver = useQuery(profileOf, resolution?.user_id ?? '');
  const resolved = resolution !== undefined;
  const draft = useKeptDraft(keptName(userId, 'draft', task.id, 'reply', first.id), '');
  const typed = useLatest(draft.text);
  const writing = useWriting(task);
  /** Grows with each wish to answer, so that the field is there anew and has the focus. */
  const [asked, setAsked] = useState(0);
  /** Null: nobody chose, so the address does; what it leads to may come after the thread. */
  const [looks, setLooks] = useState<boolean | null>(null);
  const isLinked = [first, ...replies].some(({ id }) => location.hash === `#${anchorOf(id)}`);
  const answering = canWrite && (asked > 0 || draft.text !== '');
  const over = overBy(draft.text, commentLength);
  const isShown = !resolved || (looks ?? isLinked) || answering;

  function answer(words: string): void {
    const before = draft.text.trim() === '' ? '' : `${draft.text.trimEnd()}\n\n`;
    if (words !== '') draft.set(before + quoted(words));
    setAsked(asked + 1);
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
    void act(addComment, task.id, userId, text, first.id).then((kept) => {
      // Refused words go back to where they were typed.
      if (!kept && typed.current === '') draft.set(text);
    });
  }

  return (
    <li className={styles.thread} data-resolved={resolved ? '' : undefined}>
      {resolved && (
        <div className={styles.resolved}>
          <CheckCheck size={14} />
          <span>
            {resolution.user_id === null
              ? t('writing.comments.resolved')
              : t('writing.comments.resolvedBy', { name: nameOf(resolver) })}
          </span>
          <Button look="quiet" aria-expanded={isShown} onClick={() => setLooks(!isShown)}>
            {isShown ? t('writing.comments.hide') : t('writing.comments.show', { n: replies.length + 1 })}
          </Button>
          {canWrite && (
            <Button look="quiet" onClick={() => void act(resolveThread, first, userId, false)}>
              {t('writing.comments.reopen')}
            </Button>
          )}
        </div>
      )}
      {isShown && (
        <>
          <Comment
            task={task}
            comment={first}
            mentions={mentions}
            names={names}
            canWrite={canWrite}
            onGone={onGone}
            onReply={answer}
            thread={{
              resolved,
              onResolve: () => {
                setLooks(false);
                void act(resolveThread, first, userId, !resolved);
              },
            }}
          />
          {(replies.length > 0 || answering) && (
            <div className={styles.replies}>
              {replies.length > 0 && (
                <ol className={styles.comments}>
                  {replies.map((reply) => (
                    <li key={reply.id}>
                      <Comment
                        task={task}
                        comment={reply}
                        mentions={mentions}
                        names={names}
                        canWrite={canWrite}
                        onGone={onGone}
                        onReply={answer}
                        thread={null}
                      />
                    </li>
                  ))}
                </ol>
              )}
              {answering && (
                <div className={styles.commentNew}>
                  <WritingField
                    key={asked}
                    task={task}
                    label={t('writing.comments.reply')}
                    text={draft.text}
                    onChange={(text) => {
                      draft.set(text);
                      writing(text !== '');
                    }}
                    names={names}
                    onSubmit={send}
                    {...(draft.text.trim() === '' ? { onEscape: stop } : {})}
                    focus={asked > 0}
                    small
                  />
                  <TooLong over={over} />
                  <div className={taskPartStyles.partActions}>
                    <Button onClick={stop}>{t('common.cancel')}</Button>
                    <Button look="main" disabled={draft.text.trim() === '' || over > 0} onClick={send}>
                      {t('writing.comments.send')}
                    </Button>
                  </div>
                </div>
              )}
            </div>
          )}
        </>
      )}
    </li>
  );
}
