// Turns an overlay into a sheet on a phone: it follows a finger that drags it down and closes when it is released far enough or fast
// enough, closes by the phone's back gesture, and stands above the keyboard. Closing is the same as Escape, whatever it holds.

/** So far, or with this speed in pixels a millisecond, it is let go of. */
const far = 110;
const fast = 0.5;

interface Watcher extends EventTarget {
  destroy(): void;
}

/** The phone's way back: some browsers tell of it, in others it is an entry of the history. */
function watchBack(close: () => void): () => void {
  const { CloseWatcher } = window as { CloseWatcher?: new () => Watcher };
  if (CloseWatcher === undefined) {
    let stop: (() => void) | null = null;
    let gone = false;
    void import('./history-entry.ts').then(({ watchEntry }) => {
      if (!gone) stop = watchEntry(close);
    });
    return () => {
      gone = true;
      stop?.();
    };
  }
  const watcher = new CloseWatcher();
  watcher.addEventListener('close', close);
  return () => watcher.destroy();
}

/** Where the keyboard lies over the page, as Safari has it, the sheet stands above it. */
function standAboveKeyboard(sheet: HTMLElement): () => void {
  const view = window.visualViewport;
  const stand = (): void => {
    if (view === null || view.scale !== 1) return;
    sheet.style.setProperty('--keyboard', `${Math.max(0, Math.round(innerHeight - view.height - view.offsetTop))}px`);
  };
  view?.addEventListener('resize', stand);
  stand();
  return () => view?.removeEventListener('resize', stand);
}

/** Something between the finger and the sheet is scrolled, or takes the finger for itself. */
function isTaken(target: EventTarget | null, sheet: HTMLElement): boolean {
  for (let at = target as Element | null; at !== null; at = at.parentElement) {
    if (at.scrollTop > 0 || at.matches('input[type="range"], textarea, [contenteditable="true"], [data-takes-finger]'))
      return true;
    if (at === sheet) return false;
  }
  return true;
}

/** The finger that opened it may lift above it, which is no choice in it: only what was put down in it counts. */
function ignoreHeldTouches(sheet: HTMLElement): () => void {
  const lifted = ['pointerup', 'click'] as const;
  const stop = (): void => {
    sheet.removeEventListener('pointerdown', stop, true);
    for (const kind of lifted) sheet.removeEventListener(kind, refuse, true);
  };
  const refuse = (event: PointerEvent | MouseEvent): void => {
    // Keys and programs click without a pointer.
    if (event.type === 'click' && event.detail === 0) return;
    event.preventDefault();
    event.stopPropagation();
  };
  sheet.addEventListener('pointerdown', stop, true);
  for (const kind of lifted) sheet.addEventListener(kind, refuse, true);
  return stop;
}

export function makeSheet(sheet: HTMLElement): () => void {
  let from: { readonly x: number; readonly y: number; readonly at: number } | null = null;
  let drawn = 0;
  const close = (): void => {
    sheet.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
  };
  const start = (event: TouchEvent): void => {
    const [finger, another] = event.touches;
    drawn = 0;
    from =
      finger === undefined || another !== undefined || isTaken(event.target, sheet)
        ? null
        : { x: finger.clientX, y: finger.clientY, at: event.timeStamp };
  };
  const move = (event: TouchEvent): void => {
    const [finger] = event.touches;
    if (from === null || finger === undefined) return;
    const [x, y] = [finger.clientX - from.x, finger.clientY - from.y];
    // The first bit decides: down is ours, all else is the browser's.
    if (drawn === 0 && (y <= 0 || Math.abs(x) > y)) {
      if (x !== 0 || y !== 0) from = null;
      return;
    }
    event.preventDefault();
    drawn = Math.max(1, y);
    sheet.style.translate = `0 ${drawn}px`;
  };
  const end = (event: TouchEvent): void => {
    if (from === null || drawn === 0) return;
    const isFast = drawn > 24 && drawn / (event.timeStamp - from.at) > fast;
    from = null;
    if (event.type === 'touchend' && (isFast || drawn > Math.min(far, sheet.offsetHeight / 2))) close();
    // Also when it stays open because what is in it asks for something first.
    sheet.style.translate = '';
  };
  const listen = { touchstart: start, touchmove: move, touchend: end, touchcancel: end };
  for (const [kind, listener] of Object.entries(listen))
    sheet.addEventListener(kind, listener as EventListener, { passive: kind !== 'touchmove' });
  const stops = [watchBack(close), standAboveKeyboard(sheet), ignoreHeldTouches(sheet)];
  return () => {
    for (const [kind, listener] of Object.entries(listen)) sheet.removeEventListener(kind, listener as EventListener);
    for (const stop of stops) stop();
  };
}
