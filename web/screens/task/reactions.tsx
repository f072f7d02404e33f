// Reactions to a comment, and one's own to add or remove.

import { SmilePlus } from 'lucide-react';
import { type Emoji, emojis, react, useAct } from '../../commands.ts';
import { reactionsTo } from '../../queries/tasks/comments.ts';
import { type CommentRow, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import styles from './comments.module.css';

const names = {
  '👍': 'up',
  '👎': 'down',
  '❤️': 'heart',
  '🎉': 'party',
  '😄': 'laugh',
  '👀': 'eyes',
  '🚀': 'rocket',
  '✅': 'done',
} as const satisfies Record<Emoji, string>;

const nameOfEmoji = (emoji: Emoji): string => t(`writing.comments.emoji.${names[emoji]}`);

/** What there is for a comment in the order of the signs, and the way to change one's own. */
function useReactions(comment: CommentRow) {
  const act = useAct();
  const userId = useUserId();
  const given = useQuery(reactionsTo, comment.id);
  const shown = emojis.flatMap((emoji) => {
    const people = given.find((one) => one.emoji === emoji)?.people ?? [];
    return people.length === 0 ? [] : [{ emoji, people, mine: people.some((one) => one.userId === userId) }];
  });
  const toggle = (emoji: Emoji): void => {
    const mine = shown.some((one) => one.emoji === emoji && one.mine);
    void act(react, comment, userId, emoji, !mine);
  };
  return { shown, toggle };
}

export function Reactions({ comment, canWrite }: { comment: CommentRow; canWrite: boolean }) {
  const { shown, toggle } = useReactions(comment);
  if (shown.length === 0) return null;
  return (
    <div className={`${shapes.wrapS2} ${styles.reactions}`}>
      {shown.map(({ emoji, people, mine }) => {
        const label = t('writing.comments.reactedBy', {
          emoji: nameOfEmoji(emoji),
          people: people.map(({ name }) => name).join(', '),
        });
        return (
          <button
            key={emoji}
            type="button"
            className={`${shapes.inlineS2} ${shapes.softXs} ${shapes.chip} ${styles.reaction}`}
            aria-pressed={mine}
            title={label}
            disabled={!canWrite}
            onClick={() => toggle(emoji)}
          >
            <span className="only-spoken">{label}</span>
            <span aria-hidden="true">{emoji}</span>
            <span className="numbers" aria-hidden="true">
              {people.length}
            </span>
          </button>
        );
      })}
    </div>
  );
}

/** All signs, to add one or take it back. */
export function React({ comment, className = '' }: { comment: CommentRow; className?: string | undefined }) {
  const { toggle } = useReactions(comment);
  return (
    <Menu
      across
      label={t('writing.comments.react')}
      trigger={
        <IconButton label={t('writing.comments.react')} className={className}>
          <SmilePlus size={14} />
        </IconButton>
      }
      items={emojis.map((emoji) => ({
        id: emoji,
        label: nameOfEmoji(emoji),
        icon: <span aria-hidden="true">{emoji}</span>,
        onPick: () => toggle(emoji),
      }))}
    />
  );
}
