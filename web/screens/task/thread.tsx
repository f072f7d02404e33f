// A comment with its replies; a resolved thread is folded to one line.

import { useState } from 'react';
import { resolveThread, useAct } from '../../commands.ts';
import { resolutionOf, type Thread as ThreadOf } from '../../queries/tasks/comments.ts';
import { type TaskRow, useQuery, useUserId } from '../../queries.ts';
import shapes from '../../styles/shapes.module.css';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { Comment } from './comment.tsx';
import { anchorOf } from './comment-anchor.ts';
import styles from './comments.module.css';
import type { DeletedComment } from './deleted-comment.tsx';
import { ReplyField } from './reply-field.tsx';
import { ResolvedLine } from './resolved-line.tsx';
import { UnsavedText } from './unsaved-text.tsx';
import { useReply } from './use-reply.ts';

export interface ThreadProps {
  readonly task: TaskRow;
  readonly thread: ThreadOf;
  readonly names: readonly string[];
  readonly canWrite: boolean;
  readonly canComment: boolean;
  readonly onGone: (gone: DeletedComment) => void;
}

export function Thread({ task, thread, names, canWrite, canComment, onGone }: ThreadProps) {
  const userId = useUserId();
  const act = useAct();
  const { first, replies } = thread;
  const resolution = useQuery(resolutionOf, first.id);
  const resolved = resolution !== undefined;
  const reply = useReply(task, first.id);
  /** Null: nobody chose, so the address does; what it leads to may come after the thread. */
  const [looks, setLooks] = useState<boolean | null>(null);
  const isLinked = [first, ...replies].some(({ id }) => location.hash === `#${anchorOf(id)}`);
  const answering = canComment && (reply.asked > 0 || reply.text !== '');
  const isLeft = !canComment && reply.text.trim() !== '';
  const isShown = !resolved || (looks ?? isLinked) || answering || isLeft;
  const forAll = { task, names, canWrite, canComment, onGone, onReply: reply.answer };

  function resolve(done: boolean): void {
    void act(resolveThread, first, userId, done);
  }

  return (
    <li className={`${shapes.stackS3} ${shapes.oneColumn}`} data-resolved={resolved ? '' : undefined}>
      {resolved && (
        <ResolvedLine
          resolution={resolution}
          count={replies.length + 1}
          isShown={isShown}
          onShow={() => setLooks(!isShown)}
          onReopen={canWrite ? () => resolve(false) : null}
        />
      )}
      {isShown && (
        <>
          <ErrorBoundary of={first}>
            <Comment
              {...forAll}
              comment={first}
              thread={{
                resolved,
                onResolve: () => {
                  setLooks(false);
                  resolve(!resolved);
                },
              }}
            />
          </ErrorBoundary>
          {(replies.length > 0 || answering || isLeft) && (
            <div className={`${shapes.stackS4} ${shapes.oneColumn} ${styles.replies}`}>
              {replies.length > 0 && (
                <ol className={`${shapes.stackS5} ${styles.comments}`}>
                  {replies.map((one) => (
                    <li key={one.id}>
                      <ErrorBoundary of={one}>
                        <Comment {...forAll} comment={one} thread={null} />
                      </ErrorBoundary>
                    </li>
                  ))}
                </ol>
              )}
              {answering && <ReplyField task={task} reply={reply} names={names} />}
              {isLeft && <UnsavedText text={reply.text} />}
            </div>
          )}
        </>
      )}
    </li>
  );
}
