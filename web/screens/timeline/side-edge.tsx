// The edge between titles and days. How wide the titles are is part of the view.

import type { Shown } from '../../../contract/views.ts';
import { t } from '../../strings/messages.ts';
import { Edge } from '../../ui/edge.tsx';
import { useRem } from '../../ui/use-rem.ts';
import type { ViewHandle } from '../project/view-handle.ts';
import { fitSide, sideWidths } from './geometry.ts';
import styles from './side-edge.module.css';

interface SideEdgeProps {
  readonly shown: Shown;
  readonly onChange: ViewHandle['set'];
}

export function SideEdge({ shown, onChange }: SideEdgeProps) {
  const rem = useRem();
  const width = fitSide(shown.side);
  return (
    <Edge
      {...sideWidths}
      className={styles.edge}
      style={{ left: `${width / 16}rem` }}
      label={t('timeline.side')}
      width={width}
      step={rem}
      onMove={(by) => onChange({ shown: { ...shown, side: fitSide(width + (by / rem) * 16) } })}
    />
  );
}
