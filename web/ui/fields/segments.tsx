// Row of segments: a few choices side by side, one of them pressed.

import styles from './segments.module.css';

interface SegmentsProps<Choice extends string> {
  /** Not needed in a group that has a name. */
  readonly label?: string;
  readonly choices: readonly Choice[];
  readonly value: Choice;
  readonly say: (choice: Choice) => string;
  /** A field keeps the focus as one presses. */
  readonly keepsFocus?: boolean;
  readonly onPick: (choice: Choice) => void;
  readonly className?: string | undefined;
}

export function Segments<Choice extends string>(props: SegmentsProps<Choice>) {
  const { label, choices, value, say, keepsFocus = false, onPick, className = '' } = props;
  const Frame = label === undefined ? 'div' : 'fieldset';
  return (
    <Frame className={`${styles.segments} ${className}`} aria-label={label}>
      {choices.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === value}
          onMouseDown={keepsFocus ? (event) => event.preventDefault() : undefined}
          onClick={() => onPick(one)}
        >
          {say(one)}
        </button>
      ))}
    </Frame>
  );
}
