// A person in a circle: their picture, or the first letters of their name on a colour of their own.

import type { CSSProperties } from 'react';
import './avatar.css';

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
  const hue = hues[[...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7) % hues.length];
  return (
    <span className={`avatar avatar-${size}`} style={{ '--hue': hue } as CSSProperties} title={name}>
      {/* The letters are a picture of the name, which is said below: what is read on the screen is the name once. */}
      {url ? <img src={url} alt="" referrerPolicy="no-referrer" /> : <span data-letters={initialsOf(name)} />}
      <span className="only-spoken">{name}</span>
    </span>
  );
}

export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = [...(words[0] ?? '?')][0] ?? '?';
  const last = words.length > 1 ? ([...(words.at(-1) ?? '')][0] ?? '') : '';
  return (first + last).toLocaleUpperCase();
}
