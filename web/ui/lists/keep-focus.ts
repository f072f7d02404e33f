// Moves the focus to a neighbour when the focused element goes away (a removed line, an archived card); otherwise it would fall back to the
// top of the page, and people with a screen reader would lose their place.

const focusable = 'a[href],button,input,textarea,select,[tabindex]';

/** A menu gives the focus back a moment after it closes, to a button that may be gone by then. */
const menuPause = 50;

export function keepFocus(room: HTMLElement): () => void {
  /** What had the focus last, and what is around it. */
  let path: readonly Element[] = [];
  const remember = ({ target }: FocusEvent): void => {
    const around: Element[] = [];
    for (let at = target as Element | null; at !== null && at !== room; at = at.parentElement) around.push(at);
    path = around;
  };
  const observer = new MutationObserver((records) => {
    const [held] = path;
    if (held === undefined || held.isConnected) return;
    const gone = path.filter((element) => !element.isConnected).at(-1);
    path = [];
    const record = records.find(({ removedNodes }) => [...removedNodes].some((node) => node === gone));
    if (record === undefined || gone === undefined) return;
    const nextFocus =
      itself(room, held) ??
      likeIt(record.nextSibling, held, gone) ??
      likeIt(record.previousSibling, held, gone) ??
      (record.target as Element).closest<HTMLElement>('[tabindex]');
    const give = (): void => {
      if (document.activeElement === document.body && nextFocus?.isConnected) nextFocus.focus({ preventScroll: true });
    };
    give();
    setTimeout(give, menuPause);
  });
  room.addEventListener('focusin', remember);
  observer.observe(room, { childList: true, subtree: true });
  return () => {
    room.removeEventListener('focusin', remember);
    observer.disconnect();
  };
}

/** The same link, where it stands now: a card that was moved to another column. */
function itself(room: HTMLElement, held: Element): HTMLElement | null {
  const href = held.getAttribute('href');
  if (href === null) return null;
  const links = room.querySelectorAll<HTMLElement>(`a[href="${CSS.escape(href)}"]`);
  return [...links].find((link) => link.className === held.className) ?? null;
}

/** The same control of another line, or the first one there. */
function likeIt(line: Node | null, held: Element, gone: Element): HTMLElement | null {
  if (!(line instanceof HTMLElement) || !line.isConnected) return null;
  const alike = controlsIn(gone).filter((element) => element.className === held.className);
  const there = controlsIn(line);
  return (
    there.filter((element) => element.className === held.className)[alike.indexOf(held as HTMLElement)] ??
    there[0] ??
    null
  );
}

function controlsIn(line: Element): HTMLElement[] {
  const all = [line, ...line.querySelectorAll(focusable)] as HTMLElement[];
  return all.filter((element) => element.matches(focusable) && !element.matches(':disabled'));
}
