// What a finger does with a row of a list on a phone beside tapping it: drawing it aside, and resting on it. Fetched there alone.

import { later } from './later.tsx';
import type { FingersProps } from './row-fingers.tsx';
import { usePhone } from './use-narrow.ts';

const RowFingers = later(() => import('./row-fingers.tsx'));

export function Fingers(props: FingersProps) {
  return usePhone() && <RowFingers {...props} />;
}
