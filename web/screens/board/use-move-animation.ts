// Cards that others move glide to their place. What is under the pointer stays where it is: the list scrolls along, and while the hand
// is on its way to a card the change waits a moment. Only cards that are drawn move, however many there are.

import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { pointedLine } from '../../actions/target.ts';
import { type Board, type ChangeWatch, type RowChange, useIncomingChanges } from '../../queries.ts';

const timing = { duration: 260, easing: 'cubic-bezier(0.2, 0, 0, 1)' } as const;
/** Milliseconds after which a pointer rests. */
const rest = 350;
/** More than so many at once is no move that an eye could follow. */
const mostChanges = 30;
const mostFlights = 12;

interface Glide extends ChangeWatch {
  /** After the board was drawn. */
  settle(): void;
  /** Listens to the pointer, until the function that comes back is called. */
  listen(): () => void;
}

export function useMoveAnimation(frame: RefObject<HTMLElement | null>, board: Board): void {
  const [glide] = useState(() => createGlide(() => frame.current));
  useIncomingChanges(glide);
  useEffect(() => glide.listen(), [glide]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: cards can only have moved with the board
  useLayoutEffect(() => glide.settle(), [glide, board]);
}

function createGlide(frame: () => HTMLElement | null): Glide {
  /** Where the cards were before others moved some; null: nobody did. */
  let before: Map<string, DOMRect> | null = null;
  let under: string | null = null;
  let movedAt = 0;
  let pressed = false;

  const cards = (): HTMLElement[] => [...(frame()?.querySelectorAll<HTMLElement>('[data-task-id]') ?? [])];
  const idOf = (card: HTMLElement): string => card.dataset.taskId ?? '';

  function beforeShown(changes: readonly RowChange[]): void {
    const moved = changes.filter(({ table }) => table === 'tasks').length;
    if (moved === 0 || frame() === null) return;
    const drawn = cards();
    under = pointedLine()?.dataset.taskId ?? null;
    // A flood is shown as it is.
    before = new Map(moved > mostChanges ? [] : drawn.map((card) => [idOf(card), card.getBoundingClientRect()]));
  }

  /** The list scrolls by as much as the card under the pointer has moved in it. */
  function keepUnder(places: ReadonlyMap<string, DOMRect>, drawn: readonly HTMLElement[]): void {
    const card = drawn.find((one) => idOf(one) === under);
    const old = under === null ? undefined : places.get(under);
    const list = card?.closest('ul');
    if (card === undefined || old === undefined || !list) return;
    const { left, top } = card.getBoundingClientRect();
    if (Math.abs(left - old.left) < 1) list.scrollTop += top - old.top;
  }

  function settle(): void {
    const places = before;
    before = null;
    if (places === null) return;
    const drawn = cards();
    keepUnder(places, drawn);
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const moves = drawn.flatMap((card) => {
      const old = places.get(idOf(card));
      if (old === undefined || card.closest('[data-held-card]')) return [];
      const now = card.getBoundingClientRect();
      const [dx, dy] = [old.left - now.left, old.top - now.top];
      return Math.abs(dx) < 1 && Math.abs(dy) < 1 ? [] : [{ card, old, now, dx, dy }];
    });
    let flights = 0;
    for (const { card, old, now, dx, dy } of moves) {
      if (Math.abs(dx) < 1) card.animate({ translate: [`0 ${dy}px`, '0 0'] }, timing);
      else if (flights++ < mostFlights) fly(card, old, now);
    }
  }

  return {
    beforeShown,
    settle,
    isHeld: () => pressed || (performance.now() - movedAt < rest && frame()?.contains(pointedLine()) === true),
    listen() {
      const move = (): void => {
        movedAt = performance.now();
      };
      const press = (): void => {
        pressed = true;
      };
      const release = (): void => {
        pressed = false;
      };
      const stop = new AbortController();
      const passive = { signal: stop.signal, passive: true, capture: true };
      window.addEventListener('pointermove', move, passive);
      window.addEventListener('pointerdown', press, passive);
      for (const end of ['pointerup', 'pointercancel', 'blur']) window.addEventListener(end, release, passive);
      return () => stop.abort();
    },
  };
}

/** From one column to another over both: the lists cut off what leaves them, so a copy flies while the card waits. */
function fly(card: HTMLElement, from: DOMRect, to: DOMRect): void {
  const copy = card.cloneNode(true) as HTMLElement;
  copy.removeAttribute('data-task-id');
  copy.inert = true;
  Object.assign(copy.style, {
    position: 'fixed',
    zIndex: '5',
    left: `${to.left}px`,
    top: `${to.top}px`,
    width: `${to.width}px`,
    pointerEvents: 'none',
  });
  document.body.append(copy);
  card.animate({ opacity: [0, 0] }, timing);
  const flight = copy.animate({ translate: [`${from.left - to.left}px ${from.top - to.top}px`, '0 0'] }, timing);
  flight.finished.finally(() => copy.remove()).catch(() => undefined);
}
