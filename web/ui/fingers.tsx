// What a finger does with a row of a list on a phone beside tapping it: drawing it aside, and resting on it. Fetched there alone.

import { lazy, Suspense } from 'react';
import type { FingersProps } from './row-fingers.tsx';
import { usePhone } from './use-narrow.ts';

const RowFingers = lazy(() => import('./row-fingers.tsx'));

export function Fingers(props: FingersProps) {
  return (
    usePhone() && (
      <Suspense>
        <RowFingers {...props} />
      </Suspense>
    )
  );
}
