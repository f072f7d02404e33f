// The edge between titles and days: dragged by mouse or finger, or moved by the arrows. How wide the titles are is part of the view.

import type { Shown } from '../../../contract/views.ts';
import { t } from '../../strings/messages.ts';
import { useEdgeDrag } from '../../ui/use-edge-drag.ts';
import { useRem } from '../../ui/use-rem.ts';
import type { ViewHandle } from '../project/view-handle.ts';
import { fitSide, sideWidths } from './geometry.ts';
import styles from './side-edge.module.css';

const step = 16;

interface SideEdgeProps {
  readonly shown: Shown;
  readonly onChange: ViewHandle['set'];
}

export function SideEdge({ shown, onChange }: SideEdgeProps) {
  const rem = useRem();
  const width = fitSide(shown.side);
  const widen = (by: number): void => onChange({ shown: { ...shown, side: fitSide(width + by) } });
  const held = useEdgeDrag((by) => widen((by / rem) * 16));
  return (
    <hr
      {...held}
      className={styles.edge}
      style={{ left: `${width / 16}rem`, ...held.style }}
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('timeline.side')}
      aria-valuenow={width}
      aria-valuemin={sideWidths.least}
      aria-valuemax={sideWidths.most}
      title={t('timeline.side')}
      data-side-edge
      onKeyDown={(event) => {
        const by = { ArrowLeft: -step, ArrowRight: step }[event.key];
        if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        widen(by);
      }}
    />
  );
}
