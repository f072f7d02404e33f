// One key given to an element by the program. Browsers do nothing by themselves at such a key, so that what they do at a pressed one is done here:
// writing into fields and emptying them, sending a form, pressing a link or a button, and going on by Tab.

export const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type="checkbox"]):not([type="radio"]),textarea,select'));

export function replayKey(target: Element, event: KeyboardEvent): void {
  const replayed = new KeyboardEvent('keydown', {
    key: event.key,
    code: event.code,
    shiftKey: event.shiftKey,
    ctrlKey: event.ctrlKey,
    metaKey: event.metaKey,
    altKey: event.altKey,
    bubbles: true,
    cancelable: true,
  });
  // The moment it was pressed: a sequence of two keys is told by the time between them.
  Object.defineProperty(replayed, 'timeStamp', { value: event.timeStamp });
  const passed = target.dispatchEvent(replayed);
  if (!passed || !(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Tab') goOn(target, event.shiftKey ? -1 : 1);
  else if (isEditable(target)) typeInto(target, event.key);
  else if (presses(target, event.key)) target.click();
}

const presses = (target: HTMLElement, key: string): boolean =>
  (key === 'Enter' && target.matches('a[href],button,summary')) ||
  (key === ' ' && target.matches('button,summary,input[type="checkbox"],input[type="radio"]'));

function typeInto(field: HTMLElement, key: string): void {
  if (field.isContentEditable) {
    // The one way that an editor hears of as of a person's typing.
    if ([...key].length === 1) document.execCommand('insertText', false, key);
    return;
  }
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
  if (key === 'Enter' && field instanceof HTMLInputElement) {
    submit(field.form);
    return;
  }
  const end = field.selectionEnd ?? field.value.length;
  // What is selected is replaced.
  const start = field.selectionStart ?? end;
  const letter = key === 'Enter' ? '\n' : key;
  if (key === 'Escape' && field.type === 'search') field.setRangeText('', 0, field.value.length, 'end');
  else if (key === 'Backspace') field.setRangeText('', start < end ? start : Math.max(0, end - 1), end, 'end');
  else if ([...letter].length === 1) field.setRangeText(letter, start, end, 'end');
  else return;
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: letter }));
}

/** As by its first button that sends it, unless that one can't be pressed. */
function submit(form: HTMLFormElement | null): void {
  const button = form?.querySelector<HTMLButtonElement>('button[type="submit"],input[type="submit"]');
  if (button) button.click();
  else form?.requestSubmit();
}

/** To the next that Tab leads to, round within a dialog. */
function goOn(from: HTMLElement, by: 1 | -1): void {
  const room = from.closest('[role="dialog"]') ?? document.body;
  const stops = [
    ...room.querySelectorAll<HTMLElement>('a[href],button,input,textarea,select,[tabindex],[contenteditable="true"]'),
  ].filter(
    (one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility() && one.closest('[inert]') === null,
  );
  stops.at((stops.indexOf(from) + by) % stops.length)?.focus();
}
