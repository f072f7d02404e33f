// What people say about a task; @ names someone of the project.

import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { addComment, commentLength, deleteComment, editComment, overBy, useAct } from '../../commands.ts';
import { sayAgo, sayMoment } from '../../queries/days.ts';
import { commentsOf, membersOf, nameOf, profileOf, roleIn, useQuery } from '../../queries.ts';
import { words } from '../../strings/words.ts';
import { keptName } from '../../sync/kept.ts';
import { useSync } from '../../sync/react.tsx';
import type { CommentRow, TaskRow } from '../../sync/rows.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { recall, useKeptDraft } from '../../ui/draft.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Skeleton } from '../../ui/state.tsx';
import { KeptWords } from './kept-words.tsx';
import { MentionField } from './mention-field.tsx';
import './comments.css';

const say = words.task;

export function Comments({ task, canWrite }: { task: TaskRow; canWrite: boolean }) {
  const { userId } = useSync();
  const act = useAct();
  const comments = useQuery(commentsOf, task.id);
  const members = useQuery(membersOf, task.project_id);
  const names = useMemo(() => members.map((member) => member.name), [members]);
  const mentions = useMemo(() => JSON.stringify(names), [names]);
  const { text: body, set: setBody, settle } = useKeptDraft(keptName(userId, 'draft', task.id, 'comment'), '');
  const typed = useRef(body);
  typed.current = body;

  const over = overBy(body, commentLength);

  function post(): void {
    if (body.trim() === '' || over > 0) return;
    const written = body;
    settle();
    // Refused words go back to where they were typed.
    void act(addComment, task.id, userId, written).then((kept) => kept || typed.current !== '' || setBody(written));
  }

  return (
    <section className="task-part" aria-label={say.comments}>
      <div className="part-head">
        <h3>{say.comments}</h3>
        {comments.length > 0 && <span className="part-count numbers">{comments.length}</span>}
      </div>
      {comments.length === 0 && !canWrite && <p className="part-none">{say.noComments}</p>}
      <ol className="comments">
        {comments.map((comment) => (
          <Comment key={comment.id} comment={comment} mentions={mentions} names={names} canWrite={canWrite} />
        ))}
      </ol>
      {canWrite && (
        <div className="comment-new">
          <MentionField
            label={say.comment}
            placeholder={say.commentPlaceholder}
            value={body}
            onChange={setBody}
            names={names}
            onSubmit={post}
          />
          <TooLong over={over} />
          <div className="part-actions">
            <Button
              look={body.trim() === '' ? 'plain' : 'main'}
              disabled={body.trim() === '' || over > 0}
              onClick={post}
            >
              {say.doComment}
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
    <p className="field-error" role="alert">
      {say.tooLong(over)}
    </p>
  );
}

interface CommentProps {
  readonly comment: CommentRow;
  readonly mentions: string;
  readonly names: readonly string[];
  readonly canWrite: boolean;
}

function Comment({ comment, mentions, names, canWrite }: CommentProps) {
  const { userId } = useSync();
  const act = useAct();
  const author = useQuery(profileOf, comment.author_id ?? '');
  const role = useQuery(roleIn, comment.project_id, userId);
  const draftName = keptName(userId, 'draft', comment.task_id ?? '', comment.id);
  const draft = useKeptDraft(draftName, comment.body ?? '');
  const [editing, setEditing] = useState(() => recall(draftName) !== null);
  const mine = comment.author_id === userId && canWrite;
  const name = comment.author_id === null ? words.common.formerMember : nameOf(author);

  const over = overBy(draft.text, commentLength);
  const more = useRef<HTMLButtonElement>(null);

  function save(): void {
    if (over > 0) return;
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

  function stop(): void {
    draft.reset();
    setEditing(false);
    more.current?.focus();
  }

  return (
    <li className="comment">
      <Avatar name={name} url={author?.avatar_url ?? null} seed={comment.author_id ?? ''} />
      <div className="comment-body">
        <div className="comment-head">
          <strong>{name}</strong>
          <time dateTime={comment.created_at} title={sayMoment(comment.created_at)}>
            {sayAgo(comment.created_at)}
          </time>
          {comment.edited_at && <span>{say.edited}</span>}
          {(mine || (role === 'owner' && canWrite)) && (
            <Menu
              label={words.common.more}
              trigger={
                <IconButton ref={more} label={words.common.more} className="comment-more">
                  <Ellipsis size={14} />
                </IconButton>
              }
              items={[
                ...(mine
                  ? [
                      {
                        id: 'edit',
                        label: say.editComment,
                        icon: <Pencil size={14} />,
                        onPick: () => setEditing(true),
                      },
                    ]
                  : []),
                {
                  id: 'delete',
                  label: say.deleteComment,
                  icon: <Trash2 size={14} />,
                  danger: true,
                  onPick: () => void act(deleteComment, comment.id),
                },
              ]}
            />
          )}
        </div>
        {!(editing && mine) ? (
          comment.body === undefined ? (
            <Skeleton width="60%" />
          ) : (
            <Markdown text={comment.body} mentions={mentions} />
          )
        ) : (
          <>
            <MentionField
              label={say.editComment}
              value={draft.text}
              onChange={draft.set}
              names={names}
              onSubmit={save}
              onCancel={stop}
              focus
            />
            <TooLong over={over} />
            <div className="part-actions">
              <Button onClick={stop}>{words.common.cancel}</Button>
              <Button look="main" disabled={over > 0} onClick={save}>
                {words.common.save}
              </Button>
            </div>
          </>
        )}
      </div>
    </li>
  );
}
