// Reactions to a comment, and one's own to add or remove.

import { Plus, SmilePlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { emojis, mostEmojis, react, useAct } from '../../commands.ts';
import { reactionsTo } from '../../queries/tasks/comments.ts';
import { type CommentRow, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { IconButton } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/overlays/lazy-overlay.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import styles from './comments.module.css';
import { loadEmojis } from './emoji/emojis.ts';

const EmojiPicker = lazyOverlay(async () => {
  const [picker] = await Promise.all([import('./emoji/emoji-picker.tsx'), loadEmojis()]);
  return picker;
});

const names = {
  '👍': 'up',
  '👎': 'down',
  '❤️': 'heart',
  '🎉': 'party',
  '😄': 'laugh',
  '👀': 'eyes',
  '🚀': 'rocket',
  '✅': 'done',
} as const satisfies Record<(typeof emojis)[number], string>;

const isNamed = (emoji: string): emoji is keyof typeof names => Object.hasOwn(names, emoji);
/** Another one speaks for itself. */
const nameOfEmoji = (emoji: string): string => (isNamed(emoji) ? t(`writing.comments.emoji.${names[emoji]}`) : emoji);

/** Those offered first stand first. */
const placeOf = (emoji: string): number => (isNamed(emoji) ? emojis.indexOf(emoji) : emojis.length);

/** What there is for a comment in the order of the signs, and the way to change one's own. */
function useReactions(comment: CommentRow) {
  const act = useAct();
  const userId = useUserId();
  const given = useQuery(reactionsTo, comment.id);
  const shown = given
    .map((one) => ({ ...one, mine: one.people.some((person) => person.userId === userId) }))
    .sort((one, other) => placeOf(one.emoji) - placeOf(other.emoji) || (one.emoji < other.emoji ? -1 : 1));
  const toggle = (emoji: string): void => {
    const mine = shown.some((one) => one.emoji === emoji && one.mine);
    void act(react, comment, userId, emoji, !mine);
  };
  return { shown, toggle };
}

export function Reactions({ comment, canReact }: { comment: CommentRow; canReact: boolean }) {
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
            className={`${shapes.inlineS2} ${shapes.softXs} ${shapes.chip} ${shapes.bordered} ${styles.reaction}`}
            aria-pressed={mine}
            title={label}
            disabled={!canReact}
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

/** The common signs, and behind them all others, to add one or take it back. */
export function React({ comment, className = '' }: { comment: CommentRow; className?: string | undefined }) {
  const { shown, toggle } = useReactions(comment);
  const opener = useRef<HTMLButtonElement>(null);
  const [there, setThere] = useState<HTMLElement | null>(null);
  const items = emojis.map((emoji) => ({
    id: emoji as string,
    label: nameOfEmoji(emoji),
    icon: <span aria-hidden="true">{emoji}</span>,
    onPick: () => toggle(emoji),
  }));
  const more = {
    id: 'more',
    label: t('writing.comments.moreEmoji'),
    icon: <Plus size={16} />,
    // The focus is back at the button first: what opens gives it back there.
    onPick: () => void setTimeout(() => setThere(opener.current)),
  };
  return (
    <>
      <Menu
        across
        label={t('writing.comments.react')}
        trigger={
          <IconButton ref={opener} label={t('writing.comments.react')} className={className}>
            <SmilePlus size={14} />
          </IconButton>
        }
        items={shown.length < mostEmojis ? [...items, more] : items}
      />
      {there && <EmojiPicker there={there} onPick={toggle} onClosed={() => setThere(null)} />}
    </>
  );
}
