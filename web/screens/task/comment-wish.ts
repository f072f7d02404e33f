// Asks for the field of a new comment: a key names the task, and the field takes the focus once it is there. Where one came by the key, sending leads back
// to where one was.

import { openTask } from '../../actions/target.ts';
import { bufferKeys, countFailures, dropKeys, replayKeys } from '../../ui/overlays/buffered-keys.ts';

interface Wish {
  readonly taskId: string;
  /** Had the focus when the key was pressed. */
  readonly from: Element | null;
  readonly at: number;
  readonly failures: number;
}

/** Milliseconds; a task that comes later than this is only shown. */
const longest = 120_000;
/** What was typed is dropped then, unless the screen is still on its way. */
const longestForKeys = 30_000;

let wish: Wish | null = null;
/** Reached by the key, until someone presses into the field. */
let reached: Wish | null = null;

/** `open` shows the task, where it is not open; what is typed meanwhile is for the field. */
export function askForComment(taskId: string, open: () => void): void {
  const shown = openTask();
  wish = { taskId, from: document.activeElement, at: performance.now(), failures: countFailures() };
  if (shown?.taskId === taskId && reachField(shown.panel.current)) return;
  bufferKeys(longestForKeys);
  if (shown?.taskId !== taskId) open();
}

/** For the field, when it is there: it gets the focus and the keys, if it was asked for. */
export function fulfilWish(taskId: string, around: HTMLElement | null): void {
  if (wish?.taskId !== taskId || !isWithin(longest, wish)) return;
  const asked = wish;
  // The panel around it takes the focus first.
  requestAnimationFrame(() => {
    if (wish !== asked) return;
    reachField(around);
    replayKeys();
  });
}

/** For the panel of a task: whoever opened another one than they asked for does not comment there. */
export function endOtherWish(taskId: string): void {
  if (wish === null || wish.taskId === taskId) return;
  if (isWithin(longestForKeys, wish)) dropKeys();
  wish = null;
}

/** Asked for no longer ago, and what it was asked of has not failed since. */
const isWithin = (ms: number, { at, failures }: Wish): boolean =>
  failures === countFailures() && performance.now() - at <= ms;

function reachField(around: HTMLElement | null): boolean {
  const field = around?.querySelector<HTMLElement>('[data-new-comment] textarea, [data-new-comment] [role="textbox"]');
  if (!field) return false;
  reached = wish;
  wish = null;
  field.focus();
  return true;
}

/** Who presses into the field stays there, for several comments. */
export function stayInField(): void {
  reached = null;
}

/** A comment was sent: the focus goes back to where the key was pressed, or to the panel around the field. */
export function leaveField(taskId: string, field: HTMLElement | null): void {
  if (reached?.taskId !== taskId || !field?.contains(document.activeElement)) return;
  const { from } = reached;
  reached = null;
  const isThere = from instanceof HTMLElement && from.isConnected && from !== document.body && !from.closest('[inert]');
  const back = isThere ? from : field.closest<HTMLElement>('[tabindex="-1"]');
  back?.focus({ preventScroll: true });
}
