// Tells whether a reload would lose something: typed words in a field, or an open dialog.

const touched = new Set<Element>();

/** Begins to listen. */
export function watchTyping(): () => void {
  const note = (event: Event): void => {
    if (event.target instanceof Element) touched.add(event.target);
  };
  document.addEventListener('input', note, true);
  return () => {
    document.removeEventListener('input', note, true);
    touched.clear();
  };
}

export function isInTheMiddle(): boolean {
  for (const element of touched) if (!element.isConnected) touched.delete(element);
  return [...touched].some((field) => wordsIn(field) !== '') || document.querySelector('[role="dialog"]') !== null;
}

function wordsIn(field: Element): string {
  const words = 'value' in field ? String(field.value) : field.textContent;
  return (words ?? '').trim();
}
