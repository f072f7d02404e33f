// A keyboard shortcut as keys: "mod+k" is ⌘K on a Mac and Ctrl K elsewhere; "g p" is one key after the other.

import './keys.css';

const mac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
const signs: Record<string, string> = {
  mod: mac ? '⌘' : 'Ctrl',
  shift: mac ? '⇧' : 'Shift',
  alt: mac ? '⌥' : 'Alt',
  enter: '↵',
  escape: 'Esc',
  backspace: '⌫',
  space: 'Space',
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
