// Shows a person's card when the pointer rests on a face. One for the whole board: a card with faces costs nothing more.

import { type PointerEvent, type ReactNode, useEffect, useState } from 'react';
import { lazyComponent } from '../../ui/lazy-component.tsx';

/** What opens comes when somebody points at the first face. */
const PersonOver = lazyComponent(() => import('../people/hover-card.tsx'), ['people']);

const openDelay = 350;
const closeDelay = 150;

interface CardFaces {
  readonly over: ReactNode;
  /** For the room the cards are in. */
  readonly handlers: {
    onPointerOver(event: PointerEvent): void;
    onPointerLeave(): void;
    onPointerDown(): void;
  };
}

export function useCardFaces(projectId: string): CardFaces {
  const [shown, setShown] = useState<{ readonly face: HTMLElement; readonly userId: string } | null>(null);
  const [timer] = useState(() => ({ id: undefined as ReturnType<typeof setTimeout> | undefined }));
  useEffect(() => () => clearTimeout(timer.id), [timer]);

  function later(what: () => void, delay: number): void {
    clearTimeout(timer.id);
    timer.id = setTimeout(what, delay);
  }
  const hide = (): void => later(() => setShown(null), closeDelay);
  const hideNow = (): void => later(() => setShown(null), 0);

  return {
    over: shown && (
      <PersonOver
        key={shown.userId}
        {...shown}
        projectId={projectId}
        onEnter={() => clearTimeout(timer.id)}
        onLeave={hide}
        onClose={hideNow}
      />
    ),
    handlers: {
      onPointerOver(event) {
        const face = (event.target as Element).closest<HTMLElement>('[data-face]');
        const userId = face?.dataset.face;
        if (event.pointerType !== 'mouse' || event.buttons !== 0) return;
        if (!face || userId === undefined) return hide();
        if (face === shown?.face) return clearTimeout(timer.id);
        later(() => setShown(face.isConnected ? { face, userId } : null), openDelay);
      },
      onPointerLeave: hide,
      onPointerDown: hideNow,
    },
  };
}
