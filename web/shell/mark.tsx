// The mark and the name of the house.

import { words } from '../strings/words.ts';

export function Mark() {
  return (
    <span className="mark">
      <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
        <rect width="32" height="32" rx="8" className="mark-ground" />
        <rect x="7" y="7" width="5" height="18" rx="2" className="mark-one" />
        <rect x="13.5" y="7" width="5" height="12" rx="2" className="mark-two" />
        <rect x="20" y="7" width="5" height="7" rx="2" className="mark-three" />
      </svg>
      {words.common.product}
    </span>
  );
}
