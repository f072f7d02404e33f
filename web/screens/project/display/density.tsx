// Density of cards and rows: a choice of this device, made where its effect is visible, or by a key.

import { Rows3, Rows4 } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useActions } from '../../../actions/registry.tsx';
import { t } from '../../../strings/messages.ts';
import { chooseDensity, currentDensity, type Density, onDensity } from '../../../theme.ts';

export function useDensity(): Density {
  return useSyncExternalStore(onDensity, currentDensity);
}

export function useDensityKey(): void {
  const compact = useDensity() === 'compact';
  useActions([
    {
      id: 'density',
      label: t(compact ? 'board.roomy' : 'board.compact'),
      group: 'general',
      keys: 'shift+c',
      icon: compact ? <Rows3 size={16} /> : <Rows4 size={16} />,
      effect: () => chooseDensity(compact ? 'roomy' : 'compact'),
    },
  ]);
}
