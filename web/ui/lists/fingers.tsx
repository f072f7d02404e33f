// Touch gestures on a row of a list: swiping it aside, and resting on it. Fetched on phones and tablets.

import { later } from '../later.tsx';
import { useTouch } from '../use-narrow.ts';
import type { FingersProps } from './row-fingers.tsx';

const RowFingers = later(() => import('./row-fingers.tsx'));

export function Fingers(props: FingersProps) {
  return useTouch() && <RowFingers {...props} />;
}
