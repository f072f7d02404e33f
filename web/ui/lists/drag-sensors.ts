// Mouse and finger as the library knows them, but for one thing: after a drop it keeps every click of the page to itself for a moment,
// a long one where timers are late, meaning the click that ends the drag. What is pressed anew is meant.

import { MouseSensor, TouchSensor } from '@dnd-kit/core';

export class Mouse extends MouseSensor {
  constructor(props: ConstructorParameters<typeof MouseSensor>[0]) {
    super(props);
    freeNextPress(this);
  }
}

export class Finger extends TouchSensor {
  constructor(props: ConstructorParameters<typeof TouchSensor>[0]) {
    super(props);
    freeNextPress(this);
  }
}

/** The press that began this drag has been told already; a second finger is none of its own. */
function freeNextPress(sensor: object): void {
  const { documentListeners } = sensor as { readonly documentListeners: { removeAll(): void } };
  const free = ({ isPrimary }: PointerEvent): void => {
    if (!isPrimary) return;
    document.removeEventListener('pointerdown', free, true);
    documentListeners.removeAll();
  };
  document.addEventListener('pointerdown', free, true);
}
