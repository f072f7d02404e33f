// Touch gestures on a row of a list: swiping it aside, and resting on it. Fetched on phones and tablets.

import { lazyComponent } from '../lazy-component.tsx';
import { useTouch } from '../use-narrow.ts';
import type { SwipeProps } from './swipe-rows-listener.tsx';

const SwipeRowsNow = lazyComponent(() => import('./swipe-rows-listener.tsx'));

export function SwipeRows(props: SwipeProps) {
  return useTouch() && <SwipeRowsNow {...props} />;
}
