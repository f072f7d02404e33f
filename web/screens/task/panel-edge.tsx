// The edge between a view and the task beside it; where it was put is remembered on this device.

import { useRef, useState } from 'react';
import { t } from '../../strings/messages.ts';
import { Edge } from '../../ui/edge.tsx';
import { keep, recall } from '../../ui/fields/draft.ts';
import styles from './task-panel.module.css';

const place = 'kanbase-panel-width';
/** Beyond these the style holds it; `usual`: where nobody has chosen. */
const widths = { least: 300, usual: 528, most: 1600 };

/** In pixels; undefined: as wide as it comes. */
export function chosenPanelWidth(): string | undefined {
  const width = Number(recall(place));
  return width >= widths.least && width <= widths.most ? `${width}px` : undefined;
}

export function PanelEdge() {
  const { least, usual, most } = widths;
  const edge = useRef<HTMLHRElement>(null);
  const [chosen, setChosen] = useState(() => Number.parseInt(chosenPanelWidth() ?? String(usual), 10));
  function choose(wanted: number | null): void {
    const width = wanted === null ? null : Math.round(Math.min(Math.max(wanted, least), most));
    keep(place, width === null ? null : String(width));
    const project = edge.current?.closest<HTMLElement>('[data-beside]');
    project?.style.setProperty('--chosen', width === null ? null : `${width}px`);
    setChosen(width ?? usual);
  }
  return (
    <Edge
      {...widths}
      ref={edge}
      className={styles.edge}
      label={t('task.width')}
      width={chosen}
      step={32}
      onMove={(by) => choose((edge.current?.parentElement?.getBoundingClientRect().width ?? chosen) - by)}
      onReset={() => choose(null)}
    />
  );
}
