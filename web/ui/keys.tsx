// A keyboard shortcut as keys: "mod+k" is ⌘K on a Mac and Ctrl K elsewhere; "g p" is one key after the other.

import { words } from '../strings/words.ts';
import './keys.css';

const say = words.common.keys;

const mac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
const signs: Record<string, string> = {
  mod: mac ? '⌘' : say.mod,
  shift: mac ? '⇧' : say.shift,
  alt: mac ? '⌥' : say.alt,
  enter: '↵',
  escape: say.escape,
  backspace: '⌫',
  space: say.space,
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
};

export function Keys({ keys }: { keys: string }) {
  return (
    <span className="keys">
      {keys.split(/[ +]/).map((key) => (
        <kbd key={key} className="key">
          {signs[key] ?? key.toUpperCase()}
        </kbd>
      ))}
    </span>
  );
}
