// Touch gestures on a row of a list: swiping it aside, and resting on it. Fetched on phones and tablets.

import { later } from '../later.tsx';
import { useTouch } from '../use-narrow.ts';
import type { SwipeProps } from './swipe-rows-now.tsx';

const SwipeRowsNow = later(() => import('./swipe-rows-now.tsx'));

export function SwipeRows(props: SwipeProps) {
  return useTouch() && <SwipeRowsNow {...props} />;
}
