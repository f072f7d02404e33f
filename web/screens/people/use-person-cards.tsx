// Shows a person's card when the pointer rests on their face or name, or keys lead to it (`data-face`). One for a whole board or list: what it
// stands over is never replaced, so that a press on it is not lost.

import { type FocusEvent, type PointerEvent, type ReactNode, useEffect, useState } from 'react';
import { lazyComponent } from '../../ui/lazy-component.tsx';

/** What opens comes when somebody points at the first face. */
const PersonOver = lazyComponent(() => import('./hover-card.tsx'), ['people']);

const openDelay = 350;
const closeDelay = 150;

interface PersonCards {
  readonly over: ReactNode;
  /** For what the faces are in, or for a face. */
  readonly handlers: {
    onPointerOver(event: PointerEvent): void;
    onPointerLeave(): void;
    onPointerDown(): void;
    onFocus(event: FocusEvent): void;
    onBlur(): void;
  };
}

export function usePersonCards(projectId: string): PersonCards {
  const [shown, setShown] = useState<{ readonly face: HTMLElement; readonly userId: string } | null>(null);
  const [timer] = useState(() => ({ id: undefined as ReturnType<typeof setTimeout> | undefined }));
  useEffect(() => () => clearTimeout(timer.id), [timer]);

  function later(what: () => void, delay: number): void {
    clearTimeout(timer.id);
    timer.id = setTimeout(what, delay);
  }
  function show(face: HTMLElement, userId: string): void {
    PersonOver.fetch();
    later(() => setShown(face.isConnected ? { face, userId } : null), openDelay);
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
        show(face, userId);
      },
      onPointerLeave: hide,
      onPointerDown: hideNow,
      onFocus({ target }) {
        const userId =
          target instanceof HTMLElement && target.matches(':focus-visible') ? target.dataset.face : undefined;
        if (userId !== undefined) show(target as HTMLElement, userId);
      },
      onBlur: hide,
    },
  };
}
