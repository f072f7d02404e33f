// Density of cards and rows: a choice of this device, changed where its effect is visible.

import { Rows3, Rows4 } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useActions } from '../../actions/registry.tsx';
import { t } from '../../strings/messages.ts';
import { chooseDensity, currentDensity, type Density, onDensity } from '../../theme.ts';
import { IconButton } from '../../ui/button.tsx';

export function useDensity(): Density {
  return useSyncExternalStore(onDensity, currentDensity);
}

export function DensityButton() {
  const compact = useDensity() === 'compact';
  const turn = (): void => chooseDensity(compact ? 'roomy' : 'compact');
  const label = t(compact ? 'board.roomy' : 'board.compact');
  useActions([
    {
      id: 'density',
      label,
      group: 'general',
      keys: 'shift+c',
      icon: compact ? <Rows3 size={16} /> : <Rows4 size={16} />,
      effect: turn,
    },
  ]);
  return (
    <IconButton label={label} onClick={turn}>
      {compact ? <Rows3 size={16} /> : <Rows4 size={16} />}
    </IconButton>
  );
}
