// A keyboard shortcut as keys: "mod+k" is ⌘K on a Mac and Ctrl K elsewhere; "g p" is one key after the other.

import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import styles from './keys.module.css';

const mac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);
const signs: Readonly<Record<string, () => string>> = {
  mod: () => (mac ? '⌘' : t('common.keys.mod')),
  shift: () => (mac ? '⇧' : t('common.keys.shift')),
  alt: () => (mac ? '⌥' : t('common.keys.alt')),
  enter: () => '↵',
  escape: () => t('common.keys.escape'),
  backspace: () => '⌫',
  space: () => t('common.keys.space'),
  up: () => '↑',
  down: () => '↓',
  left: () => '←',
  right: () => '→',
};

/** A `hint` beside something that can be pressed is left out where fingers point. */
export function Keys({ keys, hint = false }: { keys: string; hint?: boolean }) {
  return (
    <span className={`${shapes.rigid} ${styles.keys} ${hint ? styles.keysHint : ''}`}>
      {keys.split(/[ +]/).map((key) => (
        <kbd
          key={key}
          className={`${shapes.quietXs} ${shapes.surface} ${shapes.sideS2} ${shapes.centred} ${styles.key}`}
        >
          {signs[key]?.() ?? key.toUpperCase()}
        </kbd>
      ))}
    </span>
  );
}
