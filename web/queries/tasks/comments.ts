// Comments of a task: threads, replies and reactions.

import { compareWords } from '../../strings/compare-words.ts';
import type { Query } from '../../sync/react.tsx';
import type { CommentRow, ResolutionRow } from '../../sync/rows/rows.ts';
import { nameOf } from '../people/people.ts';

export const commentsOf: Query<[taskId: string], CommentRow[]> = {
  read: (store, taskId) =>
    store
      .where('task_comments', 'task_id', taskId)
      .sort((one, other) => one.created_at.localeCompare(other.created_at)),
};

/** A comment with what answers it, oldest first. */
export interface Thread {
  readonly first: CommentRow;
  readonly replies: readonly CommentRow[];
}

export const threadsOf: Query<[taskId: string], Thread[]> = {
  read(store, taskId) {
    const comments = commentsOf.read(store, taskId);
    const known = new Set(comments.map(({ id }) => id));
    const isReply = ({ parent_id }: CommentRow): boolean => parent_id != null && known.has(parent_id);
    return comments
      .filter((comment) => !isReply(comment))
      .map((first) => ({ first, replies: comments.filter((one) => isReply(one) && one.parent_id === first.id) }));
  },
};

/** One sign under a comment. */
export interface Reaction {
  readonly emoji: string;
  readonly people: readonly { readonly userId: string; readonly name: string }[];
}

export const reactionsTo: Query<[commentId: string], Reaction[]> = {
  read(store, commentId) {
    const found = new Map<string, { userId: string; name: string }[]>();
    for (const { emoji, user_id } of store.where('comment_reactions', 'comment_id', commentId)) {
      const people = found.get(emoji) ?? [];
      people.push({ userId: user_id, name: nameOf(store.get('profiles', user_id)) });
      found.set(emoji, people);
    }
    return [...found].map(([emoji, people]) => ({
      emoji,
      people: people.sort((one, other) => compareWords(one.name, other.name)),
    }));
  },
};

export const resolutionOf: Query<[commentId: string], ResolutionRow | undefined> = {
  read: (store, commentId) => store.where('comment_resolutions', 'comment_id', commentId)[0],
};
