// Resize handle between two parts of a screen: dragged by mouse or finger, or moved by the arrow keys. Its parent decides about its place and the
// resized side.

import type { CSSProperties, KeyboardEvent, Ref } from 'react';
import styles from './edge.module.css';
import { useEdgeDrag } from './use-pointer-drag.ts';

interface EdgeProps {
  readonly ref?: Ref<HTMLHRElement>;
  readonly className: string | undefined;
  readonly style?: CSSProperties;
  readonly label: string;
  /** How wide what it is the edge of is, and may be. */
  readonly width: number;
  readonly least: number;
  readonly most: number;
  /** How far an arrow moves it, in pixels of the screen. */
  readonly step: number;
  /** To the right, by so many pixels of the screen. */
  readonly onMove: (by: number) => void;
  /** By a double click. */
  readonly onReset?: () => void;
}

export function Edge({ ref, className, style, label, width, least, most, step, onMove, onReset }: EdgeProps) {
  const held = useEdgeDrag(onMove);
  function onKeyDown(event: KeyboardEvent): void {
    const by = { ArrowLeft: -step, ArrowRight: step }[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onMove(by);
  }
  return (
    <hr
      {...held}
      ref={ref}
      className={`${styles.edge} ${className}`}
      style={{ ...style, ...held.style }}
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={most}
      title={label}
      onKeyDown={onKeyDown}
      onDoubleClick={onReset}
    />
  );
}
