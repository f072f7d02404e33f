// A person in a circle: their picture, or the first letters of their name on a colour of their own.

import { type CSSProperties, useState } from 'react';
import shapes from '../styles/shapes.module.css';
import styles from './avatar.module.css';

/** The database gives it to agents: they have corners, people are round. */
const agentPicture = '/icons/agent.svg';

const hues = [12, 38, 84, 150, 186, 214, 262, 318];

export function Avatar({
  name,
  url,
  seed,
  size = 24,
}: {
  name: string;
  url?: string | null;
  seed: string;
  size?: 20 | 24 | 32 | 48;
}) {
  // A picture that is gone, or that pages may not show (IMAGE_ORIGINS): the letters instead.
  const [broken, setBroken] = useState<string | null>(null);
  const hue = hueOf(seed);
  return (
    <span
      className={`${shapes.ownColours} ${shapes.rigid} ${shapes.clipped} ${shapes.bold} ${styles.avatar}`}
      data-size={size}
      data-agent={url === agentPicture || undefined}
      style={{ '--hue': hue, '--size': `${size / 16}rem` } as CSSProperties}
      title={name}
    >
      {/* The letters stand for the name, which follows as hidden text: a screen reader reads it once. */}
      {url && url !== broken ? (
        <img src={url} alt="" referrerPolicy="no-referrer" onError={() => setBroken(url)} />
      ) : (
        <span data-letters={initialsOf(name)} />
      )}
      <span className="only-spoken">{name}</span>
    </span>
  );
}

/** Somebody's colour, the same everywhere. */
export function hueOf(seed: string): number {
  return hues[[...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7) % hues.length] ?? 0;
}

export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = [...(words[0] ?? '?')][0] ?? '?';
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : '';
  return (first + last).toLocaleUpperCase();
}
